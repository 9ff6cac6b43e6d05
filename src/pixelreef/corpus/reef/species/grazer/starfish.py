"""A starfish, seen from above: five arms or more, stout in the light, whips around a button in the deep."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights, organ
from pixelreef.corpus.reef.limbs import Limb, dots, limbs
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Arms, disc, and the knobs along each arm."""
    canvas.pose(traits.facing, random.uniform(0, math.tau / 5))
    count = pick(random, (5, 5, 5, 6, 7)) if traits.slender < 0.6 else pick(random, (5, 5, 6))
    wide = (0.22 - 0.14 * traits.slender) * random.uniform(0.9, 1.1) * (1.0 if count == 5 else 0.8)
    reach = random.uniform(0.78, 0.9)
    disc = wide * random.uniform(1.1, 1.3) + 0.06 + 0.04 * traits.slender
    curl = random.uniform(0.0, 0.3) + 0.7 * traits.slender * random.random()
    arms, tips = _arms(random, count, (reach, wide), curl, together=random.random() < 0.5)
    star = limbs(canvas, arms)
    canvas.paint(star, "limb", traits.body, traits.low + 0.4 * (traits.deep == 2), traits.high)
    if traits.clear > 0.5:
        canvas.mark(star.mask & (np.abs(star.v) < 0.35) & (star.u < 0.85), "organ", traits.second, 4.2)
    elif traits.slender > 0.6:
        canvas.mark(star.mask & ((star.u * 5) % 1 < 0.45), "pattern", None, shift=-0.9)
    else:
        _knobs(canvas, random, traits, star.mask, arms, wide)
    middle = ellipse(canvas, 0, 0, disc, disc)
    canvas.paint(middle, "body", traits.body, traits.low + 0.2, traits.high + 0.3)
    hub = ellipse(canvas, 0, 0, 0.5 * disc, 0.5 * disc)
    if traits.clear > 0.5:
        organ(canvas, traits, hub, middle)
    else:
        canvas.mark(hub.mask, "pattern", traits.second, shift=1.2 if traits.deep < 3 else -0.8)
    if traits.lights > 0.15:
        lights(canvas, traits, [(0.62 * x, 0.62 * y) for x, y in tips])
    return {"arms": count, "curl": round(curl, 3), "view": "above", "pattern": "none"}


def _arms(
    random: np.random.Generator, count: int, size: tuple[float, float], curl: float, together: bool
) -> tuple[list[Limb], list[Point]]:
    """Arms that curl, all one way or each its own, and where they end."""
    reach, wide = size
    found: list[Limb] = []
    tips = []
    for number in range(count):
        angle = math.tau * (number + random.uniform(-0.14, 0.14)) / count
        turn = curl if together else curl * random.uniform(-1, 1)
        long = reach * random.uniform(0.88, 1.0)
        middle = (0.5 * long * math.sin(angle), -0.5 * long * math.cos(angle))
        tip = (long * math.sin(angle + turn), -long * math.cos(angle + turn))
        found.append(([(0.0, 0.0), middle, tip], [1.15 * wide, 0.85 * wide, 0.32 * wide]))
        tips.append((0.97 * tip[0], 0.97 * tip[1]))
    return found, tips


def _knobs(
    canvas: Canvas, random: np.random.Generator, traits: Traits, star: np.ndarray, arms: list[Limb], wide: float
) -> None:
    """A row of knobs down the middle of each arm, or one dark seam."""
    kind = pick(random, ("knobs", "knobs", "bands")) if traits.pattern != "none" else "knobs"
    if kind == "knobs":
        places = []
        for points, _ in arms:
            (x0, y0), (x1, y1) = points[1], points[2]
            places += [(0.85 * x0, 0.85 * y0), ((x0 + x1) / 2 * 1.02, (y0 + y1) / 2 * 1.02)]
        canvas.mark(dots(canvas, places, 0.24 * wide) & star, "pattern", traits.second, shift=1.3)
    else:
        away = np.sqrt(canvas.x * canvas.x + canvas.y * canvas.y)
        canvas.mark(star & ((away * random.uniform(2.6, 3.4)) % 1 < 0.42), "pattern", traits.second, shift=-1.2)


SPECIES = Species("starfish", "grazer", draw)
