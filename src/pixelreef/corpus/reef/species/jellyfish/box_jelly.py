"""A box jelly: a clear cube with an edge towards us, blades at its corners and long tentacles on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights
from pixelreef.corpus.reef.jelly import inner_tones, swim, tentacles
from pixelreef.corpus.reef.patterns import spots
from pixelreef.corpus.reef.shape import Bits
from pixelreef.corpus.reef.shapes import ellipse, polygon, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tentacles, blades, the box with its three faces, its stomach."""
    lean = swim(canvas, random, traits, 0.28)
    half = (0.56 - 0.16 * traits.slender) * random.uniform(0.9, 1.1)
    tall = random.uniform(0.78, 0.94) + 0.12 * traits.slender
    rim, sway = 0.02, random.uniform(-0.25, 0.25)
    ridge, deep = random.uniform(-0.3, 0.3) * half, random.uniform(0.13, 0.2)
    feet = [(rim + deep, -0.88 * half), (rim, ridge), (rim + deep, 0.88 * half)]
    _hang(canvas, random, traits, feet, half, sway)
    box = _box(canvas, traits, rim, rim + tall, half, ridge, deep)
    if traits.pattern in ("spots", "bars") and traits.deep < 2:
        dots = spots(canvas, 0.3, 0.07, (random.random(), random.random()))
        canvas.mark(dots & box & (np.abs(canvas.y) < 0.8 * half), "pattern", traits.second, shift=0.8)
    middle = rim + 0.42 * tall
    low, high = inner_tones(traits)
    stomach = ellipse(canvas, middle, 0.5 * ridge, random.uniform(0.2, 0.26) * tall, 0.36 * half, power=3)
    canvas.paint(stomach & box, "organ", traits.second, low, high)
    if traits.lights > 0.15:
        edge = [(rim + 0.1 + deep * abs(v - ridge / half), half * v) for v in (-0.75, -0.4, 0.4, 0.75)]
        lights(canvas, traits, edge)
        if traits.lights > 0.6:
            lights(
                canvas, traits, [(rim + tall - 1.5 * deep - 0.2 * i, s * 0.72 * half) for i in (0, 1) for s in (-1, 1)]
            )
    return {"lean": lean, "ridge": round(ridge, 3), "sway": round(sway, 3)}


def _hang(
    canvas: Canvas, random: np.random.Generator, traits: Traits, feet: list[Point], half: float, sway: float
) -> None:
    """A blade at each corner, and a bunch of tentacles on each."""
    each = 3 if traits.slender < 0.4 else 2
    splay = random.uniform(0.02, 0.14)
    tips = [(x - random.uniform(0.2, 0.28), y + splay * y / half) for x, y in feet]
    places = [(x, y + 0.12 * (i - (each - 1) / 2)) for x, y in tips for i in range(each)]
    reach = random.uniform(0.52, 0.68) + 0.25 * traits.trail
    tentacles(canvas, random, traits, places, reach, traits.accent, sway=sway, spread=0.15, wave=0.06, waves=1.6)
    for foot, tip in zip(feet, tips, strict=True):
        blade = stroke(canvas, [foot, tip], (0.11, 0.1, 0.05))
        canvas.paint(blade, "limb", traits.accent, traits.low, traits.high + 0.2)


def _box(canvas: Canvas, traits: Traits, rim: float, top: float, half: float, ridge: float, deep: float) -> Bits:
    """Top, the face on the side of the light, the face away from it; corners a little rounded."""
    corners = [
        (rim, ridge),
        (rim + deep, half),
        (top - deep, 0.94 * half),
        (top, -ridge),
        (top - deep, -0.94 * half),
        (rim + deep, -half),
    ]
    round_off = ellipse(canvas, (rim + top) / 2, 0, 0.53 * (top - rim), 1.08 * half, power=5)
    box = polygon(canvas, corners) & round_off.mask
    span = traits.high - traits.low
    canvas.paint(box, "body", traits.body, traits.low + 0.45 * span)
    sunny = 1 if canvas.light[1] > 0 else -1
    canvas.mark(box.mask & ((canvas.y - ridge) * sunny > 0), tone=traits.low + 0.75 * span)
    canvas.mark(box.mask & (np.abs(canvas.y - ridge) < 1.1 * canvas.pixel), tone=traits.high + 0.5)
    lid = polygon(canvas, [(top, -ridge), (top - deep, half), (top - 2 * deep, ridge), (top - deep, -half)])
    canvas.mark(lid.mask & box.mask, tone=traits.high + 0.5)
    return box.mask


SPECIES = Species("box-jelly", "jellyfish", draw)
