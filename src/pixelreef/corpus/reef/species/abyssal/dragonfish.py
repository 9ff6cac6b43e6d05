"""A dragonfish: a dark ribbon with a blunt toothed head, a beard with a light, fins far back."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, glow, lights, organ
from pixelreef.corpus.reef.fins import fin, tail, thread
from pixelreef.corpus.reef.jaws import jaws
from pixelreef.corpus.reef.shapes import curve, ellipse, line, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, fins, an S of a body, head, beard, lights."""
    canvas.pose(traits.facing, 0.7 * traits.tilt, (0.0, -0.08))
    bow, dip = random.uniform(0.25, 0.55), random.uniform(-0.25, 0.25)
    points = [(-0.62, 0.62 * bow), (-0.66, 0.0), (-0.3, -0.55 * bow + dip), (0.1, dip), (0.44, 0.0)]
    thick = (0.2 - 0.06 * traits.slender) * random.uniform(0.9, 1.1)
    end = points[0]
    tail(canvas, traits, end[0] + 0.06, end[1], random.uniform(0.22, 0.3), 0.8, "fan", traits.accent)
    fin(canvas, traits, (-0.58, -0.1), (2.6, 3.6), (0.2, 0.3, 0.2), traits.accent)
    body = stroke(canvas, points, (0.45 * thick, 0.75 * thick, thick, 1.05 * thick, 1.1 * thick))
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.35), "belly", None, shift=0.7 if traits.deep < 2 else 0.2)
    if traits.pattern in ("bars", "spots", "stripes"):
        canvas.mark(body.mask & (np.abs(body.v) < 0.3), "pattern", traits.second, shift=0.9)
    if traits.clear > 0.5:
        canvas.mark(line(canvas, points[1:]).mask & body.mask, "spine", traits.body, traits.low - 1.4)
        organ(canvas, traits, ellipse(canvas, -0.06, dip, 0.13, 0.08), body)
    if traits.lights > 0.15:
        lights(canvas, traits, [(x, y + 0.45 * thick) for x, y in curve(points, 18)[4:17:2].tolist()])
    size = random.uniform(0.24, 0.31) * (1.12 - 0.12 * traits.age)
    head = ellipse(canvas, 0.56, 0.02, 1.15 * size, size, power=2.6)
    canvas.paint(head, "head", traits.body, traits.low, traits.high, edge=1.0)
    jaws(canvas, traits, head, (0.46, 0.1), 0.5, 0.22 + 0.3 * max(traits.gape, 0.25), 4, 0.11)
    width = eye(canvas, traits, 0.52, -0.4 * size, 0.085)
    reach = random.uniform(0.35, 0.6)
    tip = (0.62 - random.uniform(0.0, 0.5), 0.2 + reach)
    thread(canvas, [(0.6, 0.9 * size), (0.66, 0.2 + 0.6 * reach), tip], "light organ", traits.accent, traits.high)
    glow(canvas, traits, *tip, random.uniform(0.06, 0.09))
    return {"bow": round(bow, 3), "head": round(size, 3), "beard": round(reach, 3), "eye pixels": width}


SPECIES = Species("dragonfish", "abyssal", draw)
