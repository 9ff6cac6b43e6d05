"""A comb jelly: a clear egg with rows of combs that break the light into colours, and two feathered tentacles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.jelly import gel, swim, thread_tone
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, lines, profile, stroke
from pixelreef.corpus.reef.zones import AMBER, AZURE, CORAL, KELP, ORCHID, TEAL, VIOLET, Traits

_SPECTRUM = (CORAL, AMBER, KELP, TEAL, AZURE, VIOLET, ORCHID)


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tentacles with their side threads, lobes, the egg, gut, combs."""
    lean = swim(canvas, random, traits, 0.5)
    half = (0.5 - 0.16 * traits.slender) * random.uniform(0.9, 1.1)
    tall = random.uniform(0.86, 1.0) + 0.12 * traits.slender
    rim = -0.24
    lobed = random.random() < 0.5
    reach = random.uniform(0.6, 0.8) + 0.3 * traits.trail
    for side in (-1, 1):
        _feather(canvas, random, traits, (rim + 0.3 * tall, 0.5 * side * half), side, reach)
    if lobed:
        for side in (-1, 1):
            tip = (rim - random.uniform(0.02, 0.14), side * half * random.uniform(0.4, 0.6))
            way = [(rim + 0.4 * tall, 0.6 * side * half), (rim + 0.1, 0.72 * side * half), tip]
            gel(canvas, traits, stroke(canvas, way, (0.16, 0.2, 0.13)), "limb")
    pear = random.uniform(0.72, 1.0)
    knots = [half * k for k in ((0.3, 0.75, 1.0, 0.78 * pear, 0.2) if lobed else (0.45, 0.92 * pear, 1.0, 0.8, 0.18))]
    shape = profile(canvas, rim, rim + tall, knots, knots)
    gel(canvas, traits, shape)
    gut = ellipse(canvas, rim + 0.36 * tall, 0, 0.3 * tall, 0.16 * half)
    canvas.mark(gut.mask & shape.mask, "organ", traits.second, shift=-1.4)
    mouth = ellipse(canvas, rim + 0.02, 0, 0.08, 0.3 * half)
    canvas.mark(mouth.mask & shape.mask, "mouth", None, shift=-1.6)
    rows = 4 if half > 0.36 else 3
    first = int(random.random() * len(_SPECTRUM))
    _combs(canvas, traits, shape, rows, first)
    return {"lean": lean, "lobes": lobed, "rows": rows}


def _feather(canvas: Canvas, random: np.random.Generator, traits: Traits, root: Point, side: int, reach: float) -> None:
    """A long thread that swings outwards, with short ones hanging from it."""
    x, y = root
    out, swing = random.uniform(0.25, 0.5) * side, random.uniform(-0.15, 0.15)
    points = [
        (x, y),
        (x - 0.3 * reach, y + 0.8 * out),
        (x - 0.7 * reach, y + out),
        (x - 1.15 * reach, y + 0.9 * out + swing),
    ]
    twigs = [
        [(px, py), (px - 0.1, py + 0.17 * side)]
        for px, py in ((x - s * reach, y + out * (0.95 + 0.1 * s)) for s in (0.5, 0.72, 0.94))
    ]
    tone = thread_tone(traits)
    canvas.paint(
        lines(canvas, twigs if canvas.size >= 24 else twigs[::2]), "tentacle", traits.accent, tone - 1, bare=True
    )
    canvas.paint(lines(canvas, [points]), "tentacle", traits.accent, tone, bare=True)


def _combs(canvas: Canvas, traits: Traits, shape: Shape, rows: int, first: int) -> None:
    """Rows of combs from pole to pole, each in steps of the spectrum, brightest where the water is dark."""
    around = np.arcsin(np.minimum(np.maximum(shape.v, -1), 1)) * (rows / math.pi) + 0.5 * rows
    wide = 1.0 * canvas.pixel * rows / max(float(np.ptp(canvas.y[shape.mask])), 0.1) if shape.mask.any() else 0.2
    comb = shape.mask & (np.abs(around % 1 - 0.5) < max(0.2, wide)) & (shape.u > 0.12) & (shape.u < 0.9)
    glowing = traits.deep in (2, 3)
    tone = 5.4 if glowing else min(traits.high + 0.6, 5.6) if traits.deep < 4 else 3.6
    part = "light organ" if glowing else "pattern"
    step = (shape.u * 5.5).astype(np.intp)
    for number in range(6):
        canvas.mark(comb & (step == number), part, _SPECTRUM[(first + number) % len(_SPECTRUM)], tone)


SPECIES = Species("comb-jelly", "jellyfish", draw)
