"""A file of weights: safetensors, stored in float16, with all that is needed to draw in its metadata.

    weights = weights_from("run")          # a file, a folder of a training run, or None for the shipped ones
    weights.config, weights.palette, weights.arrays["out.weight"]

A file is untrusted: its size is bounded before it is read, and `tensors` checks what is in it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from pixelreef.core.files import read_bytes
from pixelreef.core.palette import Palette
from pixelreef.errors import FileError, InputError
from pixelreef.sprites.config import NEAR, WHOLE, Config, Sizes, config_from_document
from pixelreef.sprites.tensors import Arrays, Kind, arrays_hash, write_tensors

KIND = Kind("pixelreef-sprites", 1, "weights of a sprite model")
MAX_BYTES = 48 * 2**20
NAME = "weights.safetensors"  # in the folder of a training run


@dataclass(frozen=True, eq=False)
class Weights:
    """A model as it is kept."""

    config: Config
    palette: Palette
    arrays: Arrays
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Where it comes from: corpus hash, recipe, minutes, verdicts by cell."""

    @cached_property
    def hash(self) -> str:
        """Over the arrays as they are kept, not over what is known of them."""
        return arrays_hash(self.arrays)


def hash_of_file(path: str | os.PathLike[str]) -> str:
    """Of the arrays in a file, whichever shape the model has."""
    return KIND.opened(read_bytes(path, MAX_BYTES), f"weights {os.fspath(path)!r}").hash()


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
    document = {
        "config": weights.config.document(),
        "palette": {"colours": weights.palette.hex(), "transparent": weights.palette.transparent},
        "facts": dict(weights.facts),
    }
    return write_tensors(path, KIND, document, weights.arrays)


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
        kept = KIND.opened(data, what)
        config = config_from_document(kept.document.get("config"))
        palette = _palette(kept.document.get("palette"))
    except FileError:
        raise
    except InputError as error:
        raise FileError(what, "hold a sound configuration", f"this: {error}", verbatim=True) from None
    if len(palette) != config.colours:
        raise FileError(what, f"have a palette of {config.colours} colours", len(palette))
    facts = kept.document.get("facts")
    return Weights(config, palette, kept.arrays(shapes(config)), facts if isinstance(facts, dict) else {})


def _palette(found: Any) -> Palette:
    colours = found.get("colours") if isinstance(found, dict) else None
    transparent = found.get("transparent") if isinstance(found, dict) else None
    sound = isinstance(colours, list) and all(isinstance(colour, str) for colour in colours)
    if not sound or colours is None or not (transparent is None or type(transparent) is int):
        raise InputError("palette of a model", "be a list of colours and a transparent index", found)
    return Palette.from_hex(colours, transparent)


def _block(name: str, wide: int, hidden: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.norm.gain": (wide,), f"{name}.up.weight": (hidden, wide), f"{name}.down.weight": (wide, hidden)}
