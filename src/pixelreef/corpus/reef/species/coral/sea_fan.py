"""A sea fan: a flat lattice of ribs that spreads from one stem across the current."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.sessile import ROOT, base, heading, polyps
from pixelreef.corpus.reef.shapes import fan, rays
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Base, stem, and a web with ribs; in the abyss the ribs alone."""
    canvas.pose(traits.facing)
    half = random.uniform(0.75, 1.3) - 0.25 * traits.slender
    reach = random.uniform(1.05, 1.25) + 0.12 * (half < 0.9)
    lean = random.uniform(-0.3, 0.3)
    root = (random.uniform(-0.15, 0.15), 0.55 - 0.2 * traits.slender)
    stem = limbs(canvas, [([(root[0] * 0.5, ROOT), root], [0.1, 0.08])])
    canvas.paint(stem, "branch", traits.accent, traits.low, traits.high - 0.5)
    ribs = int(random.integers(4, 7))
    if traits.zone == "abyss":
        _skeleton(canvas, random, traits, root, (lean, half, reach), ribs)
    else:
        _web(canvas, random, traits, root, (lean, half, reach), ribs)
    base(canvas, random, traits, 0.36)
    return {"ribs": ribs, "half": round(half, 3), "lean": round(lean, 3), "pattern": "none"}


def _web(
    canvas: Canvas,
    random: np.random.Generator,
    traits: Traits,
    root: Point,
    size: tuple[float, float, float],
    ribs: int,
) -> None:
    lean, half, reach = size
    lobes = [reach * random.uniform(0.72, 1.0) for _ in range(7)]
    lobes[0], lobes[-1] = 0.7 * lobes[0], 0.7 * lobes[-1]
    up = lean - math.pi / 2
    web = fan(canvas, *root, up - half, up + half, lobes)
    canvas.paint(web, "branch", traits.body, traits.low, traits.high)
    fine = np.where(web.u < 0.5, rays(web, ribs, 0.5), rays(web, 2 * ribs, 0.5))
    arcs = (web.u * reach / max(0.28, 4 * canvas.pixel) + 0.25 * fine) % 1 < 0.4
    tilt = canvas.light[0] * (canvas.x - root[0]) + canvas.light[1] * (canvas.y - root[1])
    np.add(canvas.tone, 0.9 * tilt - 0.3, out=canvas.tone, where=web.mask)
    holes = web.mask & ~fine & ~arcs & (web.u > 0.25) & (web.u < 0.9)
    ramp = traits.second if traits.clear > 0.5 else None
    canvas.mark(web.mask & fine, "branch", ramp, shift=0.8 if not traits.clear else -1.0)
    canvas.mark(holes, shift=-1.6)
    edge = [
        heading(lean + half * v, 0.9 * reach * random.uniform(0.5, 0.9), root)
        for v in (-0.8, -0.45, -0.1, 0.25, 0.6, 0.9)
    ]
    polyps(canvas, traits, edge, 0.06)


def _skeleton(
    canvas: Canvas,
    random: np.random.Generator,
    traits: Traits,
    root: Point,
    size: tuple[float, float, float],
    ribs: int,
) -> None:
    lean, half, reach = size
    found: list[Limb] = []
    tips: list[Point] = []
    for number in range(ribs):
        angle = lean + half * (2 * (number + random.uniform(0.3, 0.7)) / ribs - 1)
        long = reach * random.uniform(0.75, 1.0)
        fork = heading(angle, 0.5 * long, root)
        found.append(([root, fork], [0.06, 0.05]))
        for side in (-0.28, 0.25):
            tip = heading(angle + side * random.uniform(0.7, 1.3), 0.5 * long, fork)
            found.append(([fork, tip], [0.05, 0.03]))
            tips.append(tip)
    canvas.paint(limbs(canvas, found), "branch", traits.body, traits.low, traits.high)
    polyps(canvas, traits, tips[::2], 0.07)


SPECIES = Species("sea fan", "coral", draw)
