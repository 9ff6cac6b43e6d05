"""A sea slug, seen from above: a frilled leaf with two horns, and a rosette of gills or fingers down both sides."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.patterns import bands, spots
from pixelreef.corpus.reef.sessile import heading
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import curve, stroke
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Fingers, horns, the frill and the back within it, gills, eyes. Its head is at −y, so its left is at −x."""
    canvas.pose(traits.facing, random.uniform(-1.0, 1.0))
    half = (0.38 - 0.16 * traits.slender) * random.uniform(0.9, 1.1)
    bow, turn = random.uniform(-0.22, 0.22), random.uniform(-0.2, 0.2)
    spine = [(-bow - 0.5 * turn, 0.66), (bow, 0.26), (0.4 * bow, -0.16), (turn, -0.48)]
    kind = pick(random, ("gills", "fingers"))
    path = curve(spine, 17).tolist()
    if kind == "fingers":
        _fingers(canvas, random, traits, path, half)
    _horns(canvas, random, traits, (turn, -0.48), half)
    wave = random.uniform(0.05, 0.2) if kind == "gills" else 0.0
    frill = [
        half * (share + wave * (place % 2))
        for place, share in enumerate((0.2, 0.6, 0.8, 0.9, 0.9, 0.9, 0.85, 0.8, 0.72))
    ]
    body = stroke(canvas, spine, frill)
    canvas.paint(body, "belly", traits.accent, traits.low + 0.4, traits.high + 0.2, edge=1.0)
    inner = body & (np.abs(body.v) < random.uniform(0.6, 0.72)) & (body.u > 0.05) & (body.u < 0.97)
    canvas.paint(inner, "body", traits.body, traits.low, traits.high)
    _back(canvas, random, traits, inner, half)
    if kind == "gills":
        _rosette(canvas, random, traits, path[int(random.integers(4, 6))])
    if traits.clear > 0.5:
        organ(canvas, traits, stroke(canvas, [path[4], path[7], path[10], path[12]], (0.08,)), inner)
    if traits.lights > 0.15:
        lights(canvas, traits, [(x + 0.55 * half * side, y) for x, y in path[5:14:3] for side in (-1, 1)])
    width = eye(canvas, traits, turn - 0.1, -0.42, 0.055, "left eye", (0.0, -1.0))
    eye(canvas, traits, turn + 0.1, -0.42, 0.055, "right eye", (0.0, -1.0))
    return {"back": kind, "bow": round(bow, 3), "eye pixels": width, "view": "above"}


def _back(canvas: Canvas, random: np.random.Generator, traits: Traits, inner: Shape, half: float) -> None:
    """Stripes along the back, spots, or bands across."""
    if traits.pattern in ("stripes", "countershading"):
        mask = np.abs(inner.v) < max(0.2, 1.1 * canvas.pixel / half)
    elif traits.pattern == "spots":
        mask = spots(canvas, random.uniform(0.25, 0.3), 0.07, (random.random(), random.random()))
    elif traits.pattern == "bars":
        mask = bands(inner.u, int(random.integers(4, 6)), 0.42, random.random())
    else:
        return
    canvas.mark(inner.mask & mask, "pattern", traits.second, shift=1.4 if traits.deep != 1 else -1.0)


def _horns(canvas: Canvas, random: np.random.Generator, traits: Traits, head: Point, half: float) -> None:
    """Two horns with bright clubs, and in some two feelers beside the mouth."""
    long = 0.6 * half + random.uniform(0.14, 0.24) + 0.1 * traits.slender
    spread = random.uniform(0.35, 0.75)
    horns: list[Limb] = []
    for side in (-1, 1):
        foot = (head[0] + 0.1 * side, head[1])
        horns.append(([foot, heading(side * spread + random.uniform(-0.1, 0.1), long, foot)], [0.06, 0.075]))
    shape = limbs(canvas, horns)
    canvas.paint(shape, "tentacle", traits.body, traits.low, traits.high)
    canvas.mark(
        shape.mask & (shape.u > 0.62), "tentacle", traits.second if traits.deep < 2 else traits.accent, shift=0.8
    )


def _fingers(canvas: Canvas, random: np.random.Generator, traits: Traits, path: list[list[float]], half: float) -> None:
    """Fingers that sweep back from both sides, with bright tips."""
    long, sweep = random.uniform(0.24, 0.38) + 0.14 * traits.slender, random.uniform(1.7, 2.4)
    found: list[Limb] = []
    for place in range(2, 14, 3):
        x, y = path[place]
        for side in (-1, 1):
            reach = 0.6 * half + long * random.uniform(0.7, 1.0) * math.sin(0.6 + 0.14 * place)
            tip = heading(side * (sweep + random.uniform(-0.15, 0.15)), reach + 0.1, (x, y))
            found.append(([(x, y), tip], [0.08, 0.06]))
    shape = limbs(canvas, found)
    canvas.paint(shape, "gill", traits.accent, traits.low, traits.high)
    glowing = traits.lights > 0.5
    ramp = traits.glow if glowing else traits.second
    canvas.mark(shape.mask & (shape.u > 0.72), "gill", ramp, 5.4 if glowing else None, shift=1.2)


def _rosette(canvas: Canvas, random: np.random.Generator, traits: Traits, at: list[float]) -> None:
    """A ring of gills around the vent."""
    x, y = at
    long, start = random.uniform(0.2, 0.28), random.random()
    rays: list[Limb] = [
        ([(x, y), heading(math.tau * (number + start) / 6, long, (x, y))], [0.05, 0.06]) for number in range(6)
    ]
    ramp = traits.second if traits.deep < 2 else traits.accent
    canvas.paint(limbs(canvas, rays), "gill", ramp, traits.low + 0.8, min(traits.high + 0.6, 6), edge=1.4)


SPECIES = Species("sea slug", "grazer", draw)
