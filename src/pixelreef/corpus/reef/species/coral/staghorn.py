"""A staghorn: a branching coral like antlers, with pale tips."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.sessile import ROOT, base, heading, polyps
from pixelreef.corpus.reef.shapes import curve
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Trunk, branches to either side with their twigs, pale tips, base."""
    canvas.pose(traits.facing)
    thick = (0.13 - 0.07 * traits.slender) * random.uniform(0.9, 1.15)
    top = random.uniform(-0.85, -0.5)
    lean, bow = random.uniform(-0.3, 0.3), random.uniform(-0.22, 0.22)
    trunk = [(0.0, ROOT), (bow, 0.25), (lean, top)]
    found: list[Limb] = [(trunk, [1.35 * thick, thick, 0.75 * thick])]
    tips: list[Point] = [trunk[-1]]
    path = curve(trunk, 11).tolist()
    count = int(random.integers(2, 5))
    side = 1 if random.random() < 0.5 else -1
    for number in range(count):
        place = round(1 + 6.5 * (number + random.uniform(0.1, 0.9)) / count)
        _branch(random, traits, tuple(path[place]), side * (number % 2 * 2 - 1), 1.5 - 0.1 * place, thick, found, tips)
    shape = limbs(canvas, found)
    canvas.paint(shape, "branch", traits.body, traits.low, traits.high)
    if traits.clear > 0.5:
        canvas.mark(shape.mask & (np.abs(shape.v) < 0.34) & (shape.u < 0.8), "organ", traits.second, 4.0)
    polyps(canvas, traits, tips, 0.9 * thick)
    base(canvas, random, traits, 0.4)
    return {"branches": count, "tips": len(tips), "lean": round(lean, 3), "pattern": "none"}


def _branch(
    random: np.random.Generator,
    traits: Traits,
    root: Point,
    side: int,
    room: float,
    thick: float,
    found: list[Limb],
    tips: list[Point],
) -> None:
    """A branch that leaves the trunk sideways and turns up, with a twig or two."""
    out, long = random.uniform(0.9, 1.4), random.uniform(0.75, 1.05) * room
    elbow = heading(side * out, 0.45 * long, root)
    tip = heading(side * random.uniform(-0.1, 0.5), 0.6 * long, elbow)
    found.append(([root, elbow, tip], [thick, 0.9 * thick, 0.7 * thick]))
    tips.append(tip)
    if random.random() < 0.85 - 0.4 * traits.slender:
        end = heading(side * random.uniform(0.9, 1.4), random.uniform(0.26, 0.4), elbow)
        found.append(([elbow, end], [0.85 * thick, 0.7 * thick]))
        tips.append(end)


SPECIES = Species("staghorn", "coral", draw)
