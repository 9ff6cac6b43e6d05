"""A drawing: what a model's reply holds once it is read, a grid of palette indices and the palette.

Every drawing is 24×24 with 2 to 10 colours, opaque, and every cell is an index of its palette: the reader (`reply`)
makes no other. Many drawings at once are a `Batch`, the form in which metrics are computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import Sprite

SIDE = 24
MIN_COLOURS, MAX_COLOURS = 2, 10


@dataclass(frozen=True)
class Drawing:
    """A 24×24 grid whose every cell is an index of the palette of 2 to 10 colours."""

    grid: Grid
    palette: Palette

    @property
    def cells(self) -> NDArray[np.uint8]:
        """(24, 24), read-only."""
        return self.grid.cells

    def sprite(self, name: str = "") -> Sprite:
        """The drawing as a sprite."""
        return Sprite.still(self.grid, self.palette, name)


@dataclass(frozen=True, eq=False)
class Batch:
    """N drawings as arrays."""

    cells: NDArray[np.uint8]
    """(N, 24, 24) palette indices."""
    rgb: NDArray[np.uint8]
    """(N, 10, 3) palette colours; rows at and past `colours` are 0 and mean nothing."""
    colours: NDArray[np.intp]
    """(N,) palette lengths, 2 to 10."""

    def __len__(self) -> int:
        return len(self.cells)


def batch_from_drawings(drawings: Sequence[Drawing]) -> Batch:
    """Drawings → arrays."""
    cells = np.stack([drawing.cells for drawing in drawings]) if drawings else np.zeros((0, SIDE, SIDE), np.uint8)
    rgb = np.zeros((len(drawings), MAX_COLOURS, 3), np.uint8)
    for row, drawing in zip(rgb, drawings, strict=True):
        row[: len(drawing.palette)] = drawing.palette.rgb
    return Batch(cells, rgb, np.array([len(drawing.palette) for drawing in drawings], np.intp))
