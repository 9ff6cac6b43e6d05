"""An anemone: a stout column and a crown of waving tentacles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights, organ
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.sessile import ROOT, base, heading, polyps
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Base, tentacles behind, column, mouth, tentacles in front."""
    canvas.pose(traits.facing)
    wide = (0.46 - 0.2 * traits.slender) * random.uniform(0.9, 1.1)
    crown = random.uniform(0.02, 0.2) - 0.1 * traits.slender
    lean, sway = random.uniform(-0.14, 0.14), random.uniform(-0.35, 0.35)
    long = random.uniform(0.55, 0.75) + 0.15 * traits.trail
    thick = (0.1 - 0.045 * traits.slender) * random.uniform(0.9, 1.1)
    behind, tips = _tentacles(random, (lean, crown), wide, (long, thick), sway, int(random.integers(6, 9)))
    arms = limbs(canvas, behind)
    canvas.paint(arms, "tentacle", traits.accent, traits.low, traits.high)
    polyps(canvas, traits, tips, 1.1 * thick)
    column = limbs(canvas, [([(0, ROOT), (0.4 * lean, 0.45), (lean, crown)], [0.8 * wide, 0.66 * wide, 0.8 * wide])])
    canvas.paint(column, "body", traits.body, traits.low, traits.high, edge=1.2)
    folds = bands((column.v + 1) / 2, max(2, round(wide / 0.11)), 0.4, random.random())
    canvas.mark(column.mask & folds & (canvas.y > crown + 0.1), "pattern", None, shift=-0.9)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0.6 * lean, 0.42, 0.38 * wide, 0.2), column)
    if traits.lights > 0.5:
        lights(canvas, traits, [(x * wide, y) for x, y in ((-0.4, 0.3), (0.35, 0.45), (-0.2, 0.6))])
    disc = ellipse(canvas, lean, crown - 0.06, 0.95 * wide, 0.34 * wide)
    canvas.paint(disc, "polyp", traits.accent, traits.low + 0.4, traits.high)
    canvas.paint(ellipse(canvas, lean, crown - 0.05, 0.4 * wide, 0.13 * wide), "mouth", traits.body, traits.low - 1.6)
    count = int(random.integers(2, 5))
    front, tips = _tentacles(random, (lean, crown + 0.02), 0.8 * wide, (0.7 * long, thick), sway, count, droop=1.0)
    fringe = limbs(canvas, front)
    canvas.paint(fringe, "tentacle", traits.accent, traits.low + 0.2, traits.high, edge=1.4)
    polyps(canvas, traits, tips, 1.1 * thick)
    base(canvas, random, traits, wide + 0.1)
    return {"tentacles": len(behind) + len(front), "sway": round(sway, 3), "pattern": "none"}


def _tentacles(
    random: np.random.Generator,
    at: Point,
    wide: float,
    size: tuple[float, float],
    sway: float,
    count: int,
    droop: float = 0.0,
) -> tuple[list[Limb], list[Point]]:
    """Limbs that leave the rim of the crown, and where they end."""
    long, thick = size
    found: list[Limb] = []
    tips = []
    for number in range(count):
        across = 2 * (number + random.uniform(0.2, 0.8)) / count - 1
        foot = (at[0] + across * wide, at[1])
        angle = across * (1.0 + 0.5 * droop)
        reach = long * random.uniform(0.8, 1.1) * (1 - 0.25 * abs(across))
        middle = heading(angle, 0.55 * reach, foot)
        bend = sway + random.uniform(-0.35, 0.35) + (math.copysign(1.3, across) if droop else 0.15 * across)
        tip = heading(angle + bend, 0.5 * reach, middle)
        found.append(([foot, middle, tip], [1.2 * thick, thick, 0.85 * thick]))
        tips.append(tip)
    return found, tips


SPECIES = Species("anemone", "coral", draw)
