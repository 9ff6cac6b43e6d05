"""What people call a colour: the eleven basic colour terms, decided by the nearest example in OKLab.

The terms are those of Berlin and Kay (1969), which every speaker of English uses and agrees on most: black, white,
grey, red, orange, yellow, green, blue, purple, pink, brown. A colour has the name of its nearest example and, since
borders are soft, every other name that has an example almost as near (`BORDER`): an orange-red is both. A drawing is
then never failed for a shade that people would argue about.

`tones` gives the numbers behind the names: lightness, chroma and hue, for checks that ask for warmth or for an order.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.palette import Palette, rgb_from_hex

BORDER = 0.03  # OKLab; 0.02 is about the least that one notices

EXAMPLES: dict[str, tuple[str, ...]] = {
    "black": ("000000", "161616", "101018", "1c1412"),
    "white": ("ffffff", "f4f4f4", "fffaf0", "eef4f8"),
    "grey": ("808080", "a9a9a9", "c4c4c4", "696969", "505050", "3a3a3a", "2e2e2e", "d8d8d8", "708090", "8a8478"),
    "red": ("ff0000", "d01818", "a80000", "7a0008", "dc143c", "e8473c"),
    "orange": ("ff8c00", "ff7a1a", "ffa020", "e67e22", "f9a24a", "cc6a10", "ff6410"),
    "yellow": ("ffff00", "ffd700", "f4d03f", "fff27a", "e8c820", "fff6a8"),
    "green": ("00e000", "008000", "228b22", "4caf50", "90ee90", "005a10", "8bc34a", "2e8b57", "5a7a20"),
    "blue": (
        "0000ff",
        "000090",
        "1e90ff",
        "4169e1",
        "87ceeb",
        "00bfff",
        "a8d8f0",
        "00d8f0",
        "1a2a60",
        "3a6ea5",
        "2a48d8",
        "3038b8",
    ),
    "purple": ("800080", "9b59b6", "8a2be2", "5a189a", "4b0082", "9370db", "b070d8", "350060", "cc00cc"),
    "pink": ("ffc0cb", "ff69b4", "ff1493", "f48fb1", "ffa0c0", "ff60d0"),
    "brown": ("8b4513", "a0522d", "654321", "795548", "5d3a28", "9a6a40", "4a2818", "c09a6c"),
}
NAMES = tuple(EXAMPLES)

_EXAMPLE_LAB = oklab_from_rgb(
    np.array([rgb_from_hex(shade) for shades in EXAMPLES.values() for shade in shades], np.uint8)
)
_EXAMPLE_SQUARES = (_EXAMPLE_LAB**2).sum(axis=1)
_FIRST_EXAMPLES = np.cumsum([0, *(len(shades) for shades in EXAMPLES.values())])[:-1]  # of each name


class Tone(NamedTuple):
    """A colour in polar OKLab."""

    lightness: float
    """0 is black, 1 is white."""
    chroma: float
    """0 is grey; the purest screen red has 0.26."""
    hue: float
    """Degrees from 0 to 360: red 29, orange 60, yellow 110, green 142, cyan 195, blue 264, violet 300."""


@lru_cache(maxsize=1024)
def names(palette: Palette) -> tuple[tuple[str, ...], ...]:
    """The names of every colour of a palette: for each the nearest first, then those almost as near.

    >>> names(Palette.from_hex(["dd2222", "f05018"]))
    (('red',), ('red', 'orange'))
    """
    # |a − b|² = |a|² − 2ab + |b|², the one form that needs no (colours, examples, 3) table
    lab = palette.oklab
    squares = (lab**2).sum(axis=1)[:, None] - 2 * lab @ _EXAMPLE_LAB.T + _EXAMPLE_SQUARES
    nearest = np.minimum.reduceat(squares, _FIRST_EXAMPLES, axis=1)
    return tuple(_near(row) for row in np.sqrt(np.maximum(nearest, 0)).tolist())


def _near(distances: list[float]) -> tuple[str, ...]:
    limit = min(distances) + BORDER
    return tuple(name for distance, name in sorted(zip(distances, NAMES, strict=True)) if distance <= limit)


@lru_cache(maxsize=1024)
def tones(palette: Palette) -> tuple[Tone, ...]:
    """The tone of every colour of a palette, in order.

    >>> [round(value, 2) for value in tones(Palette.from_hex(["ff0000"]))[0]]
    [0.63, 0.26, 29.23]
    """
    return tuple(
        Tone(lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360)
        for lightness, a, b in palette.oklab.tolist()
    )


def hue_between(tone: Tone, low: float, high: float) -> bool:
    """Whether the hue lies on the arc from `low` up to `high` degrees; `low` may be negative.

    >>> hue_between(Tone(0.5, 0.2, 350.0), -20, 45)
    True
    """
    return (tone.hue - low) % 360 <= high - low
