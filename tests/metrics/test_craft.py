"""Craft, by hand and against slow, plain counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from scipy.ndimage import label

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.metrics import craft
from pixelreef.metrics.tally import Cells, Tally

HUES = np.array([[[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 0, 255]]], np.uint8)
SMALL = st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(
    lambda size: npst.arrays(np.uint8, (1, *size), elements=st.integers(0, 3))
)


def tally(cells: Cells) -> Tally:
    return Tally(cells, np.repeat(HUES, len(cells), axis=0), np.full(len(cells), 4))


def picture(*rows: str) -> Tally:
    return tally(np.array([[[int(cell) for cell in row] for row in rows]], np.uint8))


@settings(max_examples=60)
@given(SMALL, st.booleans())
def test_orphans_are_components_of_one_cell(cells: Cells, diagonals: bool) -> None:
    single = 0
    for colour in range(4):
        labels, count = label(cells[0] == colour, np.ones((3, 3)) if diagonals else None)
        single += int((np.bincount(labels.ravel(), minlength=count + 1)[1:] == 1).sum())
    found = (craft.orphan_pixels if diagonals else craft.orphan_pixels_4)(tally(cells))
    assert found[0] * cells.size == pytest.approx(single)


def test_a_diagonal_line_has_orphans_of_one_kind_only() -> None:
    line = picture("1000", "0100", "0010", "0001")
    assert craft.orphan_pixels(line) == 0
    assert craft.orphan_pixels_4(line) == 4 / 16


def stairs(*steps: int) -> Tally:
    """A staircase down to the right whose treads have these lengths."""
    width = sum(steps)
    edge = np.repeat(np.arange(len(steps)), steps)
    height = len(steps) + 4
    return tally((np.arange(height)[:, None] > edge + 1).astype(np.uint8)[None].reshape(1, height, width))


@pytest.mark.parametrize("steps", [(3, 3, 3), (1, 1, 2, 3), (2, 3, 2, 3), (5, 3, 2, 1, 1)])
def test_an_even_staircase_is_smooth(steps: tuple[int, ...]) -> None:
    assert craft.jaggies(stairs(*steps)) == 0


@pytest.mark.parametrize("steps", [(3, 1, 3), (2, 4, 2), (1, 1, 3, 1, 1)])
def test_an_uneven_step_is_a_jaggy(steps: tuple[int, ...]) -> None:
    # Treads, and the risers between them: all of length 1, and level with one another.
    parts = len(steps) + len(steps) - 1
    assert craft.jaggies(stairs(*steps))[0] == pytest.approx(1 / parts)


def test_a_tooth_is_a_jaggy_and_a_wall_end_is_not() -> None:
    tooth = picture("0000000", "0001000", "1111111", "1111111")
    # Level parts: 3 and 3 beside the tooth, 1 on it. Upright: its two sides.
    assert craft.jaggies(tooth)[0] == pytest.approx(1 / 5)
    wall = picture("0000000", "0001000", "0001000", "1111111")
    assert craft.jaggies(wall) == 0


def test_near_duplicates_are_pairs_of_used_colours() -> None:
    rgb = np.array([[[0, 0, 0], [250, 0, 0], [252, 0, 0], [0, 0, 255], [0, 1, 255]]], np.uint8)
    three_used = Tally(np.array([[[0, 1, 2]]], np.uint8), rgb, np.array([5]))
    assert craft.near_duplicate_colours(three_used) == 1 / 3
    one_used = Tally(np.zeros((1, 2, 2), np.uint8), rgb, np.array([5]))
    assert craft.near_duplicate_colours(one_used) == 0


def test_silhouette_is_the_contrast_at_the_border() -> None:
    rgb = np.array([[[128, 128, 128], [140, 140, 140], [255, 255, 255]]], np.uint8)
    apart = np.linalg.norm(np.diff(oklab_from_rgb(rgb[0, :2]), axis=0))
    dim = Tally(np.pad(np.ones((1, 2, 2), np.uint8), ((0, 0), (2, 2), (2, 2))), rgb, np.array([3]))
    assert craft.silhouette(dim)[0] == pytest.approx(apart / craft.CLEAR, abs=1e-4)
    clear = Tally(np.pad(np.full((1, 2, 2), 2, np.uint8), ((0, 0), (2, 2), (2, 2))), rgb, np.array([3]))
    assert craft.silhouette(clear) == 1
    assert craft.silhouette(Tally(np.zeros((1, 4, 4), np.uint8), rgb, np.array([3]))) == 0


def test_noise_is_full_for_noise_and_none_for_one_colour() -> None:
    random = np.random.default_rng(0).integers(0, 4, (20, 24, 24), dtype=np.uint8)
    assert craft.noise(tally(random)).min() > 0.97
    assert craft.noise(tally(np.ones((1, 24, 24), np.uint8))) == 0
    halves = np.repeat(np.repeat(np.array([[[0, 1], [2, 3]]], np.uint8), 12, axis=1), 12, axis=2)
    assert craft.noise(tally(halves)) < 0.2
