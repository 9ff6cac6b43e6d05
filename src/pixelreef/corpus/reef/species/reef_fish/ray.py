"""A ray from above: two wings, a whip of a tail, eyes on top."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.patterns import spots
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, polygon, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, wings, back, head with both eyes. Its head is at −y, so its left is at −x."""
    canvas.pose(1, random.uniform(-0.5, 0.5))
    span, long = (0.82 - 0.22 * traits.slender) * random.uniform(0.92, 1.05), random.uniform(0.44, 0.54)
    flap, sway = random.uniform(-0.1, 0.16), random.uniform(-0.22, 0.22)
    low, high = traits.low, traits.high
    whip = stroke(
        canvas,
        [(0, 0.2), (0.3 * sway, 0.55), (sway, 0.86 + 0.1 * traits.trail)],
        (0.09, 0.06, 0.035, 0.02),
    )
    canvas.paint(whip, "tail", traits.body, low, high - 0.6)
    for side, part in ((-1, "left fin"), (1, "right fin")):
        _wing(canvas, traits, side, part, (span, long), flap)
    back = ellipse(canvas, 0, -0.06, 0.27, long * 0.98)
    canvas.paint(back, "body", traits.body, low + 0.3, high + 0.4)
    head = ellipse(canvas, 0, -0.42 * long - 0.1, 0.24, 0.2 + 0.06 * traits.gape)
    canvas.paint(head, "head", traits.body, low + 0.2, high + 0.3)
    if traits.pattern in ("spots", "bars", "stripes"):
        dots = spots(canvas, random.uniform(0.28, 0.36), random.uniform(0.06, 0.08), (0.0, random.random()))
        canvas.mark(dots & ~head.mask & ~whip.mask, "pattern", traits.second, shift=1.6 if traits.deep < 2 else 1.0)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, 0.0, 0.11, 0.2), back)
    if traits.lights > 0.15:
        edge = [(s * span * t, flap * t + 0.12) for s in (-1, 1) for t in (0.3, 0.58, 0.86)]
        lights(canvas, traits, edge)
    apart = 0.16
    left = eye(canvas, traits, -apart, -0.42 * long - 0.12, 0.085, "left eye", (0.0, -1.0))
    eye(canvas, traits, apart, -0.42 * long - 0.12, 0.085, "right eye", (0.0, -1.0))
    return {"span": round(span, 3), "flap": round(flap, 3), "sway": round(sway, 3), "eye pixels": left, "view": "above"}


def _wing(canvas: Canvas, traits: Traits, side: int, part: str, reach: tuple[float, float], flap: float) -> None:
    span, long = reach
    corners = [
        (0.0, -long * 0.95),
        (0.3 * span * side, -long * 0.72),
        (0.72 * span * side, -long * 0.22 + flap * 0.6),
        (span * side, flap + 0.04),
        (0.8 * span * side, flap + 0.16),
        (0.45 * span * side, long * 0.55),
        (0.0, long * 0.9),
    ]
    flat = polygon(canvas, corners)
    # A wing falls away from the back: its side of the light is lit, the other is in shade.
    tilt = canvas.light[0] * side
    lit = np.clip(0.55 + 0.5 * tilt - 0.35 * np.abs(canvas.x) / span, 0, 1)
    wing = Shape(flat.mask & (canvas.x * side >= 0), lit, flat.u, flat.v)
    canvas.paint(wing, part, traits.body, traits.low, traits.high)
    rim = wing.mask & (np.abs(canvas.x) > 0.6 * span)
    if math.fabs(flap) > 0.05:
        canvas.mark(rim, shift=-0.7 if flap > 0 else 0.7)


SPECIES = Species("ray", "reef-fish", draw)
