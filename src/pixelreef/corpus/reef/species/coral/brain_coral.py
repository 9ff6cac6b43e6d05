"""A brain coral: a dome, or several grown together, with winding grooves."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import organ
from pixelreef.corpus.reef.limbs import limbs
from pixelreef.corpus.reef.sessile import FLOOR, base, polyps
from pixelreef.corpus.reef.shape import Bits, Shape
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Base, the stalk of a deep one, lobes from back to front, grooves."""
    canvas.pose(traits.facing, at=(0.0, -0.3))  # it is low: without this it would lie off the middle
    half = (0.88 - 0.24 * traits.slender) * random.uniform(0.85, 1.05)
    tall = (1.1 - 0.15 * traits.slender) * random.uniform(0.65, 1.1)
    stalk = (0.3 * traits.slender * random.uniform(0.4, 1.3)) if traits.deep else 0.0
    lobes = int(random.integers(1 + (traits.deep > 1), 4))
    foot = FLOOR - 0.12 - stalk
    if stalk > 0.1:
        trunk = limbs(canvas, [([(0, FLOOR - 0.1), (0, foot)], [0.4 * half, 0.5 * half])])
        canvas.paint(trunk, "branch", traits.body, traits.low - 0.4, traits.high - 0.8)
    for shape in _lobes(canvas, random, (half, tall), foot, lobes):
        canvas.paint(shape, "body", traits.body, traits.low, traits.high, edge=1.6)
        grooves = _grooves(canvas, random, (random.uniform(-0.5, 0.5) * half, foot + random.uniform(-0.4, 0.2)))
        _mark_grooves(canvas, traits, shape.mask & grooves)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, foot - 0.35 * tall, 0.3 * half, 0.25 * tall), shape)
    if traits.deep:
        seeds = [(half * random.uniform(-0.7, 0.7), foot - tall * random.uniform(0.1, 0.8)) for _ in range(5)]
        polyps(canvas, traits, seeds[: 2 + round(4 * traits.lights)], 0.06)
    base(canvas, random, traits, 0.7 * half)
    return {"lobes": lobes, "stalk": round(stalk, 3), "pattern": "none"}


def _lobes(
    canvas: Canvas, random: np.random.Generator, size: tuple[float, float], foot: float, count: int
) -> list[Shape]:
    """Domes that stand on one line, and bulge a little below it."""
    half, tall = size
    found = []
    for number in range(count):
        share = 1.0 if count == 1 else random.uniform(0.6, 0.78)
        place = 0.0 if count == 1 else (2 * number / (count - 1) - 1) * (1 - share) * half * 1.05
        high = tall * (1.0 if number == 0 else random.uniform(0.55, 0.95))
        dome = ellipse(canvas, place, foot - 0.2 * high, share * half, 0.8 * high, power=random.uniform(2.0, 2.6))
        found.append(dome & (canvas.y <= foot + 0.03))
    return found


def _mark_grooves(canvas: Canvas, traits: Traits, grooves: Bits) -> None:
    """Dark in the light; in the dark they shine; at the bottom they show what is inside."""
    if traits.zone == "midnight":
        canvas.mark(grooves, "pattern", traits.glow, shift=1.4)
    else:
        ramp = traits.second if traits.clear > 0.5 else None
        canvas.mark(grooves, "pattern", ramp, shift=-2.0 if traits.deep < 2 else -1.4)


def _grooves(canvas: Canvas, random: np.random.Generator, at: Point) -> Bits:
    """Rings around a point that wind in and out."""
    x, y = canvas.x - at[0], canvas.y - at[1]
    period = max(random.uniform(0.27, 0.36), 4.2 * canvas.pixel)
    folds, wind = int(random.integers(4, 8)), random.uniform(0.2, 0.42)
    wave = np.sqrt(x * x + y * y) / period + wind * np.sin(np.arctan2(y, x) * folds + random.uniform(0, 6.3))
    return np.asarray(wave % 1 < 0.45)


SPECIES = Species("brain coral", "coral", draw)
