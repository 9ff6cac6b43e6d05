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

OPAQUE = 128  # alpha from which a pixel is seen, as in `quantise`; less where the whole picture is fainter


@dataclass(frozen=True)
class Coloured:
    """Indices of a palette, and what it took to get there."""

    cells: Cells
    palette: Palette
    snapped: int
    """Visible pixels whose colour was moved to the palette's nearest."""
    half_transparent: int
    """Pixels with an alpha between 0 and 255, made opaque from one half on and transparent below.

    Where no pixel reaches one half, as in a cloud or a ghost, the strongest alpha takes the place of 255."""


def coloured(rgba: NDArray[np.uint8], palette: Palette | None = None, dither: bool = False) -> Coloured:
    """(…, H, W, 4) bytes → indices of `palette`; of the picture's own colours, transparent first, when None is given.

    >>> made = coloured(np.array([[[9, 9, 9, 255], [9, 9, 9, 40]]], np.uint8))
    >>> made.cells.tolist(), made.palette.hex(), made.half_transparent
    ([[1, 0]], ['000000', '090909'], 1)
    """
    alpha, half = rgba[..., 3], half_transparent(rgba)
    visible = alpha >= _threshold(int(alpha.max()))
    hard = np.where(visible[..., None], rgba | np.array([0, 0, 0, 255], np.uint8), np.uint8(0))
    if palette is None:
        own, cells = palette_of_pixels(hard)
        return Coloured(cells, own, 0, half)
    if palette.transparent is None and not visible.all():
        palette = with_transparent(palette)
    cells = quantise(hard, palette, dither)
    kept, exact = _exact(hard, palette)
    cells = np.where(kept, exact, cells)
    return Coloured(cells, palette, int((visible & ~kept).sum()), half)


def _threshold(strongest: int) -> int:
    return OPAQUE if strongest >= OPAQUE else strongest // 2 + 1


def half_transparent(rgba: NDArray[np.uint8]) -> int:
    """How many pixels of (…, 4) have an alpha between 0 and 255."""
    return int(((rgba[..., 3] > 0) & (rgba[..., 3] < 255)).sum())


def _exact(rgba: NDArray[np.uint8], palette: Palette) -> tuple[NDArray[np.bool_], Cells]:
    """Which visible pixels have a colour of the palette, and its index; of equal ones the first.

    The nearest colour is found in single precision, where two that differ in the last bit of blue are one.
    """
    if not len(palette.opaque):
        return np.zeros(rgba.shape[:-1], bool), np.zeros(rgba.shape[:-1], np.uint8)
    colours, first = np.unique(_packed(palette.rgb[palette.opaque]), return_index=True)
    wanted = _packed(rgba)
    place = np.minimum(np.searchsorted(colours, wanted), len(colours) - 1)
    return (colours[place] == wanted) & (rgba[..., 3] > 0), palette.opaque[first[place]].astype(np.uint8)


def _packed(rgb: NDArray[np.uint8]) -> NDArray[np.uint32]:
    wide = rgb.astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], np.uint32)


def with_transparent(palette: Palette) -> Palette:
    """The palette with a transparent entry: its own, or one more at the end."""
    if palette.transparent is not None:
        return palette
    if len(palette) == MAX_COLOURS:
        todo = "Give a palette with a transparent entry."
        raise PaletteError("palette", f"have fewer than {MAX_COLOURS} colours to add a transparent one", 256, todo)
    rgb = np.concatenate([palette.rgb, np.zeros((1, 3), np.uint8)])
    return Palette(rgb, len(palette), palette.name)
