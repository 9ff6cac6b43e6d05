"""A file of weights: safetensors, stored in float16, with all that is needed to draw in its metadata.

    weights = weights_from("run")          # a file, a folder of a training run, or None for the shipped ones
    weights.config, weights.palette, weights.arrays["out.weight"]

A file is untrusted: its size is bounded before it is read, its header is checked against the shapes that the
configuration asks for before any number is looked at, and every number must be finite. Nothing in it is evaluated.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes, write_bytes
from pixelreef.core.palette import Palette
from pixelreef.core.strict_json import json_from_bytes, json_from_text
from pixelreef.errors import FileError, InputError
from pixelreef.sprites.config import NEAR, WHOLE, Config, Sizes, config_from_document

FORMAT, VERSION = "pixelreef-sprites", 1
MAX_BYTES = 48 * 2**20
MAX_PARAMETERS = 20_000_000
NAME = "weights.safetensors"  # in the folder of a training run
_KEY = "pixelreef"
_HEADER = 2**20  # bytes of names, shapes and metadata

Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True, eq=False)
class Weights:
    """A model as it is kept."""

    config: Config
    palette: Palette
    arrays: Arrays
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: corpus hash, recipe, minutes, verdicts by cell."""


def shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Every array of a `reef` model by the name that torch has for it, and its shape."""
    found: dict[str, tuple[int, ...]] = {"kind.weight": (3, config.shape_width), "kind.bias": (3,)}
    for name, sizes in config.painters.items():
        found |= {f"{name}.{of}": shape for of, shape in _painter(config, sizes).items()}
    return found


def _painter(config: Config, sizes: Sizes) -> dict[str, tuple[int, ...]]:
    wide, inner, units = sizes.wide, sizes.inner, config.pixels // sizes.unit
    squares = config.height * config.width // config.coarse**2
    found: dict[str, tuple[int, ...]] = {
        "colour": (config.codes, sizes.colour),
        "patch.weight": (wide, config.pixels * sizes.colour),
        "row": (config.rows, wide),
        "column": (config.columns, wide),
        "next_row": (config.rows, wide),
        "next_column": (config.columns, wide),
        "begin": (1, wide),
        "near_colour": (config.codes, NEAR),
        "near.weight": (wide, 9 * config.pixels * NEAR),
        "whole_colour": (config.codes, WHOLE),
        "whole.weight": (wide, squares * WHOLE),
        "norm.gain": (wide,),
        "state.weight": (inner, wide),
        "place": (units, inner),
        "gain": (units, inner),
        "window.weight": (inner, sizes.span[0] * sizes.span[1] * sizes.colour),
        "inner_norm.gain": (inner,),
        "out.weight": (sizes.classes, inner),
        "out.bias": (sizes.classes,),
    }
    if config.ramps is not None:
        found["ramp"] = (1 + max(ramp for ramp, _ in config.ramps), sizes.colour)
        found["step"] = (1 + max(step for _, step in config.ramps), sizes.colour)
    for place, values in enumerate(config.factors.values()):
        found[f"factors.{place}"] = (len(values) + 1, wide)
    for place in range(sizes.layers):
        name = f"layers.{place}"
        found |= {f"{name}.norm.gain": (wide,), f"{name}.qkv.weight": (3 * wide, wide)}
        found |= {f"{name}.mixed.weight": (wide, wide), **_block(f"{name}.block", wide, 4 * wide)}
    for place in range(sizes.inner_layers):
        found |= _block(f"blocks.{place}", inner, sizes.hidden)
    return found


def write_weights(path: str | os.PathLike[str], weights: Weights) -> Path:
    """Write a file of weights, whole or not at all."""
    from safetensors.numpy import save

    document = {
        "format": FORMAT,
        "version": VERSION,
        "config": weights.config.document(),
        "palette": {"colours": weights.palette.hex(), "transparent": weights.palette.transparent},
        "facts": dict(weights.facts),
    }
    stored = {name: _halved(name, value) for name, value in sorted(weights.arrays.items())}
    return write_bytes(path, save(stored, {_KEY: json.dumps(document, ensure_ascii=False, sort_keys=True)}))


def weights_from(path: str | os.PathLike[str] | None) -> Weights:
    """From a file, from the folder of a training run, or the shipped ones."""
    if path is None:
        return shipped_weights()
    place = Path(path)
    return read_weights(place / NAME if place.is_dir() else place)


def shipped_weights() -> Weights:
    """The model that comes with the package."""
    file = files("pixelreef.sprites").joinpath("weights", "reef.safetensors")
    if not file.is_file():
        todo = "Train some with: pixelreef sprites train CORPUS --out RUN, and name them with --weights RUN"
        raise FileError("shipped weights", "be part of this installation", "none", todo, verbatim=True)
    return weights_from_bytes(file.read_bytes(), "shipped weights")


def read_weights(path: str | os.PathLike[str]) -> Weights:
    """Read and check a file of weights."""
    return weights_from_bytes(read_bytes(path, MAX_BYTES), f"weights {os.fspath(path)!r}")


def weights_from_bytes(data: bytes, what: str = "weights") -> Weights:
    """Read and check weights; `what` names them in errors."""
    try:
        header = _header(data, what)
        document = _document(header, what)
        config = config_from_document(document.get("config"))
        palette = _palette(document.get("palette"))
    except FileError:
        raise
    except InputError as error:
        raise FileError(what, "hold a sound configuration", f"this: {error}", verbatim=True) from None
    if len(palette) != config.colours:
        raise FileError(what, f"have a palette of {config.colours} colours", len(palette))
    _check(header, config, what)
    facts = document.get("facts")
    return Weights(config, palette, _arrays(data, what), facts if isinstance(facts, dict) else {})


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


def _document(header: Mapping[str, Any], what: str) -> dict[str, Any]:
    kept = header.get("__metadata__")
    text = kept.get(_KEY) if isinstance(kept, dict) else None
    document = json_from_text(text, what) if isinstance(text, str) else None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FileError(what, "be weights of a sprite model", "some other safetensors file", verbatim=True)
    if document.get("version") != VERSION:
        raise FileError(what, f"be of version {VERSION}", document.get("version"), "Another Pixelreef wrote it.")
    return document


def _check(header: Mapping[str, Any], config: Config, what: str) -> None:
    """Names, shapes and kind as the configuration has them."""
    wanted = shapes(config)
    if sum(int(np.prod(shape)) for shape in wanted.values()) > MAX_PARAMETERS:
        raise FileError(what, f"have at most {MAX_PARAMETERS:,} parameters", "more", verbatim=True)
    found = {name: one for name, one in header.items() if name != "__metadata__"}
    if odd := sorted(set(found) ^ set(wanted)):
        raise FileError(what, "hold the arrays of its configuration", f"{odd[0]!r} missing or too many", verbatim=True)
    for name, shape in wanted.items():
        entry = found[name] if isinstance(found[name], dict) else {}
        if entry.get("shape") != list(shape) or entry.get("dtype") not in ("F16", "F32"):
            raise FileError(f"{name} of {what}", f"be {shape} in float16", entry.get("shape"))


def _arrays(data: bytes, what: str) -> dict[str, NDArray[np.float32]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        stored = load(data)
    except (SafetensorError, ValueError) as error:
        raise FileError(what, "be a whole safetensors file", str(error).split("\n")[0]) from None
    arrays = {name: value.astype(np.float32) for name, value in stored.items()}
    for name, value in arrays.items():
        if not np.isfinite(value).all():
            raise FileError(f"{name} of {what}", "be finite numbers", "something else", verbatim=True)
    return arrays


def _palette(found: Any) -> Palette:
    colours = found.get("colours") if isinstance(found, dict) else None
    transparent = found.get("transparent") if isinstance(found, dict) else None
    sound = isinstance(colours, list) and all(isinstance(colour, str) for colour in colours)
    if not sound or colours is None or not (transparent is None or type(transparent) is int):
        raise InputError("palette of a model", "be a list of colours and a transparent index", found)
    return Palette.from_hex(colours, transparent)


def _block(name: str, wide: int, hidden: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.norm.gain": (wide,), f"{name}.up.weight": (hidden, wide), f"{name}.down.weight": (wide, hidden)}
