from __future__ import annotations

import colorsys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray

from pixelreef.core.blend import MODES, OF_HUE, blended

Pixels = NDArray[np.uint8]
pixels = npst.arrays(np.uint8, (8, 4))


def hard(b: float, s: float) -> float:
    return 2 * b * s if s <= 0.5 else 1 - 2 * (1 - b) * (1 - s)


def soft(b: float, s: float) -> float:
    if s <= 0.5:
        return b - (1 - 2 * s) * b * (1 - b)
    root = ((16 * b - 12) * b + 4) * b if b <= 0.25 else b**0.5
    return b + (2 * s - 1) * (root - b)


def dodge(b: float, s: float) -> float:
    return 0.0 if b == 0 else 1.0 if s == 1 else min(1.0, b / (1 - s))


def burn(b: float, s: float) -> float:
    return 1.0 if b == 1 else 0.0 if s == 0 else 1 - min(1.0, (1 - b) / s)


# The W3C's formulas, one channel at a time, in shares of 1: an implementation of its own.
FORMULAS: dict[str, Callable[[float, float], float]] = {
    "normal": lambda b, s: s,
    "multiply": lambda b, s: b * s,
    "screen": lambda b, s: b + s - b * s,
    "overlay": lambda b, s: hard(s, b),
    "darken": min,
    "lighten": max,
    "color dodge": dodge,
    "color burn": burn,
    "hard light": hard,
    "soft light": soft,
    "difference": lambda b, s: abs(b - s),
    "exclusion": lambda b, s: b + s - 2 * b * s,
    "addition": lambda b, s: min(1.0, b + s),
    "subtract": lambda b, s: max(0.0, b - s),
    "divide": lambda b, s: 0.0 if b == 0 else 1.0 if s == 0 else min(1.0, b / s),
}


def test_every_mode_is_checked() -> None:
    assert {*FORMULAS, *OF_HUE} == set(MODES)
    assert len(MODES) == 19


@pytest.mark.parametrize("mode", FORMULAS)
@given(below=pixels, above=pixels)
def test_on_an_opaque_backdrop_it_is_the_published_formula(mode: str, below: Pixels, above: Pixels) -> None:
    below[:, 3] = above[:, 3] = 255
    got = blended(below, above, mode=mode)
    for one, b, s in zip(got, below, above, strict=True):
        wanted = [255 * FORMULAS[mode](int(x) / 255, int(y) / 255) for x, y in zip(b[:3], s[:3], strict=True)]
        # Halves of light are told apart at 127.5, which no byte is: there the two pieces of a formula differ by 1.
        assert np.abs(one[:3] - np.array(wanted)).max() <= 1.01
        assert one[3] == 255


def luma(rgb: NDArray[np.float64]) -> float:
    return float(rgb @ [0.3, 0.59, 0.11])


@given(below=pixels, above=pixels)
def test_the_modes_of_hue_keep_what_they_say(below: Pixels, above: Pixels) -> None:
    below[:, 3] = above[:, 3] = 255
    for mode in OF_HUE:
        got = blended(below, above, mode=mode)[:, :3].astype(float)
        whose = above if mode == "luminosity" else below
        for one, lit in zip(got, whose[:, :3].astype(float), strict=True):
            assert abs(luma(one) - luma(lit)) <= 1.01  # each channel is cut to a whole number


def test_hue_comes_from_the_source_and_saturation_too() -> None:
    below = np.array([[90, 120, 150, 255]], np.uint8)
    above = np.array([[200, 40, 40, 255]], np.uint8)
    hue = colorsys.rgb_to_hsv(*(blended(below, above, mode="hue")[0, :3] / 255))[0]
    assert min(hue, 1 - hue) < 0.01
    grey = np.array([[128, 128, 128, 255]], np.uint8)
    assert len(set(blended(below, grey, mode="saturation")[0, :3].tolist())) == 1
    assert len(set(blended(below, grey, mode="color")[0, :3].tolist())) == 1


@given(below=pixels, above=pixels, opacity=st.integers(0, 255))
def test_normal_is_source_over_backdrop(below: Pixels, above: Pixels, opacity: int) -> None:
    got = blended(below, above, opacity).astype(float)
    for one, b, s in zip(got, below.astype(float), above.astype(float), strict=True):
        source, back = s[3] / 255 * opacity / 255, b[3] / 255
        alpha = source + back * (1 - source)
        assert abs(one[3] - 255 * alpha) <= 1.5
        if one[3] > 60:  # of a faint pixel rounding leaves little colour to compare
            colour = (s[:3] * source + b[:3] * back * (1 - source)) / alpha
            assert np.abs(one[:3] - colour).max() <= 8


@pytest.mark.parametrize("mode", MODES)
@given(below=pixels, above=pixels)
def test_nothing_changes_nothing_and_on_nothing_is_itself(mode: str, below: Pixels, above: Pixels) -> None:
    below[:, :3] *= below[:, 3:] > 0
    clear = above * np.array([1, 1, 1, 0], np.uint8)
    assert np.array_equal(blended(below, clear, mode=mode), below)
    assert np.array_equal(blended(below, above, 0, mode=mode), below)
    shown = above * (above[:, 3:] > 0)
    assert np.array_equal(blended(np.zeros_like(below), above, mode=mode), shown)


def test_mixing_rounds_towards_the_backdrop() -> None:
    """10 and 0 by 128 of 255: 10 − 5.02 is 5, 0 + 5.02 is 5."""
    ten, none = np.array([[10, 10, 10, 255]], np.uint8), np.array([[0, 0, 0, 255]], np.uint8)
    assert blended(ten, none, 128)[0, 0] == 5
    assert blended(none, ten, 128)[0, 0] == 5


def test_on_a_half_covered_backdrop_two_merges_follow() -> None:
    """Multiply by 200 on black of alpha 128, as Aseprite does it: from 200 half way to 0, and half way again."""
    below, above = np.array([[0, 0, 0, 128]], np.uint8), np.array([[200, 200, 200, 255]], np.uint8)
    assert blended(below, above, mode="multiply").tolist() == [[50, 50, 50, 255]]
