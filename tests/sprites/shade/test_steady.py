"""Maps of animations: what keeps its colour keeps its light, and the rest is as it was."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelreef.core import reef_palette
from pixelreef.sprites.shade.maps import maps_from_cells
from pixelreef.sprites.shade.steady import steadied

Bytes = NDArray[np.uint8]


def maps_of(cells: Bytes) -> tuple[Bytes, Bytes]:
    made = maps_from_cells(cells, reef_palette())
    normal, ramp = (np.stack(np.split(strip, len(cells), axis=1)) for strip in (made.normal, made.ramp))
    return normal, ramp


def test_the_mean_of_two_frames_by_hand() -> None:
    cells = np.array([[[5, 5, 0]], [[5, 6, 3]]], np.uint8)
    normal = np.zeros((2, 1, 3, 4), np.uint8)
    normal[:, 0, :, 3] = [[255, 255, 0], [255, 255, 255]]
    normal[:, 0, 0, :3] = [[255, 128, 128], [128, 255, 128]]  # to the right, and upwards
    normal[0, 0, 1, :3], normal[1, 0, 1, :3], normal[1, 0, 2, :3] = [1, 128, 128], [128, 1, 128], [128, 128, 255]
    ramp = np.zeros_like(normal)
    ramp[:, 0, 0] = [[2, 4, 128 + 10, 255], [2, 6, 128 + 21, 255]]
    ramp[:, 0, 1] = [[2, 4, 128, 255], [2, 5, 7, 255]]
    ramp[1, 0, 2] = [0, 2, 3, 255]
    turned, levelled = steadied(normal, ramp, cells)
    # (1, 1, 0) / √2 of 127 is 90; the mean of 10 and 21 is rounded to even.
    assert turned[:, 0, 0].tolist() == [[218, 218, 128, 255]] * 2
    assert levelled[:, 0, 0].tolist() == [[2, 5, 128 + 16, 255]] * 2
    assert np.array_equal(turned[:, :, 1:], normal[:, :, 1:])
    assert np.array_equal(levelled[:, :, 1:], ramp[:, :, 1:])


def test_what_faces_both_ways_faces_the_viewer() -> None:
    normal = np.array([[[[1, 128, 128, 255]]], [[[255, 128, 128, 255]]]], np.uint8)
    turned, _ = steadied(normal, np.zeros_like(normal), np.ones((2, 1, 1), np.uint8))
    assert turned[:, 0, 0].tolist() == [[128, 128, 255, 255]] * 2


@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_what_keeps_its_colour_keeps_its_maps(seed: int, frames: int) -> None:
    random = np.random.default_rng(seed)
    first = random.integers(0, 8, (9, 9), np.uint8)
    change = random.random((frames, 9, 9)) < 0.3
    cells = np.where(change, random.integers(0, 8, (frames, 9, 9)), first).astype(np.uint8)
    normal, ramp = maps_of(cells)
    turned, levelled = steadied(normal, ramp, cells)
    for one in range(frames):
        same = cells[one] == cells[0]
        assert (turned[one][same] == turned[0][same]).all()
        assert (levelled[one][same] == levelled[0][same]).all()
    assert np.array_equal(turned[..., 3], normal[..., 3])
    assert np.array_equal(levelled[..., [0, 3]], ramp[..., [0, 3]])
    assert not turned[cells == 0].any()
    length = np.sqrt(((turned[cells > 0][:, :3].astype(float) - 128) ** 2).sum(axis=1))
    assert (abs(length - 127) < 1.5).all()


def test_a_still_stays_as_it_is() -> None:
    cells = np.tile(np.arange(9, dtype=np.uint8) % 5, (1, 9, 1))
    normal, ramp = maps_of(cells)
    turned, levelled = steadied(normal, ramp, cells)
    assert abs(turned.astype(int) - normal).max() <= 1  # its length is rounded once more
    assert np.array_equal(levelled, ramp)
