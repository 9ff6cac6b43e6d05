from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sprites.shade.shapes import Cells, disc, drawn

from pixelreef.core import Palette, ramps_from_palette, reef_palette
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.errors import InputError
from pixelreef.sprites.shade import Light, drawn_light, flattened, shade

BALL = disc(33, 14, 1 + 3)


def lit(azimuth: float) -> Cells:
    return shade(BALL, reef_palette(), Light(azimuth, light=0.6, shadow=0.6, occlusion=0, edges=0, rim=0))


@pytest.mark.parametrize("azimuth", [0.0, 60.0, 135.0, 200.0, 300.0])
def test_the_light_that_a_ball_was_given_is_found_and_taken_out(azimuth: float) -> None:
    found, strength = drawn_light(lit(azimuth), reef_palette())
    assert abs((found - azimuth + 180) % 360 - 180) < 5
    assert 1 < strength < 3
    left = flattened(lit(azimuth), reef_palette())
    before, after = (np.abs(one.astype(int) - BALL)[BALL > 0].mean() for one in (lit(azimuth), left))
    assert after < 0.5 * before  # bands that do not quite meet are left
    assert drawn_light(left, reef_palette())[1] < 0.3 * strength


def test_the_light_of_the_reef_is_where_its_maker_has_it() -> None:
    """LIGHT of `corpus.reef.canvas` stands at 127 degrees."""
    cells = [("grazer", "shallows"), ("coral", "midnight"), ("abyssal", "hadal"), ("cephalopod", "midnight")]
    entries = [make_sprite(*cell, seed=5, number=number) for cell in cells for number in range(6)]
    azimuth, strength = drawn_light(
        np.stack([entry.cells for entry in entries]),
        reef_palette(),
        np.stack([entry.parts for entry in entries if entry.parts is not None]),
    ).T
    assert 105 < np.median(azimuth) < 150
    assert np.median(strength) > 0.5


def test_what_is_drawn_without_light_stays() -> None:
    assert np.array_equal(flattened(BALL, reef_palette()), BALL)
    assert drawn_light(BALL, reef_palette())[1] == 0
    rings = np.where(disc(33, 14) > 0, 12 + disc(33, 10, 3) - disc(33, 5, 2), 0).astype(np.uint8)
    assert np.array_equal(flattened(rings, reef_palette()), rings)


@given(drawn(), st.floats(0, 1))
@settings(max_examples=150)
def test_colours_stay_on_their_ramps_and_mirrors_are_exact(sprite: tuple[Cells, Palette], amount: float) -> None:
    cells, palette = sprite
    made = flattened(cells, palette, amount)
    assert (ramps_from_palette(palette).ramp_of[made] == ramps_from_palette(palette).ramp_of[cells]).all()
    assert np.array_equal(made == palette.transparent, cells == palette.transparent)
    assert np.array_equal(flattened(cells[:, ::-1], palette, amount)[:, ::-1], made)
    assert np.array_equal(flattened(cells, palette, 0.0), cells)
    assert np.array_equal(flattened(np.stack([cells, cells]), palette, amount), np.stack([made, made]))


def test_more_than_all_of_it_is_refused() -> None:
    with pytest.raises(InputError, match=r"flatten must be from 0 to 1, got 1\.5"):
        flattened(BALL, reef_palette(), 1.5)
