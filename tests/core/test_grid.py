from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core import Grid, batch_from_grids, grids_from_batch
from pixelreef.errors import GridError


def test_a_grid_is_equal_and_hashed_by_its_cells_and_shape() -> None:
    a, b = Grid.from_rows([[0, 1], [2, 3]]), Grid(np.array([[0, 1], [2, 3]], np.int64))
    assert a == b
    assert hash(a) == hash(b)
    assert a != Grid.from_rows([[0, 1, 2, 3]])
    assert len({a, b, Grid.from_rows([[0, 1, 2, 3]])}) == 2


def test_a_grid_can_not_be_changed_through_its_cells_or_its_source() -> None:
    source = np.zeros((2, 3), np.uint8)
    grid = Grid(source)
    source[0, 0] = 9
    assert grid.cells[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        grid.cells[0, 0] = 1


def test_size_is_width_then_height() -> None:
    assert Grid(np.zeros((2, 3), np.uint8)).size == (3, 2)


def test_batches_round_trip_and_share_memory() -> None:
    batch = np.random.default_rng(0).integers(0, 9, (50, 4, 5), dtype=np.uint8)
    grids = grids_from_batch(batch)
    assert np.array_equal(batch_from_grids(grids), batch)
    assert grids[0].cells.base is grids[1].cells.base
    assert batch_from_grids([]).shape == (0, 0, 0)


@pytest.mark.parametrize(
    "cells",
    [
        np.zeros((0, 3)),
        np.zeros(3),
        np.zeros((1, 1, 1)),
        np.full((1, 1), 256),
        np.full((1, 1), -1),
        np.ones((1, 1)) / 2,
    ],
)
def test_what_is_no_grid_is_refused(cells: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    with pytest.raises(GridError, match="must"):
        Grid(cells)


def test_ragged_rows_and_mixed_sizes_are_refused() -> None:
    with pytest.raises(GridError, match="one length"):
        Grid.from_rows([[0, 1], [0]])
    with pytest.raises(GridError, match="one size"):
        batch_from_grids([Grid.from_rows([[0]]), Grid.from_rows([[0, 1]])])
    with pytest.raises(GridError, match="uint8"):
        grids_from_batch(np.zeros((1, 2, 2), np.int64))
