"""Shading by hand: which side is lit, how far, and what is never touched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sprites.shade.shapes import GREYS, Cells, disc

from pixelreef.core import Palette, Ramps, reef_palette, reef_ramps
from pixelreef.errors import GridError
from pixelreef.sprites.shade import Light, shade
from pixelreef.sprites.shade.form import Form
from pixelreef.sprites.shade.light import AMOUNTS
from pixelreef.sprites.shade.stairs import stairs_from
from pixelreef.sprites.shade.walk import steps, walked

NONE = Light(**dict.fromkeys(AMOUNTS, 0.0))
BALL = disc(17, 7.5, 4)


def one_pixel(x: int = 0, y: int = 0, z: int = 0, occlusion: int = 0, edge: bool = False) -> Form:
    right, up, out = (np.full((1, 1, 1), value, np.int8) for value in (x, y, z))
    solid = np.ones((1, 1, 1), np.bool_)
    return Form(solid, right, up, out, np.full((1, 1, 1), occlusion, np.uint8), solid & edge)


@pytest.mark.parametrize(
    ("pixel", "light", "expected"),
    [
        (one_pixel(z=127), Light(0, 45), 0.0),  # it faces the viewer
        (one_pixel(x=127), Light(0, 0, light=0.5), 1.5),  # full on
        (one_pixel(x=-127), Light(0, 0, shadow=0.5), -1.5),  # full away
        (one_pixel(x=-127), Light(0, 45, shadow=1.0), -3.0),
        (one_pixel(x=-127, edge=True), Light(0, 0, shadow=0.0, rim=1.0), 3.0),
        (one_pixel(x=127, edge=True), Light(0, 0, light=0.0, rim=1.0), 0.0),  # the rim is on the other side
        (one_pixel(z=127, occlusion=127), Light(occlusion=1.0), -3.0),
        (one_pixel(z=127, edge=True), Light(edges=1.0), -3.0),
        (one_pixel(y=127), Light(90, 0, light=1.0), 3.0),  # y is up
        (one_pixel(x=90, z=90), Light(0, 0, light=1.0), 3 * 90 / 127),
        (one_pixel(x=-127, z=0), Light(90, 90, shadow=1.0), -3.0),  # from the viewer's eye all slopes are away
    ],
)
def test_what_each_kind_of_light_does(pixel: Form, light: Light, expected: float) -> None:
    changed = {name: getattr(light, name) for name in AMOUNTS if getattr(light, name) != getattr(Light(), name)}
    only = replace(NONE, azimuth=light.azimuth, elevation=light.elevation, **changed)
    assert steps(pixel, only).item() == pytest.approx(expected, abs=1e-5)


def test_steps_are_rounded_to_the_nearest_and_fade_towards_the_ends() -> None:
    """Ramps of seven: two steps and more from an end the walk is as asked, one step from it half, at it nothing."""
    ramps = Ramps((tuple(range(7)),), ("grey",), 7)
    cells = np.arange(7, dtype=np.uint8)[None, None]

    def by(many: float) -> list[int]:
        return list(walked(cells, stairs_from(ramps), np.full((1, 1, 7), many, np.float32))[0, 0].tolist())

    assert by(0) == by(0.49) == by(-0.49) == [0, 1, 2, 3, 4, 5, 6]
    assert by(0.5) == [1, 2, 3, 4, 5, 5, 6]
    assert by(-0.5) == [0, 1, 1, 2, 3, 4, 5]
    assert by(1) == [1, 2, 3, 4, 5, 6, 6]
    assert by(-1) == [0, 0, 1, 2, 3, 4, 5]
    assert by(9) == [6] * 7
    assert by(-9) == [0] * 7


def test_a_ball_is_light_towards_the_light_and_dark_away_from_it() -> None:
    made = shade(BALL, reef_palette(), replace(NONE, azimuth=180, light=0.8, shadow=0.8)).astype(int)
    assert made[8, 3] > 4 > made[8, 14]
    assert (np.diff(made[8, 2:15]) <= 0).all()
    assert np.array_equal(made, made[::-1])


def test_bands_are_clean() -> None:
    """No pixel of a lit ball differs from all eight of its neighbours."""
    made = np.pad(shade(disc(33, 14, 1 + 3), reef_palette(), Light(light=1, shadow=1)), 1)
    inner = made[1:-1, 1:-1]
    alike = [inner == made[y : y + 33, x : x + 33] for y in range(3) for x in range(3) if (y, x) != (1, 1)]
    assert np.logical_or.reduce(alike)[inner > 0].all()
    assert len(np.unique(inner)) >= 5


def test_the_reef_is_the_same_by_palette_and_by_ramps() -> None:
    assert np.array_equal(shade(BALL, reef_palette()), shade(BALL, reef_ramps()))


def test_black_outlines_stay_black() -> None:
    palette = Palette.from_hex(["ff00ff", "000000", "303030", "606060", "909090", "c0c0c0"], transparent=0)
    cells = np.where(disc(17, 7.5) > 0, np.where(disc(17, 6.4) > 0, 4, 1), 0).astype(np.uint8)
    made = shade(cells, palette, replace(NONE, light=1.0, rim=1.0))
    assert np.array_equal(made == 1, cells == 1)
    assert (made > cells).any()


def test_a_step_is_as_strong_in_close_colours_as_in_few() -> None:
    """The same ball in 36 greys and in 8 of them: both come to the same lightness, to half a step of the coarser."""
    greys = np.repeat(np.linspace(40, 250, 36).astype(np.uint8)[:, None], 3, axis=1)
    fine = Palette(np.concatenate([greys[:1], greys]), transparent=0)
    coarse = Palette(np.concatenate([greys[:1], greys[::5]]), transparent=0)
    light = replace(NONE, light=1.0, shadow=1.0)
    solid = BALL > 0
    few = coarse.oklab[shade(np.where(solid, 1 + 3, 0).astype(np.uint8), coarse, light), 0][solid]
    many = fine.oklab[shade(np.where(solid, 1 + 15, 0).astype(np.uint8), fine, light), 0][solid]
    assert np.ptp(few) > 0.2
    assert len(np.unique(many)) > 2 * len(np.unique(few))
    assert np.abs(few - many).max() < 0.075  # its largest step is 0.12; half a level, 0.015, comes on top


def test_empty_and_flat_batches_are_taken() -> None:
    assert shade(np.zeros((0, 4, 4), np.uint8), GREYS).shape == (0, 4, 4)
    assert shade(np.zeros((3, 4, 4), np.uint8), GREYS).tolist() == np.zeros((3, 4, 4)).tolist()
    floor = np.full((4, 4), 3, np.uint8)
    assert np.array_equal(shade(floor, GREYS), floor)
    assert np.array_equal(shade(np.array([[3]], np.uint8), Palette.from_hex(["000000"] * 4, 0)), [[3]])


@pytest.mark.parametrize(
    ("cells", "parts", "said"),
    [
        (np.zeros((2, 2), np.int64), None, "array of uint8"),
        (np.zeros(4, np.uint8), None, "array of uint8"),
        (np.full((2, 2), 9, np.uint8), None, "from 0 to 8, got 9"),
        (np.zeros((2, 2), np.uint8), np.zeros((2, 3), np.uint8), "as large as the cells"),
    ],
)
def test_what_is_no_sprite_is_refused(cells: Cells, parts: Cells | None, said: str) -> None:
    with pytest.raises(GridError, match=said):
        shade(cells, GREYS, parts=parts)
