"""How large a model may be for a corpus: parameters in proportion to the pixels that teach something."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from pixelreef.sprites.config import Config
from pixelreef.sprites.weights import shapes

# Of 400 sprites of 16×16 about half of the pixels are seen, 50,000: with 6 each, 300,000, a model of width 64.
PER_PIXEL = 6
_STEPS = (  # of colours: trunk width, layers, heads, pixel width, hidden; of shapes: width, layers, heads, row, hidden
    (192, 3, 6, 192, 384, 128, 3, 4, 96, 192),
    (160, 3, 5, 160, 320, 96, 3, 3, 64, 128),
    (128, 3, 4, 128, 256, 64, 3, 2, 64, 128),
    (96, 2, 3, 96, 192, 64, 2, 2, 48, 96),
    (64, 2, 2, 64, 128, 48, 2, 2, 32, 64),
    (48, 2, 2, 48, 96, 32, 2, 2, 32, 64),
)
_NAMES = (
    "trunk_width",
    "trunk_layers",
    "heads",
    "pixel_width",
    "pixel_hidden",
    "shape_width",
    "shape_layers",
    "shape_heads",
    "shape_row_width",
    "shape_row_hidden",
)


def parameters(config: Config) -> int:
    """Of a `reef` model of this configuration."""
    return sum(prod(shape) for shape in shapes(config).values())


def scaled_sizes(config: Config, seen: int) -> Config:
    """The largest of six sizes that has at most 6 parameters for each pixel seen, or the smallest."""
    every: list[dict[str, Any]] = [dict(zip(_NAMES, step, strict=True)) for step in _STEPS]
    sizes = [replace(config, **step) for step in every]
    return next((one for one in sizes if parameters(one) <= PER_PIXEL * seen), sizes[-1])
