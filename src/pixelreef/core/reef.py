"""The reef palette: transparent, then 9 ramps of 7 steps, even in OKLab lightness.

Index 0 is transparent; the colour of ramp r (0–8) at step s (0 darkest – 6 lightest) is 1 + 7·r + s, so a ramp and a
step can be read off an index by division. Tokens, sampler, shader and recolouring all use this one table.

The table below is frozen: `ramp_recipe` made it, a test holds the two together, and sprites made with it stay valid
for ever. As pixel artists do, hues drift towards blue in shadow and towards yellow in light.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache

import numpy as np

from pixelreef.core.colour import fit_chroma, rgb_from_oklab
from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps, ramps_from_palette

STEPS = 7
LIGHTNESS = tuple(0.23 + 0.1175 * step for step in range(STEPS))  # 0.23 … 0.935, even
_BLUE, _YELLOW = 265.0, 100.0  # OKLab hues in degrees
_SHADOW_DRIFT = (26.0, 18.0, 9.0, 0.0, -5.0, -9.0, -12.0)  # degrees towards blue; negative: towards yellow
_SPREAD = 4.0  # steps from the most saturated one at which chroma has fallen to 1/e

# name: hue in degrees, the largest chroma, the step that has it (yellows are most themselves when light)
_RECIPE = {
    "slate": (250.0, 0.022, 2.0),
    "sand": (62.0, 0.070, 3.4),
    "amber": (84.0, 0.170, 4.0),  # under 85°, so that its shadows turn brown, not green
    "coral": (33.0, 0.205, 3.2),
    "orchid": (353.0, 0.215, 3.2),
    "violet": (300.0, 0.205, 3.0),
    "azure": (254.0, 0.165, 3.2),
    "teal": (198.0, 0.125, 3.8),
    "kelp": (143.0, 0.185, 4.0),
}
RAMP_NAMES = tuple(_RECIPE)


def ramp_recipe(name: str) -> list[str]:
    """The seven colours of a ramp, dark to light, computed anew from hue, chroma and lightness."""
    hue, chroma, peak = _RECIPE[name]
    colours = [
        fit_chroma(
            LIGHTNESS[step],
            chroma * math.exp(-(((step - peak) / _SPREAD) ** 2)),
            _drifted(hue, _SHADOW_DRIFT[step]),
        )
        for step in range(STEPS)
    ]
    return [bytes(rgb).hex() for rgb in rgb_from_oklab(np.array(colours))]


def _drifted(hue: float, drift: float) -> float:
    """The hue, turned by |drift| degrees the short way towards blue (towards yellow when negative), never past it."""
    target = _BLUE if drift > 0 else _YELLOW
    gap = (target - hue + 180) % 360 - 180
    return hue + math.copysign(min(abs(gap), abs(drift)), gap)


_TABLE = {
    "slate": "191d25 353a45 525a66 727c87 96a0a9 bcc5cb e5eaee",
    "sand": "2b1712 4f3125 755038 997250 bc9771 dcbd9a fde6c8",
    "amber": "301500 543000 795000 9c7400 c29800 e7c024 ffea93",
    "coral": "3d0015 710021 aa011d d93613 ff6735 ffac8c ffe3d7",
    "orchid": "340036 650059 9c0474 d22a86 fd599e ffa5be ffe1e6",
    "violet": "110e52 332288 5f37ba 9053e0 bb79fd daadff f3e2ff",
    "azure": "081845 1a3378 2953ac 247bd9 40a4fc 8ccaff d6edff",
    "teal": "00212c 00424e 006670 008d90 00b5b3 59dbd2 9ffef3",
    "kelp": "002419 00462c 006c35 279327 5db837 93db5f c8fd95",
}


@cache
def reef_palette() -> Palette:
    """The 64 entries: transparent, then ramp after ramp."""
    colours = [colour for name in RAMP_NAMES for colour in _TABLE[name].split()]
    return Palette.from_hex(["000000", *colours], transparent=0, name="reef")


@cache
def reef_ramps() -> Ramps:
    """The declared ramps of the reef palette: 9 lines of 7 indices."""
    lines = tuple(tuple(1 + STEPS * ramp + step for step in range(STEPS)) for ramp in range(len(RAMP_NAMES)))
    return Ramps(lines, RAMP_NAMES, 1 + STEPS * len(RAMP_NAMES))


@lru_cache(maxsize=64)  # finding them takes milliseconds
def ramps_of(palette: Palette) -> Ramps:
    """Declared for the reef palette, found for any other."""
    return reef_ramps() if palette == reef_palette() else ramps_from_palette(palette)
