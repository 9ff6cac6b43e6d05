"""A sea pen: a quill in the mud, feathered with leaves of polyps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.sessile import ROOT, base, heading, polyp_colour
from pixelreef.corpus.reef.shapes import curve
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Base, leaves on both sides, the stem over them."""
    canvas.pose(traits.facing)
    bow, lean = random.uniform(-0.35, 0.35), random.uniform(-0.3, 0.3)
    top = random.uniform(-0.9, -0.65)
    stem = [(0.0, ROOT), (0.5 * bow, 0.3), (bow, -0.25), (bow + lean, top)]
    stout = (0.12 - 0.06 * traits.slender) * random.uniform(0.9, 1.1)
    pairs = max(4, round(random.uniform(5.0, 7.2) - 1.5 * traits.slender))
    bare = random.uniform(0.2, 0.3) + 0.18 * traits.slender
    leaves = _leaves(random, stem, (pairs, bare), random.uniform(0.5, 0.75) * (1.05 - 0.12 * traits.slender), stout)
    feather = limbs(canvas, leaves)
    canvas.paint(feather, "branch", traits.body, traits.low, traits.high)
    canvas.mark(feather.mask & (feather.u < 0.35), shift=-0.9)
    ramp, tone = polyp_colour(traits)
    canvas.mark(feather.mask & (feather.u > 0.72), "polyp", ramp, tone)
    quill = limbs(canvas, [(stem, [1.1 * stout, stout, 0.8 * stout, 0.5 * stout])])
    canvas.paint(quill, "body", traits.accent, traits.low + 0.2, traits.high + 0.3, edge=1.0)
    if traits.clear > 0.5:
        canvas.mark(quill.mask & (np.abs(quill.v) < 0.4), "organ", traits.second, 4.0)
    base(canvas, random, traits, 0.32)
    return {"pairs": pairs, "bow": round(bow, 3), "lean": round(lean, 3), "pattern": "none"}


def _leaves(
    random: np.random.Generator, stem: list[Point], rows: tuple[int, float], long: float, stout: float
) -> list[Limb]:
    """Leaves in pairs from where the stem is no longer bare, longest a third of the way up."""
    pairs, bare = rows
    path = curve(stem, 33).tolist()
    rise, widest = random.uniform(0.7, 1.15), random.uniform(0.25, 0.5)
    found: list[Limb] = []
    for number in range(pairs):
        t = number / (pairs - 1)
        place = round(32 * (bare + (0.97 - bare) * t))
        (x, y), (bx, by) = path[place], path[max(place - 2, 0)]
        upright = math.atan2(x - bx, by - y)
        full = 1 - abs(t - widest) / (1.25 - widest if t > widest else 1.6 * widest + 0.1)
        for side in (-1, 1):
            tip = heading(upright + side * rise, long * max(full, 0.25) * random.uniform(0.9, 1.1), (x, y))
            found.append(([(x, y), tip], [0.045, 0.05]))
    return found


SPECIES = Species("sea pen", "coral", draw)
