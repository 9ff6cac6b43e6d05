"""Pieces of a noisy sheet, each around one cell and cut where the codec's units begin: each stands for itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.corpus.sheets.jpeg import SIDE, Codec
from pixelreef.corpus.sheets.scale import Scale

WINDOW = 4 * SIDE  # a cell can lie on four units; one more around them, since colour is smoothed over their borders
_INNER = slice(SIDE - 2, WINDOW - SIDE + 2)
Change = tuple[NDArray[np.bool_], NDArray[np.uint8]]
"""(n, WINDOW, WINDOW) the pixels of one cell in each window, and (n, 3) the colour it is tried in."""


@dataclass(frozen=True, eq=False)
class Windows:
    """One window for each of n cells."""

    made: Floats
    """(n, WINDOW, WINDOW, 3) the guess."""
    seen: Floats
    """What was read at the same places."""
    counted: NDArray[np.bool_]
    """(n, WINDOW, WINDOW) pixels of the picture that the cell can change."""
    places: tuple[NDArray[np.intp], NDArray[np.intp]]
    """(n, WINDOW) the sheet's rows and columns in each window; beyond the border too."""
    scale: Scale
    shape: tuple[int, int]
    codec: Codec

    def error(self, changes: Sequence[Change] = ()) -> Floats:
        """(n,) the squared error of each window, with the changes made."""
        tried = self.made
        for pixels, colours in changes:
            tried = np.where(pixels[..., None], colours[:, None, None, :], tried)
        passed = self.codec.passed(tried.reshape(-1, WINDOW, 3)).reshape(tried.shape)
        return np.asarray((((passed - self.seen) ** 2).sum(axis=-1) * self.counted).sum(axis=(1, 2)))

    def pixels_of(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """The pixels of one cell (row, column) in each window."""
        along = []
        for axis in (1, 0):  # rows, then columns; `Scale` counts x first
            starts, ends = _ends(self.scale, self.shape, axis)
            index = cells[:, 1 - axis]
            places = self.places[1 - axis]
            along.append((places >= starts[index][:, None]) & (places < ends[index][:, None]))
        return np.asarray(along[0][:, :, None] & along[1][:, None, :])

    def holds(self, cells: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(n,) whether all that a cell (row, column) can change is counted in its window."""
        inside = np.ones(len(cells), bool)
        for axis in (1, 0):
            starts, ends = _ends(self.scale, self.shape, axis)
            first = self.places[1 - axis][:, 0] + SIDE
            index = cells[:, 1 - axis]
            inside &= (starts[index] >= first) & (ends[index] <= first + 2 * SIDE)
        return inside


def windows_around(cells: NDArray[np.intp], made: Floats, seen: Floats, scale: Scale, codec: Codec) -> Windows:
    """Cut the window of each cell (n, 2) out of the enlarged guess and of what was read, both (H, W, 3)."""
    shape = (seen.shape[0], seen.shape[1])
    places, inside = [], []
    for axis in (1, 0):
        starts, _ = _ends(scale, shape, axis)
        pixels = (starts[cells[:, 1 - axis]] // SIDE * SIDE - SIDE)[:, None] + np.arange(WINDOW)
        within = (pixels >= 0) & (pixels < shape[1 - axis])
        within[:, : _INNER.start], within[:, _INNER.stop :] = False, False
        places.append(pixels)
        inside.append(within)
    rows = places[0].clip(0, shape[0] - 1)[:, :, None]
    columns = places[1].clip(0, shape[1] - 1)[:, None, :]
    counted = inside[0][:, :, None] & inside[1][:, None, :]
    return Windows(made[rows, columns], seen[rows, columns], counted, (places[0], places[1]), scale, shape, codec)


def _ends(scale: Scale, shape: tuple[int, int], axis: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    length = shape[1 - axis]
    starts = scale.starts(length, axis)
    return starts, np.concatenate([starts[1:], [length]])
