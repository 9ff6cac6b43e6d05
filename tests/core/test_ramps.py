from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from strategies import palettes

from pixelreef.core import Palette, Ramps, ramps_from_palette, reef_palette, reef_ramps
from pixelreef.errors import PaletteError


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


def test_equal_colours_never_follow_each_other() -> None:
    assert ramps_from_palette(Palette.from_hex(["808080"] * 3)).lines == ((0,), (1,), (2,))


def test_a_colour_on_two_ramps_is_refused() -> None:
    with pytest.raises(PaletteError, match="at most once"):
        Ramps(((0, 1), (1, 2)), ("a", "b"), 3)
    with pytest.raises(PaletteError, match="names must be 1"):
        Ramps(((0, 1),), ("a", "b"), 3)
