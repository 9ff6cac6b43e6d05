"""How large a model may be for a corpus: parameters in proportion to the pixels that teach something."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from pixelreef.sprites.config import Config
from pixelreef.sprites.weights import shapes

# Of 400 sprites of 16×16 about half of the pixels are seen, 50,000: with 6 each, 300,000, a model of width 64.
PER_PIXEL = 6
_STEPS = (  # trunk width, its layers, heads, pixel width, hidden width
    (192, 5, 6, 192, 384),
    (160, 4, 5, 160, 320),
    (128, 4, 4, 128, 256),
    (96, 3, 3, 96, 192),
    (64, 3, 2, 64, 128),
    (48, 2, 2, 48, 96),
)


def parameters(config: Config) -> int:
    """Of a `reef` model of this configuration."""
    return sum(prod(shape) for shape in shapes(config).values())


def scaled_sizes(config: Config, seen: int) -> Config:
    """The largest of six sizes that has at most 6 parameters for each pixel seen, or the smallest."""
    sizes = [
        replace(config, trunk_width=wide, trunk_layers=deep, heads=heads, pixel_width=pixel, pixel_hidden=hidden)
        for wide, deep, heads, pixel, hidden in _STEPS
    ]
    return next((one for one in sizes if parameters(one) <= PER_PIXEL * seen), sizes[-1])
