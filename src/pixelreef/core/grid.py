"""A grid of small integers: the one shape that drawings, sprites and masks share.

A `Grid` knows nothing of colours or classes. Many grids of one size are a plain array (N, H, W) of uint8, a *batch*:
that is what the metrics take, and `grids_from_batch` / `batch_from_grids` go between the two without copying cells
one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import GridError

Cells = NDArray[np.uint8]


class Grid:
    """An immutable, hashable (height, width) array of uint8.

    >>> Grid.from_rows([[0, 1], [1, 0]]).cells.tolist()
    [[0, 1], [1, 0]]
    """

    __slots__ = ("_cells", "_hash")

    def __init__(self, cells: NDArray[Any]) -> None:
        array = np.asarray(cells)
        if array.ndim != 2 or 0 in array.shape:
            raise GridError("grid", "have two dimensions, each at least 1", array.shape)
        if array.dtype != np.uint8:
            array = _uint8_from_integers(array)
        self._cells = _frozen(array)
        self._hash: int | None = None

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]]) -> Grid:
        """From nested sequences of whole numbers 0–255, all rows of one length."""
        if len({len(row) for row in rows}) > 1:
            raise GridError("grid rows", "all have one length", sorted({len(row) for row in rows}))
        return cls(np.array(rows))

    @property
    def cells(self) -> Cells:
        """The (height, width) array itself, read-only."""
        return self._cells

    @property
    def height(self) -> int:
        return int(self._cells.shape[0])

    @property
    def width(self) -> int:
        return int(self._cells.shape[1])

    @property
    def size(self) -> tuple[int, int]:
        """(width, height), the order in which people say it."""
        return self.width, self.height

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and np.array_equal(self._cells, other._cells)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self._cells.shape, self._cells.tobytes()))
        return self._hash

    def __repr__(self) -> str:
        return f"Grid({self.width}×{self.height}, {len(np.unique(self._cells))} values)"


def batch_from_grids(grids: Iterable[Grid]) -> Cells:
    """Grids of one size → (N, H, W)."""
    arrays = [grid.cells for grid in grids]
    if len({array.shape for array in arrays}) > 1:
        raise GridError("grids of a batch", "all have one size", sorted({array.shape for array in arrays})[:3])
    return np.stack(arrays) if arrays else np.zeros((0, 0, 0), np.uint8)


def grids_from_batch(batch: NDArray[np.uint8]) -> list[Grid]:
    """(N, H, W) → N grids that share the batch's memory (copied once, as a whole, if it is writable)."""
    if batch.ndim != 3 or batch.dtype != np.uint8:
        raise GridError("batch", "be a (N, H, W) array of uint8", (batch.shape, str(batch.dtype)))
    frozen = _frozen(batch)
    return [Grid(cells) for cells in frozen]


def _frozen(array: NDArray[np.uint8]) -> Cells:
    if array.flags.writeable or not array.flags.c_contiguous:
        array = np.array(array, order="C")
        array.flags.writeable = False
    return array


def _uint8_from_integers(array: NDArray[Any]) -> NDArray[np.uint8]:
    if array.dtype.kind not in "iub":
        raise GridError("grid cells", "be whole numbers", str(array.dtype))
    if array.min() < 0 or array.max() > 255:
        raise GridError("grid cells", "be from 0 to 255", [int(array.min()), int(array.max())])
    return array.astype(np.uint8)
