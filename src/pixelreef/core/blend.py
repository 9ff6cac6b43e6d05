"""The nineteen ways in which Aseprite lays one picture on another, in its own 8-bit arithmetic.

The formulas are those of the W3C's Compositing and Blending Level 1, addition, subtraction and division excepted. What
makes the bytes agree with Aseprite is the rounding: products to the nearest, mixing towards zero.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
_Ints = NDArray[np.int32]
_Floats = NDArray[np.float64]

MODES = (  # the place is the number in the file
    "normal",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "color dodge",
    "color burn",
    "hard light",
    "soft light",
    "difference",
    "exclusion",
    "hue",
    "saturation",
    "color",
    "luminosity",
    "addition",
    "subtract",
    "divide",
)
OF_HUE = ("hue", "saturation", "color", "luminosity")  # these mean nothing where there is no hue


def blended(backdrop: Bytes, source: Bytes, opacity: int = 255, mode: str = "normal") -> Bytes:
    """(…, 4) bytes: `source` laid on `backdrop` with an opacity from 0 to 255.

    >>> red, green = np.array([[255, 0, 0, 255]], np.uint8), np.array([[0, 255, 0, 255]], np.uint8)
    >>> blended(red, green, 128).tolist(), blended(red, green, mode="addition").tolist()
    ([[127, 128, 0, 255]], [[255, 255, 0, 255]])
    """
    below, above = backdrop.astype(np.int32), source.astype(np.int32)
    plain = _over(below, above, opacity)
    if mode == "normal":
        return plain.astype(np.uint8)
    above[..., :3] = _COLOURS[mode](below[..., :3], above[..., :3])
    mixed = _over(below, above, opacity)
    alpha = below[..., 3:]
    # What the backdrop does not cover keeps the source's own colour. The W3C merges once, Aseprite twice.
    result = _merged(_merged(plain, mixed, alpha), mixed, _product(alpha, _product(above[..., 3:], opacity)))
    return np.where(alpha > 0, result, plain).astype(np.uint8)


def _over(below: _Ints, above: _Ints, opacity: int) -> _Ints:
    covered, covering = below[..., 3:], _product(above[..., 3:], opacity)
    alpha = covered + covering - _product(covered, covering)
    change = (above[..., :3] - below[..., :3]) * covering
    towards_zero = np.sign(change) * (np.abs(change) // np.maximum(alpha, 1))
    colour = np.where(covered > 0, below[..., :3] + towards_zero, above[..., :3])
    return np.concatenate([np.where(alpha > 0, colour, 0), alpha], axis=-1)


def _merged(first: _Ints, second: _Ints, share: _Ints) -> _Ints:
    """From the first (share 0) to the second (share 255), alpha included."""
    mix = first + _product(second - first, share)
    colour = np.where(first[..., 3:] == 0, second, np.where(second[..., 3:] == 0, first, mix))[..., :3]
    return np.concatenate([np.where(mix[..., 3:] > 0, colour, 0), mix[..., 3:]], axis=-1)


def _product(a: _Ints, b: _Ints | int) -> _Ints:
    """a·b/255, rounded to the nearest."""
    scaled = a * b + 128
    return (scaled + (scaled >> 8)) >> 8


def _quotient(a: _Ints, b: _Ints) -> _Ints:
    """255·a/b, rounded to the nearest; 255 from b = a on down, 0 where a is 0."""
    divisor = np.maximum(b, 1)
    return np.where(a == 0, 0, np.where(a >= b, 255, (a * 255 + divisor // 2) // divisor))


def _screen(below: _Ints, above: _Ints) -> _Ints:
    return below + above - _product(below, above)


def _hard_light(below: _Ints, above: _Ints) -> _Ints:
    return np.where(above < 128, _product(below, 2 * above), _screen(below, 2 * above - 255))


def _soft_light(below: _Ints, above: _Ints) -> _Ints:
    b, s = below / 255.0, above / 255.0
    lit = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(b))
    mix = np.where(s <= 0.5, b - (1.0 - 2.0 * s) * b * (1.0 - b), b + (2.0 * s - 1.0) * (lit - b))
    return (mix * 255 + 0.5).astype(np.int32)


def _luma(rgb: _Floats) -> _Floats:
    return np.asarray(0.3 * rgb[..., :1] + 0.59 * rgb[..., 1:2] + 0.11 * rgb[..., 2:])


def _span(rgb: _Floats) -> _Floats:
    return np.asarray(rgb.max(axis=-1, keepdims=True) - rgb.min(axis=-1, keepdims=True))


def _with_span(rgb: _Floats, span: _Floats) -> _Floats:
    own = _span(rgb)
    low = rgb.min(axis=-1, keepdims=True)
    return np.where(own > 0, (rgb - low) * span / np.where(own > 0, own, 1.0), 0.0)


def _with_luma(rgb: _Floats, luma: _Floats) -> _Floats:
    """The colour moved to a lightness, and drawn towards grey where it would leave 0 to 1."""
    moved = rgb + (luma - _luma(rgb))
    grey = _luma(moved)
    low, high = moved.min(axis=-1, keepdims=True), moved.max(axis=-1, keepdims=True)
    under, beyond = low < 0, high > 1
    moved = np.where(under, grey + (moved - grey) * grey / np.where(under, grey - low, 1.0), moved)
    return np.where(beyond, grey + (moved - grey) * (1 - grey) / np.where(beyond, high - grey, 1.0), moved)


def _of_hue(way: Callable[[_Floats, _Floats], _Floats]) -> Callable[[_Ints, _Ints], _Ints]:
    return lambda below, above: (255.0 * way(below / 255.0, above / 255.0)).astype(np.int32)


_COLOURS: dict[str, Callable[[_Ints, _Ints], _Ints]] = {
    "multiply": _product,
    "screen": _screen,
    "overlay": lambda below, above: _hard_light(above, below),
    "darken": np.minimum,
    "lighten": np.maximum,
    "color dodge": lambda below, above: _quotient(below, 255 - above),
    "color burn": lambda below, above: 255 - _quotient(255 - below, above),
    "hard light": _hard_light,
    "soft light": _soft_light,
    "difference": lambda below, above: np.abs(below - above),
    "exclusion": lambda below, above: below + above - 2 * _product(below, above),
    "hue": _of_hue(lambda below, above: _with_luma(_with_span(above, _span(below)), _luma(below))),
    "saturation": _of_hue(lambda below, above: _with_luma(_with_span(below, _span(above)), _luma(below))),
    "color": _of_hue(lambda below, above: _with_luma(above, _luma(below))),
    "luminosity": _of_hue(lambda below, above: _with_luma(below, _luma(above))),
    "addition": lambda below, above: np.minimum(below + above, 255),
    "subtract": lambda below, above: np.maximum(below - above, 0),
    "divide": _quotient,
}
