from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from photographs import fish_mask, fish_photo
from PIL import Image

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.orphans import orphans
from pixelreef.core.palette import Palette
from pixelreef.corpus.photos.pixelise import dominant, lifted, pixelise, silhouette, two_parts
from pixelreef.corpus.photos.tidy import despeckled, fewer_colours
from pixelreef.metrics.craft import orphan_pixels
from pixelreef.metrics.tally import Tally

RED, BLUE = (200, 30, 30), (20, 40, 160)


def test_a_cell_takes_the_larger_colour_and_no_mixture() -> None:
    """Each cell of 10 × 10 pixels is 6 columns red, 4 columns blue; with lines off, the picture must be all red."""
    picture = np.tile(np.array([RED] * 6 + [BLUE] * 4, np.uint8), (80, 8, 1))
    sprite = pixelise(picture, np.ones((80, 80), bool), 8)
    assert {tuple(pixel) for pixel in sprite[..., :3].reshape(-1, 3)} <= {RED, BLUE}
    box = np.asarray(Image.fromarray(picture).resize((8, 8), Image.Resampling.BOX))
    assert tuple(box[0, 0]) not in (RED, BLUE)


def test_a_thin_dark_line_survives_where_averaging_loses_it() -> None:
    picture = np.full((320, 320, 3), 220, np.uint8)
    picture[:, 153:157] = 20  # 4 of the 10 pixels of a cell
    sprite = pixelise(picture, np.ones((320, 320), bool), 32)
    column = sprite[:, 15, :3].astype(int)
    assert (column < 60).all()
    assert (sprite[:, [10, 14, 16, 20], :3] > 200).all()
    box = np.asarray(Image.fromarray(picture).resize((32, 32), Image.Resampling.BOX))
    assert (box[:, 15] > 120).all()


def test_a_line_too_thin_to_be_drawn_is_left_out() -> None:
    picture = np.full((320, 320, 3), 220, np.uint8)
    picture[:, 154:156] = 20  # a fifth of a cell
    assert (pixelise(picture, np.ones((320, 320), bool), 32)[..., :3] > 200).all()


@pytest.mark.parametrize("size", [4, 16, 32, 33, 64, 200])
def test_the_sprite_is_centred_with_its_aspect_and_a_margin(size: int) -> None:
    sprite = pixelise(fish_photo(), fish_mask(), size)
    assert sprite.shape == (size, size, 4)
    assert set(np.unique(sprite[..., 3])) <= {0, 255}
    rows, columns = (np.flatnonzero((sprite[..., 3] > 0).any(axis=axis)) for axis in (1, 0))
    width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
    true_rows, true_columns = (np.flatnonzero(fish_mask().any(axis=axis)) for axis in (1, 0))
    off = abs(width / height - len(true_columns) / len(true_rows))
    assert off < (0.6 if size < 16 else 0.12)
    margin = columns[0], size - 1 - columns[-1]
    assert abs(margin[0] - margin[1]) <= 1
    assert size <= 4 or min(margin) >= max(1, round(size / 24)) - 1


def test_a_whole_picture_fills_the_sprite() -> None:
    assert (pixelise(fish_photo(), _middle(), 32)[..., 3] == 255).all()


def _middle() -> NDArray[np.bool_]:
    mask = np.zeros((240, 320), bool)
    mask[:, 40:280] = True
    return mask


def test_a_tiny_subject_is_enlarged_without_new_colours() -> None:
    picture = np.array([[RED, BLUE], [BLUE, RED]], np.uint8)
    sprite = pixelise(picture, np.ones((2, 2), bool), 8)
    assert sprite[0, 0, :3].tolist() == list(RED)
    assert sprite[0, 7, :3].tolist() == list(BLUE)


def test_the_silhouette_keeps_half_covered_cells_and_thin_parts() -> None:
    covered = np.zeros((40, 40), bool)  # 4 × 4 cells of 10 samples
    covered[0:20, 0:20] = True
    covered[20:30, 0:20] = np.arange(10)[:, None] < 4  # 40 % of two cells, part of something thick: left out
    covered[10:13, 20:40] = True  # a line of 3 of 10: kept
    covered[31:32, 20:40] = True  # a line of 1 of 10: left out
    expected = np.zeros((4, 4), bool)
    expected[0:2, 0:2] = True
    expected[1, 2:4] = True
    made = silhouette(covered, 10)
    np.testing.assert_array_equal(made, expected)


cells = arrays(np.float32, (2, 3, 9, 3), elements=st.floats(0, 1, width=32))


@given(cells, arrays(np.bool_, (2, 3, 9)))
def test_two_parts_are_a_partition(lab: NDArray[np.float32], covered: NDArray[np.bool_]) -> None:
    colours, shares = two_parts(lab, covered)
    seen = covered.any(axis=-1)
    np.testing.assert_allclose(shares.sum(axis=-1)[seen], 1, atol=1e-5)
    assert (shares[..., 0] >= shares[..., 1]).all()
    low, high = lab.min(axis=2), lab.max(axis=2)
    chosen = dominant(lab, covered)
    assert np.isfinite(colours).all()
    assert ((chosen >= low - 1e-4) & (chosen <= high + 1e-4))[seen].all()


def test_two_parts_of_two_colours_are_those_two() -> None:
    lab = np.array([[[[0.2, 0, 0]] * 3 + [[0.8, 0.1, 0]] * 6]], np.float32)
    colours, shares = two_parts(lab, np.ones((1, 1, 9), bool))
    np.testing.assert_allclose(colours[0, 0], [[0.8, 0.1, 0], [0.2, 0, 0]], atol=1e-6)
    np.testing.assert_allclose(shares[0, 0], [6 / 9, 3 / 9], atol=1e-6)


def test_lifting_widens_lightness_and_takes_off_part_of_the_cast() -> None:
    lab = oklab_from_rgb(fish_photo(noise=0), np.float32)
    dull = lab * np.float32(0.3) + np.array([0.35, -0.06, -0.04], np.float32)
    mask = fish_mask()
    made = lifted(dull, mask, dull.reshape(-1, 3), 1.0)
    assert np.ptp(made[mask][:, 0]) > 1.8 * np.ptp(dull[mask][:, 0])
    np.testing.assert_array_equal(lifted(dull, mask, dull.reshape(-1, 3), 0.0), dull)
    assert np.isfinite(lifted(np.zeros_like(lab), mask, np.zeros((4, 3), np.float32), 1.0)).all()


def test_the_same_photograph_gives_the_same_sprite() -> None:
    assert pixelise(fish_photo(), fish_mask(), 32).tobytes() == pixelise(fish_photo(), fish_mask(), 32).tobytes()


GRIDS = arrays(np.uint8, st.tuples(st.integers(1, 7), st.integers(1, 7)), elements=st.integers(0, 4))
SMALL = Palette.from_hex(["000000", "ff0000", "00ff00", "0000ff", "ffffff"], transparent=0)


@given(GRIDS)
def test_one_pass_leaves_no_orphan(grid: NDArray[np.uint8]) -> None:
    made, mended = despeckled(grid, SMALL)
    if grid.size > 1:
        assert not orphans(made).any()
    assert (made != grid).sum() == mended
    assert despeckled(made, SMALL)[1] == 0
    assert set(np.unique(made)) <= set(np.unique(grid))


@given(GRIDS)
def test_orphans_are_those_of_the_measure(grid: NDArray[np.uint8]) -> None:
    share = orphan_pixels(Tally(grid[None], SMALL.rgb[None], np.array([5])))[0]
    assert orphans(grid).mean() == pytest.approx(share)


def test_an_orphan_takes_the_nearest_colour_beside_it_and_a_lone_one_goes() -> None:
    palette = Palette.from_hex(["000000", "ff0000", "aa0000", "0000ff"], transparent=0)
    grid = np.array([[3, 3, 1, 1], [3, 2, 3, 1], [0, 0, 0, 0], [0, 0, 0, 2]], np.uint8)
    made, mended = despeckled(grid, palette)
    assert made[1, 1] == 1  # dark red is nearest to red
    assert made[3, 3] == 0
    assert mended == 2


def test_a_hole_of_one_pixel_is_filled() -> None:
    grid = np.full((3, 3), 2, np.uint8)
    grid[0] = 1
    grid[1, 1] = 0
    assert despeckled(grid, SMALL)[0][1, 1] == 2


@given(GRIDS, st.integers(1, 5))
def test_fewer_colours_are_few_and_were_there(grid: NDArray[np.uint8], most: int) -> None:
    made = fewer_colours(grid, SMALL, most)
    assert len(set(np.unique(made)) - {0}) <= most
    assert set(np.unique(made)) <= set(np.unique(grid))
    np.testing.assert_array_equal(made == 0, grid == 0)
    if len(set(np.unique(grid)) - {0}) <= most:
        np.testing.assert_array_equal(made, grid)


def test_a_rare_colour_far_from_all_outlasts_a_common_one_near_another() -> None:
    palette = Palette.from_hex(["ff0000", "e00000", "00ff00"])
    grid = np.array([[0] * 20 + [1] * 10 + [2] * 2], np.uint8)
    assert fewer_colours(grid, palette, 2)[0].tolist() == [0] * 30 + [2] * 2
