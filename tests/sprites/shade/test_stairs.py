from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from strategies import palettes

from pixelreef.core import Palette, Ramps, ramps_from_palette, reef_palette, reef_ramps
from pixelreef.sprites.shade.stairs import stairs_from


def test_the_reef_has_a_level_for_each_step() -> None:
    stairs = stairs_from(reef_palette())
    assert stairs.table.tolist() == [list(line) for line in reef_ramps().lines]
    assert (stairs.per_step, stairs.levels, stairs.base) == (1, 7, 2)
    assert not stairs.ink.any()
    assert stairs.solid.tolist() == [False] + [True] * 63


def test_ramps_as_given_are_filled_up_with_their_last_colour() -> None:
    assert stairs_from(Ramps(((3, 1), (0,)), ("a", "b"), 5)).table.tolist() == [[3, 1], [0, 0]]
    assert stairs_from(Ramps(((3, 1), (0,)), ("a", "b"), 5)).solid.tolist() == [True, True, False, True, False]


def test_levels_of_another_palette_are_lightness() -> None:
    """Grey 0x77 has the OKLab lightness 0.57, halfway between black and white but a little above."""
    stairs = stairs_from(Palette.from_hex(["000000", "ffffff", "777777"]))
    assert stairs.level.tolist() == [0, 34, 19]
    assert stairs.table[0].tolist() == [0] * 10 + [2] * 17 + [1] * 8
    assert stairs.ink.tolist() == [True, False, False]
    assert (stairs.per_step, stairs.base) == (4, 0)


@pytest.mark.parametrize(
    ("colours", "rows"),
    [
        (["c00000", "ff0000", "e07070", "ff8080"], [{0, 1}, {2, 3}]),  # red is not lit to a greyer pink
        (["7f5a48", "a5765e", "ca8f72", "c0c0c0"], [{0, 1, 2}, {3}]),  # nor skin to silver
        (["606000", "a0a000", "e0e000", "ffffff"], [{0, 1, 2, 3}]),  # a highlight may be white
        (["000000", "300000", "600000"], [{0, 1, 2}]),  # a shadow black
    ],
)
def test_found_ramps_are_broken_where_the_colour_changes(colours: list[str], rows: list[set[int]]) -> None:
    found = [set(row) for row in stairs_from(Palette.from_hex(colours)).table.tolist()]
    assert sorted(found, key=min) == rows


@given(palettes())
def test_every_colour_stands_at_its_level_and_rows_climb(palette: Palette) -> None:
    stairs, ramps = stairs_from(palette), ramps_from_palette(palette)
    for index in palette.opaque:
        assert stairs.table[stairs.row[index], stairs.level[index]] == index
    if len(palette.opaque):
        assert (np.diff(ramps.step_of[stairs.table], axis=1) >= 0).all()
        assert (np.ptp(ramps.ramp_of[stairs.table], axis=1) == 0).all()
    assert stairs.solid.sum() == len(palette.opaque)


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        stairs_from(reef_palette()).table[0] = 1
