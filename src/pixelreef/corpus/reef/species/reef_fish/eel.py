"""An eel: one long ribbon in waves, with a fin seam all along it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.fins import fin_tones
from pixelreef.corpus.reef.fish import open_mouth
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.shapes import curve, ellipse, line, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """The seam behind, the ribbon, its pattern, the head."""
    canvas.pose(traits.facing, traits.tilt)
    waves, swing = random.uniform(0.6, 1.3), random.uniform(0.24, 0.46)
    phase = random.uniform(0, 2 * math.pi)
    wide = (0.2 - 0.085 * traits.slender) * random.uniform(0.9, 1.1)
    steps = np.linspace(0, 1, 9)
    xs = -0.84 + 1.5 * steps
    ys = swing * (1.05 - 0.5 * steps) * np.sin(2 * math.pi * waves * steps + phase)
    ys -= ys[-1] * 0.7
    points = list(zip(xs.tolist(), ys.tolist(), strict=True))
    taper = (0.15, 0.6, 0.9, 1.0, 1.0, 1.0) if traits.deep < 3 else (0.05, 0.25, 0.5, 0.75, 1.0, 1.1)
    seam = stroke(canvas, [(x, y - 0.06) for x, y in points[:-1]], [wide * (share + 0.35) for share in taper])
    canvas.paint(seam, "fin", traits.accent, fin_tones(traits)[1])
    body = stroke(canvas, points, [wide * share for share in taper])
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.35), "belly")
    count = int(random.integers(3, 6))
    if traits.pattern in ("bars", "spots", "gradient"):
        canvas.mark(body.mask & bands(body.u, count, 0.42, random.random()), "pattern", traits.second, shift=-1.6)
    elif traits.pattern in ("stripes", "countershading"):
        canvas.mark(body.mask & (body.v > -0.2), "belly", None, shift=1.4)
        canvas.mark(body.mask & (body.v < -0.35), None, None, shift=-0.8)
    if traits.clear > 0.5:
        canvas.mark(line(canvas, points[1:-1]).mask & body.mask, "spine", traits.body, traits.low - 1.4)
        organ(canvas, traits, ellipse(canvas, *points[6], 0.16, 0.1), body)
    if traits.lights > 0.15:
        spaced = curve(points, 24)[3:22:3]
        lights(canvas, traits, [(x, y) for x, y in spaced.tolist()])
    width = _head(canvas, random, traits, points[-1], wide)
    return {"waves": round(waves, 3), "swing": round(swing, 3), "eye pixels": width, "bars": count}


def _head(canvas: Canvas, random: np.random.Generator, traits: Traits, neck: tuple[float, float], wide: float) -> int:
    x, y = neck
    long = 0.17 + 0.12 * traits.gape
    head = ellipse(canvas, x + 0.08, y, long, wide * (1.15 + 0.35 * traits.gape), power=2.4)
    canvas.paint(head, "head", traits.body, traits.low, traits.high)
    open_mouth(canvas, traits, head, (x + 0.08 + long, y + 0.3 * wide), 0.14 + 0.16 * traits.gape)
    return eye(canvas, traits, x + 0.1, y - 0.35 * wide, 0.085)


SPECIES = Species("eel", "reef-fish", draw)
