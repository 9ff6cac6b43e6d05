"""A gulper eel: a mouth like a bag in front of a whip, with a light at its end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, glow, organ
from pixelreef.corpus.reef.fins import fin_tones
from pixelreef.corpus.reef.shapes import ellipse, line, polygon, stroke
from pixelreef.corpus.reef.zones import CORAL, Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """The whip, the bag, the upper jaw, the eye, the light."""
    canvas.pose(traits.facing, 0.6 * traits.tilt, (0.06, 0.0))
    curl, waves = random.uniform(0.2, 0.5), random.uniform(0.7, 1.3)
    turn = pick(random, (-1, 1))
    steps = np.linspace(0, 1, 7)
    xs, ys = 0.16 - 1.0 * steps, turn * curl * steps * np.sin(2 * math.pi * waves * steps)
    points = list(zip(xs.tolist(), ys.tolist(), strict=True))
    thick = (0.15 - 0.05 * traits.slender) * random.uniform(0.9, 1.15)
    whip = stroke(canvas, points, (1.5 * thick, thick, 0.75 * thick, 0.5 * thick, 0.3 * thick))
    canvas.paint(whip, "body", traits.body, traits.low, traits.high)
    canvas.mark(whip.mask & (whip.v > 0.35), "belly", None, shift=0.6)
    if traits.clear > 0.5:
        canvas.mark(line(canvas, points[1:6]).mask & whip.mask, "spine", traits.body, traits.low - 1.4)
    open_ = 0.35 + 0.5 * max(traits.gape, random.uniform(0.2, 0.8))
    deep = 0.38 + 0.32 * open_
    bag = polygon(
        canvas, [(0.0, -0.06), (0.74, -0.02), (0.8, 0.1 + 0.2 * open_), (0.5, deep), (0.18, 0.9 * deep), (-0.06, 0.2)]
    )
    round_bag = ellipse(canvas, 0.36, 0.42 * deep, 0.46, 0.62 * deep)
    canvas.paint(bag & round_bag.mask, "mouth", traits.accent, *fin_tones(traits))
    throat = ellipse(canvas, 0.44, 0.3 * deep, 0.34, 0.34 * deep)
    canvas.paint(throat & (bag.mask & round_bag.mask), "mouth", CORAL, 0.6)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0.1, 0.12, 0.12, 0.09), whip)
    lift = random.uniform(0.12, 0.3) * open_
    jaw = stroke(canvas, [(-0.02, -0.06), (0.4, -0.14 - 0.5 * lift), (0.84, -0.02 - lift)], (0.16, 0.15, 0.06))
    canvas.paint(jaw, "head", traits.body, traits.low, traits.high, edge=1.2)
    width = eye(canvas, traits, 0.58, -0.16 - 0.6 * lift, 0.075)
    glow(canvas, traits, *points[-1], 0.055)
    return {"curl": round(turn * curl, 3), "waves": round(waves, 3), "open": round(open_, 3), "eye pixels": width}


SPECIES = Species("gulper", "abyssal", draw)
