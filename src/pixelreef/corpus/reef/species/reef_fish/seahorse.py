"""A seahorse: upright, head bent down with a long snout, a curled tail."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.fins import fin, spikes, thread
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.shapes import curve, ellipse, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Back fin, tail and trunk as one tapering stroke, neck, head, snout, crown."""
    canvas.pose(traits.facing, 0.7 * traits.tilt)
    stout = (0.25 - 0.1 * traits.slender) * random.uniform(0.9, 1.1)
    curl = random.uniform(0.2, 0.26)
    lean = random.uniform(-0.06, 0.1)
    fin(canvas, traits, (-0.04, 0.02), (2.5, 3.7), (0.3, 0.42, 0.3), traits.accent)
    tail = [(-0.04, 0.3), (-0.12, 0.46), *_spiral(0.12, 0.62, curl, random.uniform(1.2, 1.7))]
    trunk = [(0.06 + lean, -0.42), (0.1 + lean, -0.2), (0.04, 0.08), (-0.04, 0.28)]
    low, high = traits.low, traits.high
    tip = stroke(canvas, tail, (0.5 * stout, 0.34 * stout, 0.2 * stout, 0.1 * stout))
    canvas.paint(tip, "tail", traits.body, low, high)
    body = stroke(canvas, trunk, (0.5 * stout, 0.85 * stout, stout, 0.6 * stout))
    canvas.paint(body, "body", traits.body, low, high)
    canvas.mark(body.mask & (body.v < -0.3), "belly", None, shift=0.9)
    count = random.integers(4, 7)
    rings = bands(body.u, int(count), 0.35, random.random()) & body.mask
    canvas.mark(rings, "pattern", traits.second if traits.pattern != "none" else None, shift=-1.1)
    canvas.mark(tip.mask & bands(tip.u, int(count) + 1, 0.35, 0.3) & ~body.mask, shift=-1.0)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0.06, 0.05, 0.09, 0.16), body)
    if traits.lights > 0.15:
        lights(canvas, traits, [(x, y) for x, y in curve(trunk + tail[:2], 16)[3::2].tolist()])
    width = _head(canvas, random, traits, (0.1 + lean, -0.56))
    if traits.trail > 0.6 and traits.deep > 1:
        sag = random.uniform(0.2, 0.4)
        thread(canvas, [(-0.1, 0.0), (-0.4, sag), (-0.5, sag + 0.3)], "fin", traits.accent, high + 0.5)
    return {"curl": round(curl, 3), "rings": int(count), "eye pixels": width}


def _spiral(x: float, y: float, radius: float, turns: float) -> list[tuple[float, float]]:
    """A curl that starts at the upper left and winds inwards, forwards first."""
    steps = np.linspace(0, 1, 7)
    angles = math.pi * 0.9 - 2 * math.pi * turns * 0.72 * steps
    shrink = radius * (1 - 0.7 * steps)
    return [
        (x + float(r) * math.cos(a), y + float(r) * math.sin(a)) for a, r in zip(angles.tolist(), shrink, strict=True)
    ]


def _head(canvas: Canvas, random: np.random.Generator, traits: Traits, at: tuple[float, float]) -> int:
    x, y = at
    nod, long = random.uniform(0.15, 0.5), random.uniform(0.34, 0.46)
    size = 0.2 + 0.04 * (1 - traits.age)
    crown = [((x - 0.06, y - 0.1), (x - 0.16, y - 0.3)), ((x + 0.04, y - 0.1), (x + 0.02, y - 0.34))]
    spikes(canvas, traits, crown[: 1 + int(random.random() < 0.7)], 0.08, traits.accent)
    snout = stroke(
        canvas,
        [(x, y), (x + long * math.cos(nod), y + 0.03 + long * math.sin(nod))],
        (0.12, 0.075, 0.07, 0.09 + 0.05 * traits.gape),
    )
    canvas.paint(snout, "head", traits.body, traits.low, traits.high)
    canvas.mark(snout.mask & (snout.u > 0.88), "mouth", None, shift=-1.4)
    skull = ellipse(canvas, x, y, size, 0.18)
    canvas.paint(skull, "head", traits.body, traits.low, traits.high)
    return eye(canvas, traits, x + 0.05, y - 0.02, 0.095)


SPECIES = Species("seahorse", "reef-fish", draw)
