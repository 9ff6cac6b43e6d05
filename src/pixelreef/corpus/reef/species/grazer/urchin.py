"""A sea urchin: a ball of plates bristling with spines, thin as needles or thick as pencils."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights, organ
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, lines
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Feet, spines behind, ball with its five rows of plates, spines in front."""
    canvas.pose(traits.facing, traits.tilt)
    kind = pick(random, ("needles", "pencils", "bristles") if traits.deep < 3 else ("needles", "pencils"))
    radius = (
        {"needles": 0.42, "pencils": 0.44, "bristles": 0.58}[kind]
        * random.uniform(0.9, 1.12)
        * (1 - 0.2 * traits.slender)
    )
    flat = radius * random.uniform(0.8, 0.98)
    reach = {"needles": 0.44, "pencils": 0.3, "bristles": 0.2}[kind] * random.uniform(
        0.85, 1.12
    ) + 0.12 * traits.slender
    count = (
        {"needles": 18, "pencils": 13, "bristles": 20}[kind] - round(4 * traits.slender) + int(random.integers(-1, 3))
    )
    wide = {"needles": 0.045, "pencils": 0.1 - 0.03 * traits.slender, "bristles": 0.06}[kind]
    _feet(canvas, random, traits, radius)
    spines = limbs(canvas, _spines(random, (radius, flat), reach, count, wide, kind))
    canvas.paint(spines, "spine", traits.accent if kind == "pencils" else traits.body, traits.low - 0.3, traits.high)
    facing = canvas.x * canvas.light[0] + canvas.y * canvas.light[1]
    np.add(canvas.tone, 0.9 * facing, out=canvas.tone, where=spines.mask)
    if kind == "pencils" or traits.deep == 2:
        ramp = traits.glow if traits.deep == 2 else traits.second
        canvas.mark(spines.mask & (spines.u > 0.78), "spine", ramp, 5.0 if traits.deep == 2 else None, shift=1.0)
    ball = ellipse(canvas, 0, 0, radius, flat)
    canvas.paint(ball, "shell", traits.body, traits.low, traits.high, edge=0.6)
    _plates(canvas, random, traits, ball, (radius, flat))
    if traits.lights > 0.15:
        lights(
            canvas, traits, [(x * radius, y * flat) for x, y in ((-0.5, 0.1), (0.4, 0.3), (-0.1, 0.6), (0.55, -0.2))]
        )
    return {"spines": kind, "count": count, "reach": round(reach, 3), "pattern": "none"}


def _spines(random: np.random.Generator, radii: Point, reach: float, count: int, wide: float, kind: str) -> list[Limb]:
    """Spines all around, a little shorter below, where it stands."""
    found: list[Limb] = []
    start, bias = random.random(), random.uniform(-0.2, 0.2)
    uneven = 0.5 if kind == "needles" else 0.25
    for number in range(count):
        angle = math.tau * (number + start + random.uniform(-0.2, 0.2)) / count
        cos, sin = math.cos(angle + bias * math.cos(angle)), math.sin(angle)
        long = reach * random.uniform(1 - uneven, 1.0) * (1.0 if sin < 0.5 else 0.7)
        foot = (0.85 * radii[0] * cos, 0.85 * radii[1] * sin)
        tip = (foot[0] + (long + 0.15 * radii[0]) * cos, foot[1] + (long + 0.15 * radii[1]) * sin)
        found.append(([foot, tip], [wide, wide if kind == "pencils" else 0.4 * wide]))
    return found


def _plates(canvas: Canvas, random: np.random.Generator, traits: Traits, ball: Shape, radii: Point) -> None:
    """Rows that run down from the top, where a ring lies around the vent."""
    x, y = random.uniform(-0.15, 0.15) * radii[0], -0.42 * radii[1]
    angle = np.arctan2(canvas.y - y, canvas.x - x) / math.tau
    rows = (angle * 5 + random.random()) % 1 < 0.36
    canvas.mark(ball.mask & rows, "pattern", traits.second, shift=0.9 if traits.deep != 3 else -0.7)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, 0.15 * radii[1], 0.5 * radii[0], 0.4 * radii[1]), ball)
    ring = ellipse(canvas, x, y, max(0.26 * radii[0], 0.09), max(0.2 * radii[1], 0.08))
    canvas.mark(ring.mask, "organ", traits.accent, min(traits.high + 0.6, 6))


def _feet(canvas: Canvas, random: np.random.Generator, traits: Traits, radius: float) -> None:
    """Tube feet that feel about below."""
    threads = []
    for place in (-0.5, -0.15, 0.2, 0.55):
        x = place * radius
        threads.append(
            [(x, 0.6 * radius), (x * 1.2 + random.uniform(-0.05, 0.05), radius + random.uniform(0.12, 0.22))]
        )
    canvas.paint(lines(canvas, threads), "limb", traits.accent, traits.low + 0.6, bare=True)


SPECIES = Species("urchin", "grazer", draw)
