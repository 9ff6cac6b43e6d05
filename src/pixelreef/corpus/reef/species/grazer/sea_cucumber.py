"""A sea cucumber: a bent sausage with warts and a bunch of arms at its mouth; in the deep a sea pig on tall legs."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights, organ
from pixelreef.corpus.reef.limbs import Limb, dots, limbs
from pixelreef.corpus.reef.patterns import bands, spots
from pixelreef.corpus.reef.sessile import heading
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import curve, ellipse, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Warts or feelers on the back, feet, arms around the mouth, body over them."""
    canvas.pose(traits.facing, 0.7 * traits.tilt)
    pig = traits.deep >= 3
    half = random.uniform(0.52, 0.62) if not pig else random.uniform(0.45, 0.58)
    stout = (0.29 - 0.08 * traits.slender) * random.uniform(0.9, 1.1) + 0.1 * pig
    hump, rear = random.uniform(-0.22, 0.16), random.uniform(-0.15, 0.2)
    head = random.uniform(-0.2, 0.15)
    back = [(-half, rear), (-0.3 * half, hump), (0.35 * half, 0.5 * hump), (half - 0.1, head)]
    path = curve(back, 17).tolist()
    _bristle(canvas, random, traits, path, stout, pig)
    _arms(canvas, random, traits, (half - 0.1, head), stout)
    body = stroke(canvas, back, (0.8 * stout, stout, stout, 0.8 * stout))
    canvas.paint(body, "body", traits.body, traits.low, traits.high, edge=1.0)
    canvas.mark(body.mask & (body.v > 0.5), "belly", None, shift=0.7)
    if traits.pattern == "none" or traits.deep > 2:
        rings = bands(body.u, int(random.integers(4, 7)), 0.4, random.random())
        canvas.mark(body.mask & rings & (body.v < 0.5), "pattern", None, shift=-0.7)
    else:
        warts = spots(canvas, random.uniform(0.24, 0.32), 0.07, (random.random(), random.random()))
        canvas.mark(body.mask & warts & (np.abs(body.v) < 0.7), "pattern", traits.second, shift=1.2)
    if traits.clear > 0.5:
        gut = stroke(
            canvas, [(-0.6 * half, hump), (0, hump + 0.12), (0.3 * half, 0.4 * hump), (0.7 * half, head)], (0.07,)
        )
        organ(canvas, traits, gut, body)
    if traits.lights > 0.15:
        lights(
            canvas,
            traits,
            [(x, y + 0.3 * stout * (1 - 2 * (number % 2))) for number, (x, y) in enumerate(path[2:-2:2])],
        )
    lips = ellipse(canvas, half - 0.1 + 0.5 * stout, head + 0.02, 0.08, 0.4 * stout)
    canvas.mark(lips.mask & body.mask, "mouth", traits.accent, max(traits.low - 1.2, 0))
    return {"form": "sea pig" if pig else "cucumber", "stout": round(stout, 3), "pattern": "none"}


def _bristle(
    canvas: Canvas, random: np.random.Generator, traits: Traits, path: list[list[float]], stout: float, pig: bool
) -> None:
    """Feet below and warts above; a sea pig has few of both, and long ones."""
    feet: list[Limb] = []
    warts: list[Limb] = []
    steps = (2, 6, 10, 14) if pig else range(2, 16, 2)
    for place in steps:
        x, y = path[place]
        drop = stout + (random.uniform(0.26, 0.42) if pig else random.uniform(0.06, 0.13))
        splay = 0.05 * (place - 8) / 8 + random.uniform(-0.06, 0.06)
        feet.append(([(x, y + 0.5 * stout), (x + splay, y + drop)], [0.085 - 0.02 * pig, 0.06 - 0.01 * pig]))
        if not pig:
            lean = random.uniform(-0.5, 0.2)
            warts.append(([(x, y), heading(lean, stout + random.uniform(0.06, 0.2), (x, y))], [0.09, 0.045]))
    if pig:
        for place in (4, 7, 11, 14)[: int(random.integers(2, 5))]:
            x, y = path[place]
            long, lean = stout + random.uniform(0.3, 0.6), random.uniform(-0.7, 0.5)
            tip = heading(lean, long, (x, y))
            warts.append(([(x, y), heading(0.3 * lean, 0.6 * long, (x, y)), tip], [0.07, 0.05, 0.03]))
    canvas.paint(limbs(canvas, feet), "limb", traits.accent, traits.low - 0.3, traits.high - 0.6)
    canvas.paint(limbs(canvas, warts), "limb" if pig else "pattern", traits.accent, traits.low, traits.high)


def _arms(
    canvas: Canvas, random: np.random.Generator, traits: Traits, mouth: tuple[float, float], stout: float
) -> None:
    """Arms around the mouth that mop up what they find."""
    arms: list[Limb] = []
    tips: list[Point] = []
    count = int(random.integers(3, 5))
    for number in range(count):
        angle = 0.6 + 2.2 * (number + random.uniform(0.3, 0.7)) / count
        tip = heading(angle, stout + random.uniform(0.08, 0.22), mouth)
        arms.append(([mouth, tip], [0.06, 0.06]))
        tips.append(tip)
    shape = limbs(canvas, arms)
    canvas.paint(shape, "tentacle", traits.accent, traits.low - 0.4, traits.high - 0.6)
    clubs = Shape(dots(canvas, tips, 0.095), shape.lit, shape.u, shape.v)
    canvas.paint(clubs, "tentacle", traits.accent, min(traits.high + 0.4, 6))


SPECIES = Species("sea cucumber", "grazer", draw)
