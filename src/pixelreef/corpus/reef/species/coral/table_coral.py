"""A table coral: flat plates set with short fingers, one above the other, on a stem."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.sessile import ROOT, base, heading, polyps
from pixelreef.corpus.reef.shapes import profile
from pixelreef.corpus.reef.zones import Traits

Plate = tuple[float, float, float]
"""x and y of its middle, and half its width."""


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Stem and fingers, plates from below upwards, polyps, base."""
    canvas.pose(traits.facing)
    tiers = int(random.integers(1, 4))
    thick = (0.2 - 0.1 * traits.slender) * random.uniform(0.9, 1.1)
    high = random.uniform(0.4, 0.55) + 0.24 * tiers + 0.12 * traits.slender
    lean = random.uniform(-0.2, 0.2)
    plates = _plates(random, tiers, lean, high)
    stem = [(0.0, ROOT), (0.2 * lean, ROOT - 0.4 * high), (lean, ROOT - high)]
    growth: list[Limb] = [(stem, [1.3 * thick, 0.8 * thick, 0.7 * thick])]
    growth += [finger for plate in plates for finger in _fingers(random, plate, thick)]
    canvas.paint(limbs(canvas, growth), "branch", traits.body, traits.low - 0.2, traits.high - 0.3)
    for plate in plates:
        _plate(canvas, random, traits, plate, thick)
    polyps(canvas, traits, [seed for plate in plates for seed in _seeds(random, traits, plate, thick)], 0.06)
    base(canvas, random, traits, 0.42)
    return {"tiers": tiers, "lean": round(lean, 3), "pattern": "none"}


def _plates(random: np.random.Generator, tiers: int, lean: float, high: float) -> list[Plate]:
    found = []
    for tier in range(tiers):
        level = (tier + 1) / tiers
        half = random.uniform(0.62, 0.88) * (1.0 if tiers == 1 else 0.9 - 0.22 * tier)
        aside = 0.3 if tiers > 1 else 0.1
        found.append((lean * level + random.uniform(-aside, aside), ROOT - high * level, half))
    return found


def _fingers(random: np.random.Generator, plate: Plate, thick: float) -> list[Limb]:
    x, y, half = plate
    found: list[Limb] = []
    for _ in range(round(half / 0.13)):
        foot = (x + half * random.uniform(-0.85, 0.85), y - 0.3 * thick)
        tip = heading(random.uniform(-0.4, 0.4), thick + random.uniform(0.04, 0.2), foot)
        found.append(([foot, tip], [0.06, 0.045]))
    return found


def _plate(canvas: Canvas, random: np.random.Generator, traits: Traits, plate: Plate, thick: float) -> None:
    x, y, half = plate
    bumps = [thick * random.uniform(0.5, 1.15) for _ in range(9)]
    under = [thick * share for share in (0.0, 0.3, 0.5, 1.7, 0.5, 0.3, 0.0)]
    tilt, droop = random.uniform(-0.12, 0.12), random.uniform(-0.02, 0.06) + 0.14 * (traits.deep > 2)
    bend = [y + tilt + droop, y + 0.4 * tilt, y, y - 0.4 * tilt, y - tilt + droop]
    shape = profile(canvas, x - half, x + half, [0.06, *bumps, 0.06], under, bend)
    canvas.paint(shape, "branch", traits.body, traits.low, traits.high, edge=1.4)
    canvas.mark(shape.mask & (shape.v < 0.1), "body", None, shift=0.5)
    canvas.mark(shape.mask & (shape.v > 0.25), shift=-0.8)
    if traits.clear > 0.5:
        canvas.mark(shape.mask & (np.abs(shape.v) < 0.3), "organ", traits.second, 4.0)


def _seeds(random: np.random.Generator, traits: Traits, plate: Plate, thick: float) -> list[Point]:
    x, y, half = plate
    count = max(2, round(half / 0.16))
    places = [1.8 * (number + random.uniform(0.2, 0.8)) / count - 0.9 for number in range(count)]
    return [(x + half * place, y - 0.6 * thick) for place in places[:: 1 if traits.deep < 3 else 2]]


SPECIES = Species("table coral", "coral", draw)
