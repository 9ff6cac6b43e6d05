"""A puffer: a ball, blown up or not, with prickles, a beak and small fins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights
from pixelreef.corpus.reef.fins import fin, sail, spikes, tail
from pixelreef.corpus.reef.fish import insides, trailing
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import ellipse, line, profile
from pixelreef.corpus.reef.zones import SLATE, Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, prickles, the ball with its pale belly, beak, eye, breast fin."""
    canvas.pose(traits.facing, traits.tilt)
    blown = random.uniform(0.35, 1.0) * (1 - 0.45 * traits.slender)
    long, high = 0.56 + 0.04 * traits.age, 0.34 + 0.24 * blown
    middle = random.uniform(0.08, 0.16)
    back = middle - long
    kind = pick(random, ("fan", "straight") if traits.deep < 3 else ("pointed", "fan"))
    root = back - 0.02 - 0.1 * traits.slender
    tail(canvas, traits, root + 0.08, -0.04, random.uniform(0.3, 0.38), random.uniform(0.5, 0.7), kind, traits.accent)
    for side in (-1, 1):
        tip = (back + random.uniform(-0.06, 0.1), side * (0.62 * high + random.uniform(0.16, 0.3)))
        sail(canvas, traits, (back + 0.36, 0.6 * side * high), (back + 0.1, 0.3 * side * high), tip, traits.accent, 0.0)
    prickly = blown > 0.4 and traits.zone != "hadal"
    if prickly:
        _prickles(canvas, random, traits, (middle, 0.02), (long, high))
    sag = random.uniform(1.0, 1.2)
    above = (0.1, 0.55 * high, 0.95 * high, high, 0.88 * high, 0.0)
    below = (0.1, 0.55 * high, 0.95 * high * sag, high * sag, 0.8 * high, 0.0)
    body = profile(canvas, root, middle + long, above, below)
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    pattern = skin(canvas, random, traits, body, 2 * long, 2 * high)
    pale = SLATE if traits.deep < 2 else None
    canvas.mark(body.mask & (body.v > random.uniform(0.2, 0.4)), "belly", pale, shift=1.2 if traits.deep < 3 else 0.4)
    insides(canvas, traits, body, root, middle + long, high)
    if traits.lights > 0.15:
        ring = [(middle + 0.62 * long * math.cos(a), 0.55 * high * math.sin(a)) for a in np.linspace(0.6, 3.0, 5)]
        lights(canvas, traits, ring)
    trailing(canvas, random, traits, (root, 0.0), (middle - 0.1, 0.9 * high))
    _beak(canvas, traits, middle + long - 0.02)
    width = eye(canvas, traits, middle + 0.52 * long, -0.3 * high, 0.13)
    turn = random.uniform(2.5, 3.2)
    fin(canvas, traits, (middle + 0.16, 0.12), (turn, turn + 1.0), (0.24, 0.28, 0.24), traits.accent, front=True)
    return {"blown": round(blown, 3), "prickles": prickly, "tail": kind, "eye pixels": width, **pattern}


def _beak(canvas: Canvas, traits: Traits, x: float) -> None:
    lips = ellipse(canvas, x, 0.05, 0.09, 0.1)
    canvas.paint(lips, "mouth", traits.body, traits.low, traits.high - 0.5)
    canvas.mark(line(canvas, [(x - 0.02, 0.06), (x + 0.09, 0.06)]).mask, "mouth", None, 0)


def _prickles(
    canvas: Canvas, random: np.random.Generator, traits: Traits, at: tuple[float, float], radii: tuple[float, float]
) -> None:
    count = int(random.integers(9, 13))
    reach = random.uniform(1.18, 1.32)
    feet = []
    for angle in (np.arange(count) + random.random()) * (2 * math.pi / count):
        cos, sin = math.cos(angle), math.sin(angle)
        if cos < -0.75 or (cos > 0.8 and abs(sin) < 0.5):
            continue
        foot = (at[0] + radii[0] * cos * 0.9, at[1] + radii[1] * sin * 0.9)
        feet.append((foot, (at[0] + radii[0] * cos * reach, at[1] + radii[1] * sin * reach)))
    spikes(canvas, traits, feet, 0.07, traits.body)


SPECIES = Species("puffer", "reef-fish", draw)
