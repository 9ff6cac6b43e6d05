"""Tube worms: a thicket of bent tubes on a vent, each with a feathery plume."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import glow
from pixelreef.corpus.reef.shapes import ellipse, polygon, stroke
from pixelreef.corpus.reef.zones import CORAL, ORCHID, SLATE, Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tubes from the outer ones inwards, plumes, the vent in front of their feet."""
    canvas.pose(traits.facing)
    count = int(random.integers(3, 6))
    order = sorted(range(count), key=lambda number: -abs(number - (count - 1) / 2))
    thick = (0.085 - 0.02 * traits.slender) * random.uniform(0.9, 1.15)
    plume = CORAL if traits.deep < 3 else (traits.second if traits.zone == "abyss" else ORCHID)
    wide = random.uniform(0.55, 0.78)
    tops = []
    for number in order:
        lean = (number - (count - 1) / 2) / max((count - 1) / 2, 1)
        foot, top = (
            0.36 * lean,
            (wide * lean + random.uniform(-0.08, 0.08), random.uniform(-0.62, 0.0) + 0.1 * abs(lean)),
        )
        middle = (0.5 * (foot + top[0]) + random.uniform(-0.14, 0.14), 0.4 * top[1] + 0.3)
        tube = stroke(canvas, [(foot, 0.7), middle, top], (thick, 1.05 * thick, 1.15 * thick))
        canvas.paint(tube, "body", traits.body, traits.low, traits.high, edge=1.2)
        rings = (tube.u * 7) % 1 < 0.3
        canvas.mark(tube.mask & rings & (tube.u < 0.9), "pattern", None, shift=-0.9)
        broad, tall = 1.8 * thick, random.uniform(0.16, 0.26)
        feather = ellipse(canvas, top[0], top[1] - 0.8 * tall, broad, tall, power=1.7)
        canvas.paint(feather, "tentacle", plume, max(traits.low, 1.6), min(traits.high + 1.0, 5.6))
        canvas.mark(feather.mask & (np.abs(feather.u - 0.5) < 0.5 * canvas.pixel / broad), None, None, shift=-1.2)
        tops.append((top[0], top[1] - 1.5 * tall))
    if traits.lights > 0.3:
        for x, y in tops[:2]:
            glow(canvas, traits, x, y, 0.05)
    base = [(-0.5, 0.9), (-0.34, 0.62), (-0.1, 0.54), (0.16, 0.6), (0.36, 0.66), (0.52, 0.9)]
    vent = polygon(canvas, [(x + random.uniform(-0.05, 0.05), y) for x, y in base])
    canvas.paint(vent, "base", SLATE, 1.6 if traits.deep < 4 else 3.4, edge=1.2)
    canvas.mark(vent.mask & (canvas.y + 0.4 * canvas.x < 0.66), None, None, shift=1.4)
    return {"view": "side", "tubes": count}


SPECIES = Species("tube-worm", "abyssal", draw)
