from __future__ import annotations

import math

import numpy as np
import pytest
from metrics.odd_grids import Row, odd_rows
from metrics.published_plain import plain_figures

from pixelreef.errors import GridError
from pixelreef.metrics.published import NAMES, published, published_batch, published_grids


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return odd_rows()


def close(ours: float, theirs: float | None) -> bool:
    if theirs is None:
        return math.isnan(ours)
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12)


def test_every_figure_equals_the_plain_transcription(rows: list[Row]) -> None:
    ours = published_grids(
        [row.grid for row in rows],
        [row.palette for row in rows],
        [row.json_valid for row in rows],
        [row.cost for row in rows],
    )
    assert tuple(ours) == NAMES
    for number, row in enumerate(rows):
        theirs = plain_figures(row.grid, row.palette, row.json_valid, row.cost)
        assert set(theirs) == set(NAMES)
        for name in NAMES:
            assert close(float(ours[name][number]), theirs[name]), (number, row.kind, name)


def test_the_rows_hold_what_the_public_data_holds(rows: list[Row]) -> None:
    figures = [published(row.grid, row.palette) for row in rows]
    assert len(rows) == 400
    assert max(len(row.grid) for row in rows) == 5779
    assert max(one["entropy"] for one in figures) > 1e8
    assert max(one["color_efficiency"] for one in figures) > 1
    assert sum(one["grid_valid"] == 0 for one in figures) > 5


def test_the_batch_equals_one_by_one(rows: list[Row]) -> None:
    square = [row for row in rows if row.kind in ("plain", "one colour", "outside", "below zero", "long palette")]
    together = published_batch(
        np.array([row.grid for row in square]),
        [row.palette for row in square],
        [row.json_valid for row in square],
        np.array([row.cost for row in square], dtype=np.float64),
    )
    for number, row in enumerate(square):
        single = published(row.grid, row.palette, json_valid=row.json_valid, cost=row.cost)
        np.testing.assert_allclose([together[name][number] for name in NAMES], list(single.values()), rtol=1e-12)


def test_by_hand() -> None:
    grid = [[0, 0, 1], [0, 2, 1], [0, 0, 0]]
    figures = published(grid, 4, cost=1.0)
    # Right: 0-0, 0-1 | 0-2, 2-1 → 3 of 4. Down: 0-0, 0-2 | 0-0, 2-0 → 2 of 4.
    assert figures["edge_density"] == 5 / 8
    assert figures["color_efficiency"] == 3 / 4
    assert figures["fill_balance"] == pytest.approx(1 - abs(3 / 9 - 0.5))
    assert figures["row_consistency"] == 1 - 3 / 6
    assert figures["lora_quality"] == pytest.approx(0.7 * 0.75 + 0.3 * 3 / 9)
    assert figures["grid_completeness"] == 9 / 576
    assert figures["overall"] == pytest.approx((1 + 0 + 0.3) / 3)
    assert figures["efficiency"] == pytest.approx(figures["quality_score"], abs=1e-8)


def test_the_known_defects_are_there() -> None:
    noise = np.random.default_rng(0).integers(0, 10, (1, 24, 24))
    assert published_batch(noise, 10)["pixel_art_quality"] == 1
    assert published_batch(noise, 1)["entropy"] > 1e9
    free, paid = published_batch(noise, 10, cost=0.0)["efficiency"], published_batch(noise, 10, cost=1.0)["efficiency"]
    assert free - paid == pytest.approx(-math.log(1e-9))


def test_no_grid_at_all() -> None:
    figures = published([], 3, json_valid=False)
    assert figures["overall"] == figures["grid_completeness"] == figures["grid_valid"] == 0
    assert all(math.isnan(figures[name]) for name in ("palette_valid", "entropy", "fill_balance", "row_consistency"))


def test_what_is_no_batch_is_refused() -> None:
    with pytest.raises(GridError, match="whole numbers"):
        published_batch(np.zeros((1, 2, 2)), 2)  # type: ignore[arg-type]
    with pytest.raises(GridError, match="equally many"):
        published_grids([[[0]]], [])
