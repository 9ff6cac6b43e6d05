"""Where a training run stands, as a file: safetensors in float32 with the number of the next step, whole or not at all.

What is trained brings its tensors by name (`Resumable`). Nothing else is needed, if lessons and learning rates follow
from the seed and the step. No pickle.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pixelreef.core.files import write_bytes
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import FileError

if TYPE_CHECKING:
    from torch import Tensor

FORMAT = "pixelreef-checkpoint"
NAME = "checkpoint.safetensors"
MAX_BYTES = 2**30  # of 20 M parameters, four times in float32, and room

Facts = Mapping[str, Any]


class Resumable(Protocol):
    """What is trained."""

    def tensors(self) -> Mapping[str, Tensor]:
        """Everything by name."""

    def take(self, tensors: Mapping[str, Tensor]) -> None:
        """Stand where the tensors say; KeyError or RuntimeError where they are not of this model."""


@dataclass(frozen=True)
class Place:
    """How far a run has come."""

    step: int
    """The next one."""
    seconds: float
    """Spent so far, over all sittings."""


def save_checkpoint(folder: Path, place: Place, facts: Facts, standing: Resumable) -> Path:
    """Write where a run stands; `facts` say which run it is."""
    from safetensors.torch import save

    document = {"step": place.step, "seconds": place.seconds, "facts": facts}
    tensors = {name: value.detach().cpu().contiguous() for name, value in standing.tensors().items()}
    # By way of memory: the library's own writer reports a full disk in a way of its own.
    return write_bytes(folder / NAME, save(tensors, {FORMAT: json.dumps(document, sort_keys=True)}))


def load_checkpoint(folder: Path, facts: Facts, standing: Resumable, limit: int = MAX_BYTES) -> Place:
    """Take up a run where it stands; at the start when there is no checkpoint yet. A file over `limit` is refused."""
    path = folder / NAME
    if not path.exists():
        return Place(0, 0.0)
    what = f"checkpoint {str(path)!r}"
    document, tensors = _read(path, what, limit)
    if document.get("facts") != json.loads(json.dumps(facts)):
        todo = "Give a new folder, or the options that the run was begun with."
        raise FileError(what, "be of this corpus and recipe", "another", todo, verbatim=True)
    try:
        place = Place(int(document["step"]), float(document["seconds"]))
        standing.take(tensors)
    except (KeyError, RuntimeError, TypeError, ValueError) as error:
        raise FileError(what, "hold the arrays of this model", str(error)) from None
    return place


def _read(path: Path, what: str, limit: int) -> tuple[dict[str, Any], dict[str, Tensor]]:
    from safetensors import SafetensorError, safe_open

    if (size := os.path.getsize(path)) > limit:
        raise FileError(what, f"be at most {limit:,} bytes", size)
    try:
        with safe_open(path, "pt") as file:
            text = (file.metadata() or {}).get(FORMAT, "{}")
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (no mapping)
    except (SafetensorError, OSError) as error:
        raise FileError(what, "be a whole checkpoint", str(error)) from None
    document = json_from_bytes(text.encode(), what)
    return (document if isinstance(document, dict) else {}), tensors
