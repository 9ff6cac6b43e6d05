"""An adapter as a folder in peft's layout: `adapter_model.safetensors`, `adapter_config.json` and a card.

    write_adapter(folder, arrays, config, card)
    adapter = read_adapter(folder)

`PeftModel.from_pretrained(model, folder)` reads it. A folder is untrusted: bounded, and what is in it is checked
against what its configuration says before anything is made of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes, write_bytes, write_json, write_text
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import FileError

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
CARD = "README.md"
MAX_BYTES = 2**31
_NAME = re.compile(r"base_model\.model\.(?P<layer>[\w.]+)\.lora_(?P<side>[AB])\.weight\Z")

Reals = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Adapter:
    """Two matrices for every adapted layer, B·A·alpha/rank."""

    layers: Mapping[str, tuple[Reals, Reals]]
    """The layer's name in its model → A (rank, in) and B (out, rank)."""
    rank: int
    alpha: float

    @property
    def parameters(self) -> int:
        return sum(a.size + b.size for a, b in self.layers.values())


def write_adapter(folder: Path, arrays: Mapping[str, Reals], config: Mapping[str, Any], card: str) -> Path:
    """Write the three files, each whole or not at all; `arrays` and `config` as peft names them."""
    from safetensors.numpy import save

    write_bytes(folder / WEIGHTS, save({name: arrays[name] for name in sorted(arrays)}, {"format": "pt"}))
    write_json(folder / CONFIG, dict(config))
    write_text(folder / CARD, card)
    return folder


def read_adapter(folder: Path) -> Adapter:
    """Read and check a folder."""
    what = f"adapter {str(folder)!r}"
    config = json_from_bytes(read_bytes(folder / CONFIG, 2**20), what)
    if not isinstance(config, dict) or config.get("peft_type") != "LORA":
        raise FileError(what, "be LoRA", config.get("peft_type") if isinstance(config, dict) else config)
    rank, alpha = config.get("r"), config.get("lora_alpha")
    if not isinstance(rank, int) or isinstance(rank, bool) or rank < 1 or not isinstance(alpha, int | float):
        raise FileError(what, "say its rank and alpha", json.dumps({"r": rank, "lora_alpha": alpha}), verbatim=True)
    sides = _sides(_arrays(folder / WEIGHTS, what), what)
    for layer, (a, b) in sides.items():
        if a.ndim != 2 or b.ndim != 2 or a.shape[0] != rank or b.shape[1] != rank:
            raise FileError(f"{layer} of {what}", f"have the rank {rank}", (a.shape, b.shape))
    return Adapter(sides, rank, float(alpha))


def _arrays(path: Path, what: str) -> dict[str, Reals]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        found = load(read_bytes(path, MAX_BYTES))
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise FileError(what, "be a whole safetensors file", str(error).split("\n")[0]) from None
    for name, value in found.items():
        if value.dtype.kind != "f" or not np.isfinite(value).all():
            raise FileError(f"{name} of {what}", "be finite numbers", "something else", verbatim=True)
    return {name: value.astype(np.float32) for name, value in found.items()}


def _sides(arrays: Mapping[str, Reals], what: str) -> dict[str, tuple[Reals, Reals]]:
    found: dict[str, dict[str, Reals]] = {}
    for name, value in arrays.items():
        match = _NAME.match(name)
        if not match:
            raise FileError(what, "hold LoRA matrices alone", name)
        found.setdefault(match["layer"], {})[match["side"]] = value
    for layer, sides in found.items():
        if set(sides) != {"A", "B"}:
            raise FileError(what, f"hold both matrices of {layer}", f"{sorted(sides)}", verbatim=True)
    if not found:
        raise FileError(what, "hold LoRA matrices", "none", verbatim=True)
    return {layer: (found[layer]["A"], found[layer]["B"]) for layer in sorted(found)}  # the reader keeps no order
