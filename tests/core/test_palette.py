from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core import Palette
from pixelreef.core.palette import rgb_from_hex
from pixelreef.errors import PaletteError


def test_equality_is_by_colours_and_transparency_not_by_name() -> None:
    a = Palette.from_hex(["000000", "ff8800"], transparent=0, name="a")
    assert a == Palette.from_hex(["000000", "FF8800"], transparent=0, name="b")
    assert a != Palette.from_hex(["000000", "ff8800"])
    assert len({a, Palette.from_hex(["000000", "ff8800"], 0), Palette.from_hex(["000000"])}) == 2


def test_transparency_is_declared_never_implied() -> None:
    assert Palette.from_hex(["112233"]).rgba.tolist() == [[17, 34, 51, 255]]
    assert Palette.from_hex(["112233", "445566"], transparent=1).rgba.tolist() == [[17, 34, 51, 255], [0, 0, 0, 0]]
    assert Palette.from_hex(["112233", "445566"], transparent=1).opaque.tolist() == [0]


def test_colours_can_not_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Palette.from_hex(["112233"]).rgb[0, 0] = 1


@pytest.mark.parametrize(("transparent", "count"), [(2, 2), (-1, 2), (None, 0), (None, 257)])
def test_impossible_palettes_are_refused(transparent: int | None, count: int) -> None:
    with pytest.raises(PaletteError, match="must"):
        Palette(np.zeros((count, 3), np.uint8), transparent)


@pytest.mark.parametrize("text", ["", "fff", "#ffffff", "gggggg", "ffffff\n", "１23456", "ff ff f", "+12345"])
def test_only_six_hex_digits_are_a_colour(text: str) -> None:
    with pytest.raises(PaletteError, match="six hex digits"):
        rgb_from_hex(text)
