"""What corals and their kin share: the base on the ground, and polyps, which glow where there is no other light.

They are seen from the side and stand upright: the ground is at y = FLOOR, and below it nothing is painted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.limbs import dots
from pixelreef.corpus.reef.shapes import ellipse, lines
from pixelreef.corpus.reef.zones import SAND, SLATE, Traits, pick

FLOOR = 0.86
ROOT = FLOOR - 0.1  # where stems begin
_STONES = {"shallows": (SAND, SLATE, SAND), "twilight": (SLATE,), "midnight": (SLATE,), "abyss": (SAND, SLATE)}
_TONES = {  # steps of stone or mud in shadow and in light
    "shallows": (1.2, 4.0),
    "twilight": (0.4, 3.0),
    "midnight": (0.0, 1.6),
    "abyss": (0.6, 2.4),
    "hadal": (3.0, 4.8),
}


def base(canvas: Canvas, random: np.random.Generator, traits: Traits, half: float) -> None:
    """What the growth stands on, about `half` wide to each side: a stone, two stones, or a root in mud.

    Paint it last: it covers the foot of the stem, which should reach down to ROOT.
    """
    ramp = pick(random, _STONES.get(traits.zone, (traits.body, SAND)))
    low, high = _TONES[traits.zone]
    tall = random.uniform(0.24, 0.36) * (1 - 0.3 * traits.slender)
    half = half * random.uniform(0.9, 1.2)
    lean = random.uniform(-0.3, 0.3) * half
    ground = canvas.y <= FLOOR
    canvas.erase(~ground)
    mound = ellipse(canvas, lean, FLOOR, half, tall, power=random.uniform(2.0, 2.8))
    canvas.paint(mound & ground, "base", ramp, low, high)
    if random.random() < 0.6:
        side = -1 if lean > 0 else 1
        pebble = ellipse(canvas, side * half * 0.8, FLOOR, half * random.uniform(0.4, 0.6), tall * 0.7)
        canvas.paint(pebble & ground, "base", ramp, low, high, edge=1.0)
    if traits.deep >= 3:
        _roots(canvas, random, ramp, (lean, half), (low + high) / 2)


def _roots(canvas: Canvas, random: np.random.Generator, ramp: int, at: tuple[float, float], tone: float) -> None:
    """Threads that hold on to mud."""
    x, half = at
    threads = []
    for side in (-1, 1):
        reach, sag = half + random.uniform(0.12, 0.3), random.uniform(0.02, 0.06)
        threads.append([(x + side * half * 0.7, FLOOR - 0.05), (x + side * reach, FLOOR - sag)])
    canvas.paint(lines(canvas, threads) & (canvas.y <= FLOOR), "base", ramp, tone, bare=True, behind=True)


def polyps(canvas: Canvas, traits: Traits, points: Sequence[Point], radius: float) -> None:
    """Polyps: dots on what is painted, in the colour of the zone's."""
    if points:
        ramp, tone = polyp_colour(traits)
        canvas.mark(dots(canvas, points, radius), "polyp", ramp, tone)


def polyp_colour(traits: Traits) -> tuple[int, float]:
    """Ramp and step: pale or gaudy in the light, glowing in the dark, the colour of flesh at the bottom."""
    if traits.zone == "shallows":
        return traits.accent if traits.accent != traits.body else traits.second, 5.6
    if traits.zone == "hadal":
        return traits.second, 5.2
    if traits.zone == "abyss":
        return (traits.glow, 4.6) if traits.lights > 0.12 else (traits.accent, 4.4)
    return traits.glow, 5.0 if traits.zone == "twilight" else 6.0


def heading(angle: float, reach: float, start: Point) -> Point:
    """The point so far from a start, `angle` radians from upright, to the right when positive."""
    return start[0] + reach * math.sin(angle), start[1] - reach * math.cos(angle)
