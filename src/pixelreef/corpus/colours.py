"""From the pixels of a picture to palette indices, its own colours kept or mapped to a given palette.

What this changes is counted: pixels whose colour was moved, and half-transparent pixels made one or the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import MAX_COLOURS, Palette
from pixelreef.core.quantise import quantise
from pixelreef.core.sprite import palette_of_pixels
from pixelreef.errors import PaletteError

OPAQUE = 128  # alpha from which a pixel is seen, as in `quantise`


@dataclass(frozen=True)
class Coloured:
    """Indices of a palette, and what it took to get there."""

    cells: Cells
    palette: Palette
    snapped: int
    """Visible pixels whose colour was moved to the palette's nearest."""
    half_transparent: int
    """Pixels with an alpha between 0 and 255, made opaque from one half on and transparent below."""


def coloured(rgba: NDArray[np.uint8], palette: Palette | None = None, dither: bool = False) -> Coloured:
    """(H, W, 4) bytes → indices of `palette`, or of the picture's own colours, transparent first, when None is given.

    >>> made = coloured(np.array([[[9, 9, 9, 255], [9, 9, 9, 40]]], np.uint8))
    >>> made.cells.tolist(), made.palette.hex(), made.half_transparent
    ([[1, 0]], ['000000', '090909'], 1)
    """
    alpha = rgba[..., 3]
    half = int(((alpha > 0) & (alpha < 255)).sum())
    hard = np.where((alpha >= OPAQUE)[..., None], rgba | np.array([0, 0, 0, 255], np.uint8), np.uint8(0))
    if palette is None:
        own, cells = palette_of_pixels(hard)
        return Coloured(cells, own, 0, half)
    if palette.transparent is None and (alpha < OPAQUE).any():
        palette = with_transparent(palette)
    cells = quantise(hard, palette, dither)
    moved = (palette.rgb[cells] != hard[..., :3]).any(axis=-1) & (alpha >= OPAQUE)
    return Coloured(cells, palette, int(moved.sum()), half)


def with_transparent(palette: Palette) -> Palette:
    """The palette with a transparent entry: its own, or one more at the end."""
    if palette.transparent is not None:
        return palette
    if len(palette) == MAX_COLOURS:
        todo = "Give a palette with a transparent entry."
        raise PaletteError("palette", f"have fewer than {MAX_COLOURS} colours to add a transparent one", 256, todo)
    rgb = np.concatenate([palette.rgb, np.zeros((1, 3), np.uint8)])
    return Palette(rgb, len(palette), palette.name)
