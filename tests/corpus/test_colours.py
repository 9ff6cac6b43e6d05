from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray
from strategies import palettes

from pixelreef.core import Palette, oklab_from_rgb, reef_palette
from pixelreef.corpus.colours import coloured, with_transparent
from pixelreef.errors import PaletteError

Pixels = NDArray[np.uint8]


def row(*pixels: tuple[int, int, int, int]) -> Pixels:
    return np.array([pixels], np.uint8)


def test_own_colours_are_kept_in_reading_order() -> None:
    made = coloured(row((9, 8, 7, 255), (0, 0, 0, 0), (1, 2, 3, 255), (9, 8, 7, 255)))
    assert made.cells.tolist() == [[1, 0, 2, 1]]
    assert (made.palette.hex(), made.palette.transparent) == (["000000", "090807", "010203"], 0)
    assert (made.snapped, made.half_transparent) == (0, 0)


def test_half_transparent_pixels_are_one_or_the_other_and_counted() -> None:
    made = coloured(row((9, 9, 9, 255), (9, 9, 9, 128), (9, 9, 9, 127), (9, 9, 9, 1), (9, 9, 9, 0)))
    assert made.palette.rgba[made.cells][0, :, 3].tolist() == [255, 255, 0, 0, 0]
    assert made.half_transparent == 3


def test_a_picture_that_is_faint_all_over_does_not_vanish() -> None:
    """Its strongest alpha, 100, stands for 255: from 51 on, which is more than its half, it is seen."""
    made = coloured(row((9, 9, 9, 100), (9, 9, 9, 51), (9, 9, 9, 50), (9, 9, 9, 0)))
    assert made.palette.rgba[made.cells][0, :, 3].tolist() == [255, 255, 0, 0]
    nothing = coloured(row((9, 9, 9, 0)))
    assert nothing.palette.transparent is not None
    faintest = coloured(row((9, 9, 9, 1), (9, 9, 9, 0)))
    assert faintest.palette.rgba[faintest.cells][0, :, 3].tolist() == [255, 0]


def test_more_colours_than_a_palette_holds_are_refused() -> None:
    many = np.full((1, 257, 4), 255, np.uint8)
    many[0, :, 0], many[0, :, 1] = np.arange(257) % 256, np.arange(257) // 256
    with pytest.raises(PaletteError, match="at most 256 colours"):
        coloured(many)
    assert len(coloured(many[:, :256]).palette) == 256


def test_mapping_counts_the_pixels_it_moves() -> None:
    palette = Palette.from_hex(["000000", "ff0000", "ffffff"], 0)
    made = coloured(row((255, 0, 0, 255), (250, 3, 0, 255), (240, 240, 240, 255), (7, 7, 7, 0)), palette)
    assert made.cells.tolist() == [[1, 1, 2, 0]]
    assert made.snapped == 2
    assert made.palette is palette


def test_a_colour_of_the_palette_is_kept_though_another_is_a_hair_away() -> None:
    """In single precision ffff00 and ffff01 have one OKLab."""
    palette = Palette.from_hex(["ffff00", "ffff01", "ffff02", "ffff03"])
    made = coloured(row(*((255, 255, blue, 255) for blue in range(4))), palette)
    assert made.cells.tolist() == [[0, 1, 2, 3]]
    assert made.snapped == 0


@given(palettes(most=40), npst.arrays(np.uint8, (5, 5, 4)))
def test_mapping_is_the_nearest_in_oklab(palette: Palette, rgba: Pixels) -> None:
    rgba[..., 3] = np.where(rgba[..., 3] < 128, 0, 255)
    if not len(palette.opaque) or (palette.transparent is None and len(palette) == 256):
        return
    made = coloured(rgba, palette)
    own = made.palette
    for pixel, index in zip(rgba.reshape(-1, 4), made.cells.reshape(-1), strict=True):
        if pixel[3] == 0 and (rgba[..., 3] > 0).any():
            assert index == own.transparent
        elif pixel[3]:
            apart = ((own.oklab[own.opaque] - oklab_from_rgb(pixel[:3])) ** 2).sum(axis=1)
            mine = ((own.oklab[index] - oklab_from_rgb(pixel[:3])) ** 2).sum()
            assert index != own.transparent
            assert mine <= apart.min() + 1e-6
    kept = (own.rgb[made.cells] == rgba[..., :3]).all(axis=-1) | (rgba[..., 3] == 0)
    assert made.snapped == int((~kept).sum())


def test_batches_are_mapped_frame_by_frame() -> None:
    batch = np.random.default_rng(0).integers(0, 256, (3, 7, 5, 4), dtype=np.uint8)
    for dither in (False, True):
        together = coloured(batch, reef_palette(), dither)
        alone = [coloured(frame, reef_palette(), dither) for frame in batch]
        assert np.array_equal(together.cells, np.stack([one.cells for one in alone]))
        assert together.snapped == sum(one.snapped for one in alone)


def test_a_transparent_entry_is_added_where_one_is_needed() -> None:
    opaque = Palette.from_hex(["ff0000", "00ff00"], name="two")
    made = coloured(row((255, 0, 0, 255), (0, 0, 0, 0)), opaque)
    assert made.cells.tolist() == [[0, 2]]
    assert (made.palette.transparent, made.palette.name) == (2, "two")
    assert coloured(row((255, 0, 0, 255)), opaque).palette is opaque


@given(st.integers(0, 255))
def test_with_transparent_keeps_what_there_is(index: int) -> None:
    full = np.zeros((256, 3), np.uint8)
    assert with_transparent(Palette(full, index)).transparent == index
    with pytest.raises(PaletteError, match="fewer than 256"):
        with_transparent(Palette(full))
    assert with_transparent(Palette(full[:255])).transparent == 255
