"""The model to begin with: a folder in the layout of transformers, a name on the hub, or a GGUF file.

    local/smollm2, smollm2     SmolLM2-135M-Instruct from the cache, fetched once
    local/MODEL.gguf           a GGUF file, dequantised; the prefix `local/` may stand there, as for `draw run`
    Qwen/Qwen3-1.7B            a name on the hub
    models/mine                a folder

Weights are safetensors or GGUF, never pickle, and no code of a model's folder is run.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef.errors import FileError, InputError
from pixelreef.runs.server import PREFIX
from pixelreef.runs.weights import PACKAGED, gguf_file, local_model_path
from pixelreef.tune.tokenised import Tokeniser

_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*\Z")
_CONFIG = "config.json"


@dataclass(frozen=True)
class Base:
    """Where a model is."""

    name: str
    """As others would know it: a file's or folder's own name, or the name on the hub."""
    place: str
    """A folder, or a name on the hub."""
    file: str | None = None
    """The GGUF file in the folder."""

    def facts(self) -> dict[str, str]:
        """What tells it from another, as JSON values."""
        return {"name": self.name, "hash": self._hash()}

    def _hash(self) -> str:
        folder, found = Path(self.place), hashlib.sha256()
        if self.file:
            with (folder / self.file).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        if not folder.is_dir():
            return ""
        for path in sorted(folder.glob("*.safetensors")):
            found.update(f"{path.name} {path.stat().st_size} ".encode())
        found.update((folder / _CONFIG).read_bytes())
        return found.hexdigest()

    def where(self) -> dict[str, Any]:
        """As transformers takes it."""
        given: dict[str, Any] = {"pretrained_model_name_or_path": self.place}
        return {**given, "gguf_file": self.file} if self.file else given


def find_base(name: str) -> Base:
    """A model by what was typed."""
    rest = name.removeprefix(PREFIX)
    if rest in PACKAGED or rest.endswith(".gguf"):
        path = local_model_path(rest) if rest in PACKAGED else gguf_file(rest)
        return Base(path.name, str(path.parent), path.name)
    folder = Path(rest).expanduser()
    if folder.is_dir():
        if not (folder / _CONFIG).is_file():
            raise FileError(f"model {name!r}", f"have a {_CONFIG}", "none", verbatim=True)
        return Base(folder.resolve().name, str(folder))
    if name == rest and _HUB.match(name) and not name.startswith("."):
        return Base(name, name)
    todo = "Give a folder, a GGUF file, smollm2, or OWNER/NAME on the hub."
    raise FileError(f"model {name!r}", "exist", "nothing there", todo, verbatim=True)


def load_tokeniser(base: Base) -> Tokeniser:
    """Its tokenizer."""
    _quiet()
    from transformers import AutoTokenizer

    return Tokeniser(_loaded(base, "tokenizer", lambda: AutoTokenizer.from_pretrained(**base.where())), base.name)


def load_model(base: Base, precision: str = "float32") -> Any:
    """Its causal language model, in evaluation mode."""
    _quiet()
    import torch
    from transformers import AutoModelForCausalLM

    given: dict[str, Any] = {**base.where(), "dtype": getattr(torch, precision)}
    if base.file is None:
        given["use_safetensors"] = True
    return _loaded(base, "causal language model", lambda: AutoModelForCausalLM.from_pretrained(**given)).eval()


def vocabulary(model: Any) -> int:
    """How many tokens a model knows."""
    return int(model.get_input_embeddings().weight.shape[0])


def _loaded(base: Base, kind: str, load: Callable[[], Any]) -> Any:
    try:
        with redirect_stderr(io.StringIO()):  # its bars
            return load()
    except Exception as error:  # the library raises many kinds, for files, networks and layouts
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = lines[0][:200].rstrip(".") if lines else type(error).__name__
        raise InputError(
            f"model {base.name!r}", f"hold a {kind} that transformers reads", reason, verbatim=True
        ) from None


def _quiet() -> None:
    """No remarks of the libraries among ours."""
    from huggingface_hub.utils import logging as hub
    from transformers.utils import logging

    said: tuple[Any, Any] = hub, logging  # their functions are not typed
    for one in said:
        one.set_verbosity_error()
    said[1].disable_progress_bar()
