"""A siphonophore, a colony on a stem: in the light a man of war under its sail, below it a chain of bells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import lights
from pixelreef.corpus.reef.jelly import gel, roots, swim, tentacles
from pixelreef.corpus.reef.shapes import curve, ellipse, profile, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """One of its two shapes; the deeper, the more often the chain."""
    if random.random() < (0.85, 0.5, 0.25, 0.15, 0.15)[traits.deep]:
        return {"form": "man of war", **_man_of_war(canvas, random, traits)}
    return {"form": "chain", **_chain(canvas, random, traits)}


def _man_of_war(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Threads and polyps, then the float, which lies across them, with its sail."""
    swim(canvas, random, traits, 0.0)
    long, sway = random.uniform(0.66, 0.8), random.uniform(-0.3, 0.3)
    deck = 0.24
    places = [(deck, long * 0.72 * (i / 3 - 1) + 0.06) for i in range(7)]
    tentacles(
        canvas,
        random,
        traits,
        places,
        random.uniform(0.95, 1.2),
        traits.accent,
        sway=sway,
        spread=-0.2,
        wave=0.08,
        waves=1.8,
        uneven=0.5,
    )
    for y in (-0.42, -0.14, 0.14, 0.42):
        end = (deck - random.uniform(0.3, 0.46), y * long * 0.9 + 0.2 * sway)
        polyp = stroke(canvas, [(deck, y * long), end], (0.08, 0.11, 0.05))
        canvas.paint(polyp, "polyp", traits.second, traits.low, traits.high)
    canvas.pose(traits.facing, random.uniform(-0.25, 0.25))
    _float(canvas, random, traits, -deck, long)
    return {"sway": round(sway, 3)}


def _float(canvas: Canvas, random: np.random.Generator, traits: Traits, deck: float, long: float) -> None:
    """A bladder with a lifted nose, and a crinkled sail along its back."""
    high, sail = random.uniform(0.34, 0.46), random.uniform(0.12, 0.2)
    bend = (deck, deck, deck, deck - 0.02, deck - 0.1, deck - 0.22)
    hump = random.uniform(0.6, 0.95)
    above = [high * k for k in (0.0, hump, 1.0, 0.7, 0.32, 0.1)]
    ridge = [0.0, *(height + sail for height in above[1:4]), above[4] + 0.5 * sail, 0.0]
    crest = profile(canvas, -0.92 * long, 0.86 * long, ridge, (0.0, 0.0), bend)
    canvas.paint(crest, "fin", traits.accent, traits.low + 0.8, traits.high + 0.6)
    canvas.mark(crest.mask & ((crest.u * 7) % 1 < 0.4), shift=-1.6)
    bladder = profile(canvas, -long, long, above, (0.0, 0.14, 0.16, 0.16, 0.12, 0.07), bend)
    gel(canvas, traits, bladder)
    if traits.clear > 0.5:
        gas = ellipse(canvas, -0.1 * long, deck - 0.12, 0.4 * long, 0.12)
        canvas.mark(gas.mask & bladder.mask, "organ", traits.second, traits.low - 1.0)
    if traits.lights > 0.15:
        lights(canvas, traits, [(long * v, deck + 0.04) for v in (-0.7, -0.35, 0.0, 0.35)])


def _chain(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """A float, bells in pairs down the stem, and a long curtain of threads along the rest of it."""
    lean = swim(canvas, random, traits, 0.45)
    sway, wave, bend = random.uniform(-0.5, 0.5), random.uniform(0.06, 0.16), random.uniform(0, 6.28)
    stem = [
        (0.86 - 1.4 * s, 0.7 * sway * s * s + wave * (math.sin(bend + 5 * s) - math.sin(bend)))
        for s in np.linspace(0, 1, 8).tolist()
    ]
    path: list[Point] = [(x, y) for x, y in curve(stem, 40).tolist()]
    pairs = 2 if random.random() < 0.7 else 3
    step = random.uniform(0.3, 0.36) if pairs == 2 else 0.25
    tail = [point for point in path if point[0] < 0.66 - step * pairs]
    long = random.uniform(0.6, 0.8) + 0.2 * traits.trail
    neck = tail[0]
    for half, up in ((0.42, 0.16), (0.16, -0.1)):
        places = [(neck[0] + up, neck[1] + y) for y in roots(half, 4, 1.0)]
        tentacles(canvas, random, traits, places, long - up, traits.second, sway=0.6 * sway, spread=0.3, wave=0.08)
    _bells(canvas, random, traits, path, pairs, step)
    canvas.paint(stroke(canvas, stem, (0.04, 0.04, 0.03)), "body", traits.accent, traits.low + 0.8, traits.high + 0.5)
    for x, y in tail[3::7]:
        canvas.paint(ellipse(canvas, x, y, 0.1, 0.09), "polyp", traits.accent, traits.low, traits.high + 0.4, edge=0.6)
    canvas.paint(
        ellipse(canvas, 0.84, 0, 0.15, 0.1), "body", traits.accent, traits.low + 0.4, traits.high + 0.8, edge=1.0
    )
    if traits.lights > 0.15:
        lights(canvas, traits, tail[2::5])
    return {"lean": lean, "sway": round(sway, 3), "pairs": pairs}


def _bells(
    canvas: Canvas, random: np.random.Generator, traits: Traits, path: list[Point], pairs: int, step: float
) -> None:
    """Swimming bells, left and right of the stem, each hanging over the next."""
    wide = (0.38 - 0.06 * traits.slender) * random.uniform(0.9, 1.1)
    droop = random.uniform(0.3, 0.8)
    for number in reversed(range(pairs)):
        x = 0.6 - step * number
        middle = min(path, key=lambda point: abs(point[0] - x))[1]
        swell = wide * (0.85 + 0.15 * number)
        for side in (-1, 1):
            one = ellipse(canvas, x, middle + side * (0.9 * swell + 0.04), 0.6 * step, swell, droop * side, 2.5)
            canvas.paint(one, "body", traits.body, traits.low, traits.high + 0.4, edge=2.4)
            if traits.lights > 0.5:
                lights(canvas, traits, [(x - 0.02, middle + side * 1.1 * swell)])


SPECIES = Species("siphonophore", "jellyfish", draw)
