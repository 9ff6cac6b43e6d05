"""A moon jelly: a saucer with a fringe, and the clover of its four gonads in the middle."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.jelly import (
    DOME,
    FLARED,
    FULL,
    bell,
    coat,
    frill,
    gel,
    hem,
    rim_lights,
    roots,
    swim,
    tentacles,
    trim,
)
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Fringe, mouth arms, the bell, its rim, the clover."""
    lean = swim(canvas, random, traits)
    half = (0.84 - 0.3 * traits.slender) * random.uniform(0.9, 1.05)
    tall = random.uniform(0.58, 0.72) + 0.16 * traits.slender
    rim, bow = -0.02, random.uniform(0.12, 0.24)
    sway = random.uniform(-0.2, 0.2)
    fringe = [(rim + 0.1 + bow * (y / half) ** 2, y) for y in roots(half, 9 if half > 0.65 else 7, 0.94)]
    tentacles(
        canvas, random, traits, fringe, random.uniform(0.3, 0.5) + 0.6 * traits.trail, traits.accent, sway=0.6 * sway
    )
    _arms(canvas, random, traits, rim, half, sway)
    shape = bell(canvas, rim, rim + tall, half, pick(random, (DOME, DOME, FULL, FLARED)), bow, 8, 0.06)
    gel(canvas, traits, shape)
    pattern = coat(canvas, random, traits, shape, tall, 2 * half) if random.random() < 0.5 else {}
    edge = hem(shape.v, bow, 8, 0.06)
    trim(canvas, traits, shape, rim, edge, traits.accent, 0.8 if traits.deep < 4 else -0.8)
    _clover(canvas, traits, rim + random.uniform(0.5, 0.58) * tall, half, tall)
    rim_lights(canvas, traits, rim, half, bow)
    return {"lean": lean, "sway": round(sway, 3), **pattern}


def _arms(canvas: Canvas, random: np.random.Generator, traits: Traits, rim: float, half: float, sway: float) -> None:
    long = random.uniform(0.5, 0.75) + 0.2 * traits.trail
    for y, shift in ((-0.3, -0.8), (0.3, -0.8), (0.0, 0.2)):
        root = (rim + 0.2, y * half)
        end = (rim - long * random.uniform(0.75, 1.0), 1.7 * y * half + sway)
        middle = (rim - 0.45 * long, 1.5 * y * half + 0.3 * sway + random.uniform(-0.05, 0.05))
        frill(canvas, [root, middle, end], 0.1, traits.second, traits.low + shift + 0.6, traits.high + shift)


def _clover(canvas: Canvas, traits: Traits, x: float, half: float, tall: float) -> None:
    """Four horseshoes around the middle, seen from the side: the near one below, the far one above."""
    wide, high = 0.2 * half, 0.16 * tall
    tone = 6.0 if traits.deep < 2 else traits.high + 1.6 if traits.deep < 4 else traits.low - 1.6
    ramp = traits.second if traits.second != traits.body else traits.accent
    for dx, dy in ((-0.2, 0.0), (0.2, 0.0), (0.0, -0.4), (0.0, 0.4)):
        ring = ellipse(canvas, x + dx * tall, dy * half, max(high, 1.6 * canvas.pixel), max(wide, 2 * canvas.pixel))
        canvas.mark(ring.mask, "organ", ramp, tone)
        if canvas.size >= 24:
            hole = ellipse(canvas, x + dx * tall, dy * half, 0.45 * high, 0.5 * wide)
            canvas.mark(hole.mask, "organ", ramp, tone - 1.6)


SPECIES = Species("moon-jelly", "jellyfish", draw)
