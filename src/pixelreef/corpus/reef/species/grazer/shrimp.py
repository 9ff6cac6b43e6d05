"""A shrimp: a shell in front, a ringed tail that bends under, a fan at its end, thin legs and long feelers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import eye, lights, organ
from pixelreef.corpus.reef.fins import spikes
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.patterns import bands
from pixelreef.corpus.reef.shapes import ellipse, fan, lines, stroke
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Feelers, legs, tail fan, ringed tail, head shell with its beak, eye."""
    canvas.pose(traits.facing, traits.tilt)
    stout = (0.27 - 0.1 * traits.slender) * random.uniform(0.9, 1.1)
    hump = random.uniform(0.1, 0.28)
    bend = random.uniform(0.1, 0.6)
    nose = (0.42, random.uniform(-0.2, -0.05))
    spine = [
        (0.36, nose[1] + 0.02),
        (0.05, -hump),
        (-0.36, -0.6 * hump),
        (-0.6, 0.1 + 0.3 * bend),
        (-0.52 + 0.25 * bend, 0.3 + 0.55 * bend),
    ]
    _feelers(canvas, random, traits, nose)
    _legs(canvas, random, traits, stout, nose[1])
    (bx, by), (ex, ey) = spine[-2], spine[-1]
    way = float(np.arctan2(ey - by, ex - bx))
    end = fan(canvas, ex, ey, way - 0.8, way + 0.8, (0.26, 0.34, 0.24, 0.34, 0.26))
    canvas.paint(end, "tail", traits.accent, traits.low + 0.6, traits.high)
    body = stroke(canvas, spine, (0.9 * stout, stout, 0.85 * stout, 0.62 * stout, 0.4 * stout))
    canvas.paint(body, "body", traits.body, traits.low, traits.high, edge=0.8)
    rings = bands(body.u, 6, 0.4, random.random()) & (body.u > 0.36)
    ramp = traits.second if traits.pattern in ("bars", "stripes", "spots") else None
    canvas.mark(body.mask & rings, "pattern", ramp, shift=-1.2 if traits.deep != 2 else 1.0)
    rostrum = [
        ((nose[0] - 0.1, nose[1] - 0.6 * stout), (nose[0] + random.uniform(0.3, 0.42), nose[1] - 0.8 * stout - 0.08))
    ]
    spikes(canvas, traits, rostrum, 0.06, traits.body)
    shell = ellipse(canvas, 0.22, nose[1], 0.4, 1.12 * stout, turn=0.1)
    canvas.paint(shell, "shell", traits.body, traits.low, traits.high, edge=1.2)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0.16, nose[1], 0.16, 0.6 * stout), shell)
    if traits.lights > 0.15:
        lights(
            canvas,
            traits,
            [(0.2, nose[1] + 0.5 * stout), (-0.1, -hump + 0.4 * stout), (-0.4, -0.3 * hump), (0.0, nose[1])],
        )
    width = eye(canvas, traits, 0.47, nose[1] - 0.3 * stout, 0.1)
    return {"bend": round(bend, 3), "hump": round(hump, 3), "eye pixels": width, "pattern": "none"}


def _legs(canvas: Canvas, random: np.random.Generator, traits: Traits, stout: float, y: float) -> None:
    """Walking legs under the shell, the first one with a small claw, and paddles under the tail."""
    found: list[Limb] = []
    drop = random.uniform(0.3, 0.42) + 0.2 * traits.slender
    for number, x in enumerate((0.4, 0.22, 0.04, -0.12)):
        knee = (x + 0.1, y + stout + 0.4 * drop)
        foot = (x + random.uniform(-0.08, 0.08) - 0.04 * number, y + stout + drop)
        found.append(([(x, y + 0.5 * stout), knee, foot], [0.05, 0.045, 0.03]))
    reach = (0.72, y + stout + random.uniform(-0.1, 0.2))
    claw: list[Limb] = [([(0.4, y + 0.5 * stout), (0.58, y + stout + 0.1), reach], [0.05, 0.05, 0.1])]
    canvas.paint(limbs(canvas, found + claw), "limb", traits.accent, traits.low, traits.high)


def _feelers(canvas: Canvas, random: np.random.Generator, traits: Traits, nose: Point) -> None:
    x, y = nose
    threads = []
    for up in (random.uniform(0.3, 0.65), random.uniform(-0.15, 0.2)):
        long = random.uniform(0.4, 0.5)
        threads.append([(x, y), (x + 0.6 * long, y - up), (x + long, y - 0.9 * up)])
    over = random.uniform(0.45, 0.7)
    threads.append([(x, y - 0.1), (x + 0.2, y - over), (x - 0.5 - 0.4 * traits.trail, y - over - 0.1)])
    canvas.paint(lines(canvas, threads), "tentacle", traits.accent, traits.high, bare=True)


SPECIES = Species("shrimp", "grazer", draw)
