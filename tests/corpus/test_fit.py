from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from pixelreef.core.grid import Cells
from pixelreef.corpus.fit import fitted, reduced, subject_box
from pixelreef.errors import GridError

grids = st.tuples(st.integers(1, 13), st.integers(1, 13)).flatmap(
    lambda shape: npst.arrays(np.uint8, shape, elements=st.integers(0, 3))
)


def commonest(cells: Cells, factor: int, transparent: int | None) -> list[list[int]]:
    """Block by block with a plain count."""
    height, width = cells.shape

    def best(top: int, left: int) -> int:
        block = cells[top : top + factor, left : left + factor].reshape(-1).tolist()
        counts = Counter(block)
        return min(counts, key=lambda value: (-counts[value], value == transparent, value))

    return [[best(top, left) for left in range(0, width, factor)] for top in range(0, height, factor)]


@given(grids, st.integers(1, 5), st.none() | st.integers(0, 3))
def test_reduced_takes_the_commonest_of_each_block(cells: Cells, factor: int, transparent: int | None) -> None:
    assert reduced(cells, factor, transparent).tolist() == commonest(cells, factor, transparent)


def test_a_tie_goes_to_what_is_seen_then_to_the_lower_index() -> None:
    assert reduced(np.array([[0, 5]], np.uint8), 2, 0).tolist() == [[5]]
    assert reduced(np.array([[7, 5]], np.uint8), 2, 0).tolist() == [[5]]
    assert reduced(np.array([[9, 2]], np.uint8), 2, 2).tolist() == [[9]]


def test_the_subject_is_the_smallest_box_around_what_is_seen() -> None:
    cells = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 2, 0]], np.uint8)
    assert subject_box(cells, 0) == (slice(1, 3), slice(1, 3))
    assert subject_box(cells, None) == (slice(0, 3), slice(0, 4))
    assert subject_box(np.zeros((2, 3), np.uint8), 0) == (slice(0, 2), slice(0, 3))


def test_the_right_size_stays_as_it_is() -> None:
    cells = np.array([[0, 0], [0, 7]], np.uint8)
    assert fitted(cells, (2, 2), 0) is cells


def test_smaller_ones_are_centred_and_larger_ones_reduced() -> None:
    corner = np.zeros((6, 6), np.uint8)
    corner[4:, 4:] = 3
    assert fitted(corner, (4, 4), 0).tolist() == [[0, 0, 0, 0], [0, 3, 3, 0], [0, 3, 3, 0], [0, 0, 0, 0]]
    large = np.full((8, 4), 2, np.uint8)
    assert fitted(large, (4, 4), 9).tolist() == [[9, 2, 2, 9]] * 4


@given(grids, st.integers(1, 9), st.integers(1, 9))
def test_nothing_is_invented_and_the_size_is_right(cells: Cells, width: int, height: int) -> None:
    made = fitted(cells, (width, height), 0)
    assert made.shape == (height, width)
    assert set(np.unique(made)) <= {0, *np.unique(cells)}
    assert (made != 0).any() or not (cells != 0).any() or 0 in cells


def test_frames_with_one_box_keep_their_places() -> None:
    """A dot that moves two to the right within a box of four."""
    frames = np.zeros((2, 5, 9), np.uint8)
    frames[0, 2, 3], frames[1, 2, 5] = 1, 1
    box = (slice(2, 3), slice(3, 7))
    made = [fitted(frame, (4, 4), 0, box) for frame in frames]
    assert [np.argwhere(frame).tolist() for frame in made] == [[[1, 0]], [[1, 2]]]


def test_what_is_opaque_can_only_fill() -> None:
    opaque = np.ones((8, 8), np.uint8)
    assert fitted(opaque, (4, 4), None).tolist() == [[1] * 4] * 4
    with pytest.raises(GridError, match="fill 9 × 9 when nothing is transparent"):
        fitted(opaque, (9, 9), None)
