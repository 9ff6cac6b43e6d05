"""A viperfish: a thin body behind a head of fangs, a ray with a light on its back."""

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
    """Tail, body, fins, head with fangs, the ray."""
    canvas.pose(traits.facing, traits.tilt)
    wave = random.uniform(-0.3, 0.3)
    thick = (0.17 - 0.06 * traits.slender) * random.uniform(0.9, 1.15)
    points = [(-0.74, 0.9 * wave), (-0.4, 0.1 * wave - 0.06), (0.0, -0.5 * wave), (0.36, 0.0)]
    tail(canvas, traits, -0.7, 0.9 * wave, random.uniform(0.2, 0.28), 0.7, "forked", traits.accent)
    fin(canvas, traits, (-0.42, 0.1 * wave), (1.2, 2.1), (0.16, 0.26, 0.18), traits.accent)
    fin(canvas, traits, (-0.42, 0.1 * wave - 0.08), (-2.1, -1.2), (0.14, 0.22, 0.16), traits.accent)
    body = stroke(canvas, points, (0.3 * thick, 0.8 * thick, thick, 1.15 * thick))
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.3), "belly", None, shift=0.8 if traits.deep < 2 else 0.3)
    if traits.clear > 0.5:
        canvas.mark(line(canvas, points).mask & body.mask, "spine", traits.body, traits.low - 1.4)
        organ(canvas, traits, ellipse(canvas, 0.1, -0.2 * wave, 0.14, 0.08), body)
    if traits.lights > 0.15:
        along = curve(points, 16)[2:15:2]
        lights(canvas, traits, [(x, y + 0.5 * thick) for x, y in along.tolist()])
    size = random.uniform(0.26, 0.34) * (1.1 - 0.1 * traits.age)
    head = ellipse(canvas, 0.5, 0.0, 1.1 * size, size, power=2.3)
    canvas.paint(head, "head", traits.body, traits.low, traits.high, edge=1.0)
    half = 0.4 + 0.25 * max(traits.gape, 0.4)
    jaws(canvas, traits, head, (0.42, 0.06), 0.56, half, 3, random.uniform(0.2, 0.28))
    width = eye(canvas, traits, 0.46, -0.55 * size, 0.09)
    reach = random.uniform(0.3, 0.5)
    root = (-0.02, -0.4 * wave - thick)
    tip = (root[0] + reach * random.uniform(0.2, 1.0), root[1] - reach)
    thread(canvas, [root, (root[0] - 0.06, root[1] - 0.7 * reach), tip], "fin", traits.accent, traits.high)
    if traits.zone != "shallows":
        glow(canvas, traits, *tip, 0.06)
    return {"wave": round(wave, 3), "head": round(size, 3), "eye pixels": width, "ray": round(reach, 3)}


SPECIES = Species("viperfish", "abyssal", draw)
