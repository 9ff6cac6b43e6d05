"""A tube coral: pipes of different heights side by side, open at the top, some with a crown of polyp arms."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.sessile import ROOT, base, heading, polyp_colour
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Crowns, pipes, the rim and the hole of each, base."""
    canvas.pose(traits.facing)
    wide = (0.18 - 0.08 * traits.slender) * random.uniform(0.9, 1.1)
    count = int(random.integers(2, 5 if wide > 0.14 else 6))
    heights = sorted((random.uniform(0.4, 1.32) for _ in range(count)), reverse=True)
    heights[0] = max(heights[0], 0.95)
    gap = min(max(2.3 * wide, random.uniform(0.3, 0.42)), 1.3 / count)
    wide = min(wide, 0.46 * gap)
    places = [gap * (number - (count - 1) / 2) for number in range(count)]
    places.sort(key=lambda x: abs(x + random.uniform(-0.3, 0.3)))  # tall ones in the middle, more or less
    crown = random.random() < (0.4 if traits.deep < 2 else 0.75)
    pipes, tops = _pipes(random, heights, places, wide)
    if crown:
        _arms(canvas, traits, tops, wide)
    _walls(canvas, random, traits, pipes)
    _mouths(canvas, traits, tops, wide, crown)
    base(canvas, random, traits, 0.25 + 0.4 * gap * count / 2)
    return {"pipes": count, "crown": crown, "pattern": "none"}


def _pipes(
    random: np.random.Generator, heights: list[float], places: list[float], wide: float
) -> tuple[list[Limb], list[Point]]:
    """The pipes and the middles of their openings; a pipe's round end stays inside its rim."""
    pipes: list[Limb] = []
    tops: list[Point] = []
    for high, x in zip(heights, places, strict=True):
        lean = random.uniform(0.0, 0.3) * x + random.uniform(-0.08, 0.08)
        top = (x + lean, ROOT - high)
        middle = (0.9 * x + 0.3 * lean, ROOT - 0.5 * high)
        under = (top[0], top[1] + 0.6 * wide)
        pipes.append(([(0.6 * x, ROOT), middle, under], [0.7 * wide, 0.85 * wide, wide]))
        tops.append(top)
    return pipes, tops


def _arms(canvas: Canvas, traits: Traits, tops: list[Point], wide: float) -> None:
    ramp, tone = polyp_colour(traits)
    arms: list[Limb] = []
    for top in tops:
        arms += [([top, heading(angle, wide + 0.15, top)], [0.05, 0.035]) for angle in (-0.95, -0.35, 0.3, 0.9)]
    canvas.paint(limbs(canvas, arms), "polyp", ramp, tone - 0.8, tone + 0.2, bare=True)


def _walls(canvas: Canvas, random: np.random.Generator, traits: Traits, pipes: list[Limb]) -> None:
    walls = limbs(canvas, pipes)
    canvas.paint(walls, "branch", traits.body, traits.low, traits.high, edge=1.5)
    if traits.pattern in ("bars", "stripes", "gradient", "spots"):
        rings = bands(walls.u, int(random.integers(2, 5)), 0.42, random.random())
        canvas.mark(walls.mask & rings, "pattern", None, shift=-1.0)
    if traits.clear > 0.5:
        canvas.mark(walls.mask & (np.abs(walls.v) < 0.3) & (walls.u < 0.75), "organ", traits.second, 4.0)


def _mouths(canvas: Canvas, traits: Traits, tops: list[Point], wide: float, crown: bool) -> None:
    ramp, tone = polyp_colour(traits)
    flat = 0.5 * wide
    rims: list[Limb] = [([(x - flat, y), (x + flat, y)], [flat + 0.5 * canvas.pixel] * 2) for x, y in tops]
    rim = limbs(canvas, rims)
    canvas.paint(rim, "polyp", traits.body if crown else ramp, min(tone, traits.high + 0.8), edge=1.0)
    holes: list[Limb] = [([(x - flat, y), (x + flat, y)], [0.25 * wide] * 2) for x, y in tops]
    canvas.paint(limbs(canvas, holes), "mouth", traits.body, max(traits.low - 2.0, 0.0))


SPECIES = Species("tube coral", "coral", draw)
