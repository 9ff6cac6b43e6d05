"""The single measures, by hand. What holds for all of them is in test_profile."""

from __future__ import annotations

import numpy as np
import pytest

from pixelreef.metrics import drawing
from pixelreef.metrics.tally import Tally

HUES = np.array([[[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 0, 255]]], np.uint8)


def tally(rows: list[list[int]], colours: int = 4) -> Tally:
    return Tally(np.array([rows], np.uint8), HUES, np.array([colours]))


def test_a_stray_cell_lowers_validity_and_raises_no_efficiency() -> None:
    stray = tally([[0, 1], [200, 9]])
    assert drawing.palette_validity(stray) == 0.5
    assert drawing.colour_efficiency(stray) == 2 / 4


def test_a_colour_written_twice_counts_once() -> None:
    twice = np.array([[[0, 0, 0], [1, 1, 1], [255, 255, 255], [254, 255, 253]]], np.uint8)
    cells = np.array([[[0, 1, 2, 3]]], np.uint8)
    both = Tally(cells, twice, np.array([4]))
    assert drawing.colour_efficiency(both) == 2 / 4
    assert drawing.entropy(both) == pytest.approx(np.log(2) / np.log(4))
    assert drawing.edge_density(both) == pytest.approx(1 / 3)


def test_close_through_another_is_one_colour_in_any_order() -> None:
    greys = [[100, 100, 100], [104, 104, 104], [108, 108, 108]]
    for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 0, 1]):
        rgb = np.array([[greys[index] for index in order]], np.uint8)
        one = Tally(np.array([[[0, 1, 2]]], np.uint8), rgb, np.array([3]))
        assert drawing.colour_efficiency(one) == 1 / 3, order


def test_the_background_is_found_at_the_border() -> None:
    ring = tally([[2, 2, 2, 2], [2, 0, 0, 2], [2, 0, 0, 2], [2, 2, 2, 2]])
    assert ring.background.tolist() == [2]
    assert drawing.fill_balance(ring) == pytest.approx(1 - abs(2 * 4 / 16 - 1))


def test_blank_is_not_balanced_and_has_no_entropy() -> None:
    for value in (0, 3):
        blank = tally([[value] * 4] * 4)
        assert drawing.fill_balance(blank) == 0
        assert drawing.entropy(blank) == 0
        assert drawing.edge_density(blank) == 0
        assert drawing.row_coherence(blank) == drawing.column_coherence(blank) == 0


def test_a_palette_of_one_colour_is_defined() -> None:
    one = Tally(np.zeros((1, 3, 3), np.uint8), HUES[:, :1], np.array([1]))
    assert drawing.entropy(one) == 0
    assert drawing.colour_efficiency(one) == 1
    strays = Tally(np.array([[[0, 1], [0, 1]]], np.uint8), HUES[:, :1], np.array([1]))
    assert drawing.entropy(strays) == 1  # ln 2 over ln 2, not 1e9


def test_edges_of_the_last_row_and_column_count() -> None:
    # Sideways 0-0 | 0-1, down 0-0 | 0-1: two of four. The published formula sees the first of each only, and no edge.
    assert drawing.edge_density(tally([[0, 0], [0, 1]])) == 0.5


def test_rows_against_columns() -> None:
    stripes = tally([[y % 4] * 24 for y in range(24)])
    assert drawing.row_agreement(stripes) == 1
    assert drawing.column_agreement(stripes) == 0
    assert drawing.row_coherence(stripes) > 0.9
    noise = np.random.default_rng(1).integers(0, 4, (1, 24, 24), dtype=np.uint8)
    assert drawing.row_coherence(Tally(noise, HUES, np.array([4]))) < 0.02


def test_one_cell() -> None:
    dot = tally([[1]])
    assert drawing.edge_density(dot) == 0
    assert drawing.row_agreement(dot) == drawing.column_agreement(dot) == 1
