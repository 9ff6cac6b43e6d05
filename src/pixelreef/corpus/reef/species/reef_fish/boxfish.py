"""A boxfish: a stiff cube with rounded edges, horns on its brow, fins too small for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights
from pixelreef.corpus.reef.fins import fin, sail, spikes, tail
from pixelreef.corpus.reef.fish import insides, lure, trailing
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import ellipse, line, stroke
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail on a stalk, horns, the box, muzzle, eye, breast fin."""
    canvas.pose(traits.facing, 0.6 * traits.tilt)
    high = (0.46 - 0.18 * traits.slender) * random.uniform(0.9, 1.08)
    long, middle = random.uniform(0.44, 0.52) + 0.06 * traits.slender, 0.14
    back, front = middle - long, middle + long
    kind = pick(random, ("fan", "straight") if traits.deep < 3 else ("pointed", "fan"))
    tail(canvas, traits, back - 0.12, 0.06, random.uniform(0.3, 0.38), random.uniform(0.5, 0.75), kind, traits.accent)
    stalk = stroke(canvas, [(back + 0.1, 0.05), (back - 0.2, 0.06)], (0.2, 0.1))
    canvas.paint(stalk, "tail", traits.body, traits.low, traits.high - 0.4)
    for side in (-1, 1):
        tip = (back + random.uniform(-0.1, 0.1), side * (high + random.uniform(0.14, 0.26)))
        sail(
            canvas, traits, (back + 0.36, 0.8 * side * high), (back + 0.06, 0.6 * side * high), tip, traits.accent, 0.0
        )
    horned = random.random() < 0.6
    if horned:
        up = random.uniform(0.2, 0.34)
        spikes(canvas, traits, [((front - 0.16, -0.7 * high), (front + 0.12, -0.9 * high - up))], 0.1, traits.body)
    power = random.uniform(3.0, 4.5) if traits.zone != "hadal" else 2.4
    body = ellipse(canvas, middle, 0.02, long, high, power=power)
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.4), "belly", None, shift=0.5)
    pattern = skin(canvas, random, traits, body, 2 * long, 2 * high)
    insides(canvas, traits, body, back, front, high)
    if traits.lights > 0.15:
        count = 2 + round(3 * traits.lights)
        lights(canvas, traits, [(back + 0.1 + 0.17 * i, side * 0.62 * high) for i in range(count) for side in (-1, 1)])
    trailing(canvas, random, traits, (back - 0.3, 0.05), (middle, high))
    muzzle = ellipse(canvas, front + 0.01, 0.2 * high, 0.1, 0.11)
    canvas.paint(muzzle, "mouth", traits.body, traits.low, traits.high)
    canvas.mark(line(canvas, [(front, 0.24 * high), (front + 0.1, 0.24 * high)]).mask, "mouth", None, 0)
    if traits.zone == "abyss" and random.random() < 0.4:
        lure(canvas, random, traits, (front - 0.1, -high), 0.26)
    width = eye(canvas, traits, middle + 0.55 * long, -0.28 * high, 0.13)
    turn = random.uniform(2.6, 3.2)
    fin(canvas, traits, (middle + 0.08, 0.2 * high), (turn, turn + 0.9), (0.2, 0.25, 0.2), traits.accent, front=True)
    return {"horns": horned, "tail": kind, "eye pixels": width, **pattern}


SPECIES = Species("boxfish", "reef-fish", draw)
