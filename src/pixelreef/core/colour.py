"""Colour as people see it: sRGB bytes to OKLab and back.

OKLab (Björn Ottosson, 2020) is a space in which equal steps look about equally large. L is lightness in [0, 1];
a and b are signed, about ±0.4. Distances in it are plain Euclidean: 0.02 is about the least that one notices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

# Linear sRGB → cone responses, and their cube roots → Lab, as published with the space.
_LMS_FROM_LINEAR = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB_FROM_ROOTS = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_ROOTS_FROM_LAB = np.linalg.inv(_LAB_FROM_ROOTS)
_LINEAR_FROM_LMS = np.linalg.inv(_LMS_FROM_LINEAR)

_BYTES = np.arange(256) / 255.0
_LINEAR_FROM_BYTE = np.where(_BYTES <= 0.04045, _BYTES / 12.92, ((_BYTES + 0.055) / 1.055) ** 2.4)


def oklab_from_rgb(rgb: NDArray[np.uint8], dtype: type[np.floating[Any]] = np.float64, flare: float = 0.0) -> Floats:
    """sRGB bytes (…, 3) → OKLab (…, 3). float32 is about twice as fast and good to 1e-6.

    With `flare` that share of white light is mixed into every colour first, as a lit room does on a screen: without
    it the darkest colours lie far apart.

    >>> oklab_from_rgb(np.array([255, 255, 255], np.uint8)).round(3).tolist()
    [1.0, 0.0, 0.0]
    >>> dark = np.array([[0, 0, 0], [3, 3, 3]], np.uint8)
    >>> [float(np.ptp(oklab_from_rgb(dark, flare=share)[:, 0]).round(2)) for share in (0.0, 0.005)]
    [0.1, 0.01]
    """
    linear = (_LINEAR_FROM_BYTE * (1 - flare) + flare).astype(dtype)[rgb]
    roots = np.cbrt(linear @ _LMS_FROM_LINEAR.T.astype(dtype))
    return np.asarray(roots @ _LAB_FROM_ROOTS.T.astype(dtype))


def linear_from_oklab(lab: Floats) -> Floats:
    """OKLab (…, 3) → linear sRGB (…, 3); outside [0, 1] where the screen has no such colour."""
    return np.asarray((np.asarray(lab) @ _ROOTS_FROM_LAB.T) ** 3 @ _LINEAR_FROM_LMS.T)


def rgb_from_oklab(lab: Floats) -> NDArray[np.uint8]:
    """OKLab (…, 3) → sRGB bytes, each channel clipped to what a screen can show."""
    linear = np.clip(linear_from_oklab(lab), 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(encoded * 255), dtype=np.uint8)


def in_gamut(lab: Floats) -> NDArray[np.bool_]:
    """Whether a screen can show each colour of (…, 3), to half a byte step."""
    linear = linear_from_oklab(lab)
    return np.asarray(((linear > -1e-4) & (linear < 1 + 1e-4)).all(axis=-1))


def oklab_from_lch(lightness: float, chroma: float, hue_degrees: float) -> Floats:
    """Lightness, chroma and hue (degrees) → one OKLab colour (3,)."""
    hue = np.deg2rad(hue_degrees)
    return np.array([lightness, chroma * np.cos(hue), chroma * np.sin(hue)])


def fit_chroma(lightness: float, chroma: float, hue_degrees: float) -> Floats:
    """The OKLab colour of that lightness and hue with the most chroma ≤ `chroma` that a screen can show."""
    low, high = 0.0, chroma
    if in_gamut(oklab_from_lch(lightness, chroma, hue_degrees)):
        return oklab_from_lch(lightness, chroma, hue_degrees)
    for _ in range(30):  # halving 0.4 thirty times is far below a byte step
        middle = (low + high) / 2
        low, high = (middle, high) if in_gamut(oklab_from_lch(lightness, middle, hue_degrees)) else (low, middle)
    return oklab_from_lch(lightness, low, hue_degrees)
