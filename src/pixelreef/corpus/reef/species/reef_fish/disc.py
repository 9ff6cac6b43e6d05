"""A disc on edge, as butterflyfishes and angelfishes are: tall, flat, with sweeping fins and a small snout."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye
from pixelreef.corpus.reef.fins import fin, sail, tail, thread
from pixelreef.corpus.reef.fish import insides, open_mouth, photophores, trailing
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, two sweeping fins, body with a snout, eye, breast fin."""
    canvas.pose(traits.facing, traits.tilt)
    high = (0.62 - 0.28 * traits.slender) * random.uniform(0.92, 1.08) * (0.86 + 0.14 * traits.age)
    back, front = -0.46 - 0.12 * traits.slender, random.uniform(0.66, 0.78)
    kind = pick(random, ("fan", "straight", "fan") if traits.deep < 3 else ("pointed", "fan"))
    tail(canvas, traits, back + 0.12, 0.0, random.uniform(0.34, 0.42), random.uniform(0.6, 0.85), kind, traits.accent)
    sweep = random.uniform(0.36, 0.62) * (0.8 + 0.2 * traits.age)
    _sails(canvas, random, traits, high, sweep, back)
    snout = random.uniform(0.1, 0.2)
    above = (0.16, 0.5 * high, 0.92 * high, high, 0.84 * high, 0.5 * high, snout * 0.6, 0.02)
    body = profile(canvas, back, front, above, above)
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.5), "belly")
    pattern = skin(canvas, random, traits, body, front - back, 2 * high)
    mask = traits.deep < 2 and random.random() < 0.6
    if mask:
        bar = body.mask & (np.abs(canvas.x - (front - 0.29) + 0.1 * body.v**2) < 0.075)
        canvas.mark(bar, "pattern", traits.second, shift=-2.2)
    insides(canvas, traits, body, back, front, high)
    photophores(canvas, traits, body, back, front - 0.1, 0.5 * high)
    open_mouth(canvas, traits, body, (front, 0.04), 0.1 + 0.1 * traits.gape)
    trailing(canvas, random, traits, (back, 0.0), (0.0, 0.9 * high))
    width = eye(canvas, traits, front - 0.29, -0.12 * high, 0.12)
    turn = random.uniform(2.5, 3.1)
    fin(canvas, traits, (front - 0.56, 0.22 * high), (turn, turn + 0.8), (0.2, 0.25, 0.2), traits.body, front=True)
    return {"tail": kind, "eye pixels": width, "mask": mask, "sweep": round(sweep, 3), **pattern}


def _sails(canvas: Canvas, random: np.random.Generator, traits: Traits, high: float, sweep: float, back: float) -> None:
    """The fins of back and belly: triangles swept backwards, sometimes ending in a thread."""
    lean = random.uniform(0.0, 0.4)
    start = random.uniform(0.05, 0.35)
    for side in (-1, 1):
        rise = sweep * (1.0 if side < 0 else random.uniform(0.6, 1.0))
        tip = (back + 0.36 - lean, side * (0.72 * high + rise))
        sail(canvas, traits, (start, 0.55 * side * high), (back + 0.1, 0.3 * side * high), tip, traits.accent)
        if traits.trail > 0.35:
            end = (tip[0] - 0.2 - 0.3 * traits.trail, tip[1] - 0.06 * side)
            thread(canvas, [tip, (tip[0] - 0.16, tip[1] + 0.02 * side), end], "fin", traits.accent, traits.high)


SPECIES = Species("disc", "reef-fish", draw)
