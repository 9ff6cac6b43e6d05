from __future__ import annotations

import math

import pytest
from hypothesis import given
from sprites.shade.shapes import lights

from pixelreef.errors import InputError
from pixelreef.sprites.shade import Light
from pixelreef.sprites.shade.light import AMOUNTS


def test_directions_by_hand() -> None:
    half = math.sqrt(0.5)
    assert Light(0, 0).direction == (1, 0, 0)
    assert Light(90, 0).direction == (0, 1, 0)
    assert Light(-180, 0).direction == (-1, 0, 0)
    assert Light(270, 0).direction == (0, -1, 0)
    assert Light(123, 90).direction == (0, 0, 1)
    assert Light(45, 45).direction == pytest.approx((0.5, 0.5, half))


@given(lights)
def test_directions_have_length_1_and_mirror_exactly(light: Light) -> None:
    x, y, z = light.direction
    assert math.hypot(x, y, z) == pytest.approx(1)
    angle = math.radians(light.azimuth)
    assert (x, y) == pytest.approx((math.cos(angle) * math.hypot(x, y), math.sin(angle) * math.hypot(x, y)))
    assert light.mirrored().direction == (-x, y, z)
    assert light.mirrored().mirrored() == light


def test_turning_goes_round() -> None:
    assert Light(300).turned(90).azimuth == 30


@pytest.mark.parametrize("name", AMOUNTS)
@pytest.mark.parametrize("value", [-0.1, 1.01, math.nan])
def test_amounts_are_from_0_to_1(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"{name} must be from 0 to 1"):
        Light(**{name: value})


def test_angles_are_bounded() -> None:
    with pytest.raises(InputError, match="elevation must be from 0 to 90 degrees, got 91"):
        Light(elevation=91)
    for azimuth in (math.nan, math.inf, 1e9):
        with pytest.raises(InputError, match="azimuth must be an angle"):
            Light(azimuth=azimuth)


def test_the_document_is_what_makes_it_again() -> None:
    light = Light(azimuth=10, rim=0.7)
    assert Light(**light.document()) == light
