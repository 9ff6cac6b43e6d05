"""A giant isopod from above: plates from head to tail fan, feelers, seven pairs of legs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.fins import fin_tones
from pixelreef.corpus.reef.shapes import ellipse, fan, lines
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Legs and feelers, the tail fan, the plates, the head and its eyes."""
    canvas.pose(traits.facing, random.uniform(-0.6, 0.6))
    long, wide = random.uniform(0.56, 0.68), random.uniform(0.3, 0.42) * (1 - 0.25 * traits.slender)
    pairs, reach = int(random.integers(4, 7)), random.uniform(0.2, 0.36) * (1 + 0.5 * traits.trail)
    low, high = fin_tones(traits)
    for side, part in ((-1, "left limb"), (1, "right limb")):
        legs = []
        for number in range(pairs):
            at = -0.5 * long + 1.15 * long * number / (pairs - 1)
            out = wide * math.sqrt(max(1 - (at / long) ** 2, 0.1))
            swing = 0.5 * reach * (number / (pairs - 1) - 0.4)
            legs.append(
                [
                    (side * 0.8 * out, at),
                    (side * (out + 0.7 * reach), at + 0.3 * swing),
                    (side * (out + reach), at + swing + 0.08),
                ]
            )
        canvas.paint(lines(canvas, legs), part, traits.accent, high, bare=True)
    feel = random.uniform(0.3, 0.5) * (1 + 0.4 * traits.trail)
    feelers = [
        [(s * 0.1, -0.9 * long), (s * 0.22, -long - 0.5 * feel), (s * (0.2 + 0.6 * feel), -long - 0.7 * feel)]
        for s in (-1, 1)
    ]
    canvas.paint(lines(canvas, feelers), "limb", traits.accent, high, bare=True)
    canvas.paint(fan(canvas, 0, 0.72 * long, 0.9, math.pi - 0.9, (0.34, 0.42, 0.34)), "tail", traits.accent, low, high)
    body = ellipse(canvas, 0, 0, wide, long, power=2.5)
    canvas.paint(body, "shell", traits.body, traits.low, traits.high)
    plates = int(random.integers(5, 8))
    seams = ((canvas.y / long + 1) * plates / 2 + 0.35 * (canvas.x / wide) ** 2) % 1
    share = max(0.3, 1.05 * canvas.pixel * plates / (2 * long))
    canvas.mark(body.mask & (seams < share), "pattern", traits.second if traits.pattern == "bars" else None, shift=-1.3)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, 0.1 * long, 0.4 * wide, 0.4 * long), body)
    if traits.lights > 0.15:
        spread = np.linspace(-0.3, 0.6, 4) * long
        lights(canvas, traits, [(s * 0.6 * wide, float(y)) for y in spread for s in (-1, 1)])
    head = ellipse(canvas, 0, -0.82 * long, 0.72 * wide, 0.26 * long, power=2.4)
    canvas.paint(head, "head", traits.body, traits.low + 0.4, traits.high, edge=1.2)
    width = 0
    for side, part in ((-1, "left eye"), (1, "right eye")):
        width = eye(canvas, traits, side * 0.42 * wide, -0.84 * long, 0.07, part, (0.0, -1.0))
    return {"view": "above", "legs": 2 * pairs, "plates": plates, "eye pixels": width}


SPECIES = Species("isopod", "abyssal", draw)
