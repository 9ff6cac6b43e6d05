"""The sheet with its cut drawn on it, so that one look tells whether it is right."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.render import enlarged, png_from_rgba
from pixelreef.corpus.sheets.background import visible
from pixelreef.corpus.sheets.cut import Place

_SIDE = 1600  # pixels of the preview's longer side that are aimed at
_MAX_SCALE = 8
_TAKEN, _DROPPED = (255, 40, 90), (70, 110, 140)
_PAPER = ((44, 52, 62), (56, 66, 78))  # the two shades of what is transparent, in squares


def preview_png(rgba: NDArray[np.uint8], places: Sequence[Place], taken: Collection[str]) -> bytes:
    """A restored sheet with a frame around each place: strong where a sprite was taken, faint where none was.

    Frames stand on the outermost pixels of a cell at the preview's scale, at least ×3, so a cell's own pixels show.
    """
    scale = int(np.clip(_SIDE // max(rgba.shape[:2]), 3 if max(rgba.shape[:2]) < _SIDE else 1, _MAX_SCALE))
    big = enlarged(rgba, scale)
    squares = (np.arange(big.shape[0])[:, None] // (4 * scale) + np.arange(big.shape[1])[None] // (4 * scale)) % 2
    paper = np.array(_PAPER, np.uint8)[squares]
    sheet = np.where(visible(big)[..., None], big[..., :3], paper)
    for place in sorted(places, key=lambda one: one.name in taken):
        _frame(sheet, place, scale, _TAKEN if place.name in taken else _DROPPED)
    return png_from_rgba(np.ascontiguousarray(sheet))


def _frame(sheet: NDArray[np.uint8], place: Place, scale: int, colour: tuple[int, int, int]) -> None:
    top, left = max(0, place.y * scale), max(0, place.x * scale)
    bottom = min(sheet.shape[0], (place.y + place.height) * scale) - 1
    right = min(sheet.shape[1], (place.x + place.width) * scale) - 1
    if bottom < 0 or right < 0:
        return
    sheet[top : bottom + 1, [left, right]] = colour
    sheet[[top, bottom], left : right + 1] = colour
