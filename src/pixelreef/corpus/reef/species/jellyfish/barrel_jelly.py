"""A barrel jelly: a heavy dome on a thick bunch of curly arms, without tentacles."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.fins import thread
from pixelreef.corpus.reef.jelly import DOME, FULL, bell, coat, frill, gel, hem, rim_lights, swim, thread_tone, trim
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Arms behind, arms in front with their clubs, the dome, its cross."""
    lean = swim(canvas, random, traits, 0.4)
    half = (0.62 - 0.16 * traits.slender) * random.uniform(0.92, 1.1)
    tall = random.uniform(0.66, 0.82) + 0.1 * traits.slender
    rim, sway = -0.02, random.uniform(-0.2, 0.2)
    long = random.uniform(0.5, 0.66) + 0.2 * traits.trail
    open_by = random.uniform(1.1, 1.7)
    clubs = random.random() < 0.5 and traits.deep < 4
    for y, shift in ((-0.5, -1.0), (0.5, -1.0), (0.0, -0.6), (-0.28, 0.0), (0.28, 0.0)):
        reach = long * random.uniform(0.8, 1.05)
        spread = y * open_by * half
        end = (rim - reach, 1.15 * spread + sway)
        points = [(rim + 0.2, 0.7 * y * half), (rim - 0.5 * reach, spread + 0.3 * sway), end]
        frill(
            canvas,
            points,
            0.15 - 0.03 * traits.slender,
            traits.accent,
            traits.low + shift,
            traits.high + shift,
            curls=3,
            edge=1.0,
        )
        if clubs and abs(y) > 0.1:
            club = ellipse(canvas, end[0] - 0.1, end[1], 0.14, 0.07)
            canvas.paint(club, "limb", traits.second, traits.low + shift, traits.high + 0.6 + shift)
    if traits.trail > 0.5:
        for side in (-1, 1):
            tail = [(rim, 0.3 * side * half), (rim - long, 0.4 * side * half), (rim - 1.5 * long, sway + 0.3 * side)]
            thread(canvas, tail, "tentacle", traits.second, thread_tone(traits))
    shape = bell(canvas, rim, rim + tall, half, pick(random, (FULL, DOME, FULL)), 0.14, 10, 0.05)
    gel(canvas, traits, shape)
    pattern = coat(canvas, random, traits, shape, tall, 2 * half)
    trim(
        canvas,
        traits,
        shape,
        rim,
        hem(shape.v, 0.14, 10, 0.05),
        traits.second,
        -1.0 if traits.deep in (0, 1, 4) else 1.2,
    )
    if traits.clear > 0.5:
        for angle in ((0.0, 0.34), (0.34, 0.0)):
            bar = ellipse(canvas, rim + 0.55 * tall, 0, angle[0] * tall + 0.07, angle[1] * half * 1.3 + 0.07)
            canvas.mark(bar.mask & shape.mask, "organ", traits.second, traits.low - 1.4)
    rim_lights(canvas, traits, rim, half, 0.14)
    return {"lean": lean, "clubs": clubs, "sway": round(sway, 3), **pattern}


SPECIES = Species("barrel-jelly", "jellyfish", draw)
