from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from strategies import palettes

from pixelreef.core import Palette, Ramps, ramps_from_palette, reef_palette, reef_ramps
from pixelreef.errors import PaletteError

DB32 = """000000 222034 45283c 663931 8f563b df7126 d9a066 eec39a fbf236 99e550 6abe30 37946e 4b692f 524b24 323c39
3f3f74 306082 5b6ee1 639bff 5fcde4 cbdbfc ffffff 9badb7 847e87 696a6a 595652 76428a ac3232 d95763 d77bba 8f974a
8a6f30"""
"""By DawnBringer."""


@given(palettes())
def test_each_colour_is_on_exactly_one_ramp_and_steps_stay_inside(palette: Palette) -> None:
    ramps = ramps_from_palette(palette)
    assert sorted(index for line in ramps.lines for index in line) == palette.opaque.tolist()
    lightness = palette.oklab[:, 0]
    for table, sign in ((ramps.darker, -1), (ramps.lighter, 1)):
        assert table.shape == (len(palette),)
        assert (sign * (lightness[table] - lightness) >= 0).all()
        if palette.transparent is not None:
            assert table[palette.transparent] == palette.transparent
            assert palette.transparent not in table[palette.opaque]
    assert (np.isin(ramps.ramp_of, -1) == (np.arange(len(palette)) == palette.transparent)).all()


@given(palettes())
def test_darker_undoes_lighter_except_at_the_light_end(palette: Palette) -> None:
    ramps = ramps_from_palette(palette)
    inner = ramps.lighter != np.arange(len(palette))
    assert (ramps.darker[ramps.lighter][inner] == np.arange(len(palette))[inner]).all()


def test_walking_many_steps_ends_at_the_end() -> None:
    ramps = reef_ramps()
    assert ramps.walk(100)[1:].tolist() == [line[-1] for line in ramps.lines for _ in line]
    assert ramps.walk(-2)[3] == 1
    assert np.array_equal(ramps.walk(0), np.arange(64))


def test_the_reef_palette_gives_back_its_declared_ramps() -> None:
    assert set(ramps_from_palette(reef_palette()).lines) == set(reef_ramps().lines)


def test_two_hues_are_two_ramps() -> None:
    mixed = Palette.from_hex(["400000", "004000", "800000", "008000", "ff4040", "60ff60"])
    assert set(ramps_from_palette(mixed).lines) == {(0, 2, 4), (1, 3, 5)}


def lines_of(*colours: str) -> set[tuple[str, ...]]:
    ramps = ramps_from_palette(Palette.from_hex(list(colours)))
    return {tuple(colours[index] for index in line) for line in ramps.lines}


def test_a_red_goes_on_to_a_lighter_red_and_not_to_a_grey_pink_between() -> None:
    assert lines_of("691749", "9b0e3e", "8f5765", "ff417d") == {("691749", "9b0e3e", "ff417d"), ("8f5765",)}


@pytest.mark.parametrize("grey", ["6a6a6a", "847e87", "9a9a9a"])
@pytest.mark.parametrize("colour", ["ac3232", "306082", "37946e", "76428a", "df7126", "5fcde4"])
def test_a_middle_grey_stands_beside_no_colour(grey: str, colour: str) -> None:
    assert lines_of(grey, colour) == {(grey,), (colour,)}


def test_a_colour_may_come_out_of_the_dark_and_go_into_the_light() -> None:
    assert lines_of("151517", "323353", "4d65b4", "4d9be6", "8fd3ff", "ffffff") == {
        ("151517", "323353", "4d65b4", "4d9be6", "8fd3ff", "ffffff")
    }
    # The other way round it may not: colour neither ends in a dark grey nor begins at a light one.
    assert lines_of("3a0d12", "3c3c3e") == {("3a0d12",), ("3c3c3e",)}
    assert lines_of("d8d8d8", "fff05a") == {("d8d8d8",), ("fff05a",)}


def test_the_greys_of_a_palette_that_artists_use_are_one_ramp() -> None:
    found = lines_of(*DB32.split())
    assert ("323c39", "595652", "696a6a", "847e87", "9badb7") in found
    assert {("ac3232", "d95763"), ("76428a", "d77bba"), ("5b6ee1", "639bff", "cbdbfc", "ffffff")} <= found


def test_equal_colours_never_follow_each_other() -> None:
    assert ramps_from_palette(Palette.from_hex(["808080"] * 3)).lines == ((0,), (1,), (2,))


def test_a_colour_on_two_ramps_is_refused() -> None:
    with pytest.raises(PaletteError, match="at most once"):
        Ramps(((0, 1), (1, 2)), ("a", "b"), 3)
    with pytest.raises(PaletteError, match="names must be 1"):
        Ramps(((0, 1),), ("a", "b"), 3)
