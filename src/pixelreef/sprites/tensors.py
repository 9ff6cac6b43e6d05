"""Arrays in a safetensors file, stored in float16, with a document of ours in the metadata.

    PARTS = Kind("pixelreef-parts", 1, "a labeller of parts")
    write_tensors(path, PARTS, document, arrays)
    kept = PARTS.opened(data, "parts.safetensors")
    kept.document, kept.arrays({"out.weight": (25, 64)})

A file is untrusted: its header is checked against the shapes that are asked for before any number is looked at, and
every number must be finite. Nothing in it is evaluated.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import write_bytes
from pixelreef.core.strict_json import json_from_bytes, json_from_text
from pixelreef.errors import FileError, InputError

MAX_PARAMETERS = 20_000_000
Arrays = Mapping[str, NDArray[np.float32]]
Shapes = Mapping[str, tuple[int, ...]]

_KEY = "pixelreef"
_HEADER = 2**20  # bytes of names, shapes and metadata


@dataclass(frozen=True)
class Kind:
    """What files of one kind say of themselves."""

    format: str
    version: int
    words: str
    """For messages: 'weights of a sprite model'."""

    def opened(self, data: bytes, what: str) -> Kept:
        """Read what a file says of itself; `what` names it in errors."""
        header = _header(data, what)
        return Kept(data, what, header, self._document(header, what))

    def _document(self, header: Mapping[str, Any], what: str) -> dict[str, Any]:
        kept = header.get("__metadata__")
        text = kept.get(_KEY) if isinstance(kept, dict) else None
        document = json_from_text(text, what) if isinstance(text, str) else None
        if not isinstance(document, dict) or document.get("format") != self.format:
            raise FileError(what, f"be {self.words}", "some other safetensors file", verbatim=True)
        if document.get("version") != self.version:
            found = document.get("version")
            raise FileError(what, f"be of version {self.version}", found, "Another Pixelreef wrote it.")
        return document


@dataclass(frozen=True, eq=False)
class Kept:
    """A file whose document was read, and whose numbers were not."""

    data: bytes
    what: str
    header: Mapping[str, Any]
    document: Mapping[str, Any]

    def arrays(self, shapes: Shapes) -> dict[str, NDArray[np.float32]]:
        """All of these, in float32, and no others."""
        self._check(shapes)
        return self._loaded()

    def hash(self) -> str:
        """`arrays_hash` of all that is there."""
        return arrays_hash(self._loaded())

    def _loaded(self) -> dict[str, NDArray[np.float32]]:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            stored = load(self.data)
        except (SafetensorError, ValueError) as error:
            raise FileError(self.what, "be a whole safetensors file", str(error).split("\n")[0]) from None
        arrays = {name: value.astype(np.float32) for name, value in stored.items()}
        for name, value in arrays.items():
            if not np.isfinite(value).all():
                raise FileError(f"{name} of {self.what}", "be finite numbers", "something else", verbatim=True)
        return arrays

    def _check(self, shapes: Shapes) -> None:
        what = self.what
        if sum(int(np.prod(shape)) for shape in shapes.values()) > MAX_PARAMETERS:
            raise FileError(what, f"have at most {MAX_PARAMETERS:,} parameters", "more", verbatim=True)
        found = {name: one for name, one in self.header.items() if name != "__metadata__"}
        if odd := sorted(set(found) ^ set(shapes)):
            got = f"{odd[0]!r} missing or too many"
            raise FileError(what, "hold the arrays of its configuration", got, verbatim=True)
        for name, shape in shapes.items():
            entry = found[name] if isinstance(found[name], dict) else {}
            if entry.get("shape") != list(shape) or entry.get("dtype") not in ("F16", "F32"):
                raise FileError(f"{name} of {what}", f"be {shape} in float16", entry.get("shape"))


def write_tensors(path: str | os.PathLike[str], kind: Kind, document: Mapping[str, Any], arrays: Arrays) -> Path:
    """Write a file, whole or not at all."""
    from safetensors.numpy import save

    full = {"format": kind.format, "version": kind.version, **document}
    stored = {name: _halved(name, value) for name, value in sorted(arrays.items())}
    return write_bytes(path, save(stored, {_KEY: json.dumps(full, ensure_ascii=False)}))


def arrays_hash(arrays: Arrays) -> str:
    """32 hex digits over names, shapes and numbers in float16: the same before arrays are written and after."""
    found = hashlib.blake2b(digest_size=16)
    for name, value in sorted(arrays.items()):
        found.update(f"{name} {value.shape} ".encode() + _halved(name, value).tobytes())
    return found.hexdigest()


def _halved(name: str, value: NDArray[np.floating]) -> NDArray[np.float16]:
    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(value, np.float16)
    if not np.isfinite(half).all():
        raise InputError(f"{name} of a model", "hold numbers that float16 can hold", float(np.abs(value).max()))
    return half


def _header(data: bytes, what: str) -> dict[str, Any]:
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= size <= min(_HEADER, len(data) - 8):
        raise FileError(what, "be a safetensors file", "something else, or a part of one", verbatim=True)
    header = json_from_bytes(data[8 : 8 + size], what)
    if not isinstance(header, dict):
        raise FileError(what, "be a safetensors file", "something else", verbatim=True)
    return header
