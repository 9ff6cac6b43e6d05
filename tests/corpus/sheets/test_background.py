from __future__ import annotations

import numpy as np
import pytest
from made_sheets import RGBA, Made

from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.sheets.background import (
    Background,
    background_from_text,
    background_mask,
    enclosed_from_text,
    find_background,
)
from pixelreef.errors import InputError

MAGENTA, WHITE = (255, 0, 255), (255, 255, 255)


def ring(backdrop: tuple[int, int, int]) -> RGBA:
    """A black ring of 5 × 5 on 61 × 61, with a hole of 3 × 3."""
    pixels = np.full((61, 61, 4), 255, np.uint8)
    pixels[..., :3] = backdrop
    pixels[3:8, 3:8, :3] = 0
    pixels[4:7, 4:7, :3] = backdrop
    return pixels


@pytest.mark.parametrize("colour", [MAGENTA, WHITE, (40, 60, 20), (0, 0, 0)])
def test_one_colour_around_everything_is_the_backdrop(colour: tuple[int, int, int]) -> None:
    made = Made(background=colour)
    found = find_background(made.rgba())
    assert found == Background("colour", (colour,))
    mask = background_mask(made.rgba(), found, "clear")
    assert np.array_equal(mask, made.cells() == 0)


def test_a_transparent_sheet_stays_as_it_is() -> None:
    rgba = Made(background=None).rgba()
    assert find_background(rgba) == Background("transparent")
    assert not background_mask(rgba, Background("transparent")).any()


def test_tiles_from_border_to_border_have_none() -> None:
    tiles = np.random.default_rng(0).integers(0, 255, (32, 32, 4)).astype(np.uint8)
    tiles[..., 3] = 255
    assert find_background(tiles) == Background("none")


def test_a_key_is_cleared_inside_too_and_white_is_not() -> None:
    for colour, cleared in ((MAGENTA, True), (WHITE, False)):
        mask = background_mask(ring(colour), Background("colour", (colour,)))
        assert mask[0, 0]
        assert mask[5, 5] == cleared


def test_the_flag_says_otherwise() -> None:
    assert background_mask(ring(WHITE), Background("colour", (WHITE,)), "clear")[5, 5]
    assert not background_mask(ring(MAGENTA), Background("colour", (MAGENTA,)), "keep")[5, 5]


def test_a_palette_without_the_backdrop_settles_it() -> None:
    background = Background("colour", (WHITE,))
    assert background_mask(ring(WHITE), background, "auto", Palette.from_hex(["000000"]))[5, 5]
    assert not background_mask(ring(WHITE), background, "auto", Palette.from_hex(["000000", "ffffff"]))[5, 5]


@pytest.mark.parametrize("tile", [1, 4, 8])
def test_a_checkerboard_is_cleared_where_it_fits(tile: int) -> None:
    made = Made(background=None)
    rgba = made.rgba().copy()
    y, x = np.indices(rgba.shape[:2])
    dark = np.asarray((y // tile + x // tile) % 2 == 1)
    board = np.where(dark[..., None], np.uint8(204), np.uint8(255)).repeat(4, axis=2)
    board[..., 3] = 255
    rgba = np.where(rgba[..., 3:] == 0, board, rgba)
    found = find_background(rgba)
    assert found == Background("checkerboard", (WHITE, (204, 204, 204)), tile)
    assert np.array_equal(background_mask(rgba, found, "clear"), made.cells() == 0)


def test_lines_between_cells_go_with_the_backdrop() -> None:
    made = Made(background=WHITE, offset=(1, 1))
    rgba = made.rgba().copy()
    rgba[::17], rgba[:, ::17] = (0, 0, 128, 255), (0, 0, 128, 255)
    found = find_background(rgba)
    assert found.ruled == (0, 0, 128)
    assert found.colours == (WHITE,)
    assert np.array_equal(background_mask(rgba, found, "auto", reef_palette()), made.cells() == 0)


def test_words_that_are_none_of_these() -> None:
    assert background_from_text("auto") is None
    assert background_from_text("#FF00ff") == Background("colour", (MAGENTA,))
    with pytest.raises(InputError, match="--background must be auto, none or six hex digits"):
        background_from_text("pink")
    with pytest.raises(InputError, match="--enclosed must be auto, clear or keep"):
        enclosed_from_text("some")
