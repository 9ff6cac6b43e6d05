"""A crown jelly: a helmet with a groove around it, a row of flaps, and stiff threads that reach out and up."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights
from pixelreef.corpus.reef.jelly import CONE, DOME, bell, coat, gel, inner_tones, lay, swim, thread_tone
from pixelreef.corpus.reef.shapes import profile
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Threads, the helmet with its flaps, what fills it, groove."""
    lean = swim(canvas, random, traits, 0.4)
    half = (0.64 - 0.12 * traits.slender) * random.uniform(0.9, 1.08)
    tall = random.uniform(0.58, 0.7) + 0.22 * traits.slender
    rim, pointed = -0.02, random.random() < 0.2 + 0.5 * traits.slender
    pairs = 4 if half > 0.52 else 3
    lift, reach = random.uniform(0.1, 0.75), random.uniform(0.33, 0.43) + 0.2 * traits.trail
    sunny = 1 if canvas.light[1] > 0 else -1
    for side, shade in ((-sunny, 1.5), (sunny, 0.2)):
        threads = []
        for number in range(pairs):
            root = (rim - 0.02, side * half * (0.9 - 0.28 * number))
            threads.append(_arch(root, side, number / pairs, reach * random.uniform(0.85, 1.1), lift))
        lay(canvas, threads, traits.accent, thread_tone(traits) - shade, 0.055)
    knots = CONE if pointed else DOME
    shape = bell(canvas, rim, rim + tall, half, knots, 0.12, 7, 0.16)
    gel(canvas, traits, shape)
    pattern = coat(canvas, random, traits, shape, tall, 2 * half) if random.random() < 0.4 else {}
    widths = [0.62 * half * knot for knot in knots]
    low, high = inner_tones(traits)
    inner = profile(canvas, rim - 0.1, rim + 0.74 * tall, widths, widths)
    canvas.paint(inner & (shape.mask & (canvas.x > rim + 0.36)), "organ", traits.second, low, high)
    groove = shape.mask & (np.abs(canvas.x - rim - 0.27 - 0.12 * shape.v**2) < 1.05 * canvas.pixel)
    canvas.mark(groove, "pattern", traits.accent, tone=max(traits.low - 1.2, 0.0))
    if traits.lights > 0.15:
        lights(canvas, traits, [(rim + 0.16 + 0.12 * v * v, half * v) for v in (-0.8, -0.43, 0.0, 0.43, 0.8)])
    if traits.lights > 0.7:
        lights(canvas, traits, [(rim + (0.5 + 0.3 * row) * tall, 0.1 * row) for row in (0, 1)])
    return {"lean": lean, "pointed": pointed, "tentacles": 2 * pairs, "lift": round(lift, 3), **pattern}


def _arch(root: Point, side: int, inward: float, reach: float, lift: float) -> list[Point]:
    """A thread that goes down and out first and then up by `lift`, the inner ones less."""
    x, y = root
    rise = lift - 1.9 * inward
    out = reach * (1 - 0.75 * inward)
    return [
        (x, y),
        (x - 0.3 - 0.1 * inward, y + 0.35 * side * out),
        (x - 0.34 + 0.3 * rise * reach, y + 0.8 * side * out),
        (x - 0.3 + rise * reach, y + 1.05 * side * out),
    ]


SPECIES = Species("crown-jelly", "jellyfish", draw)
