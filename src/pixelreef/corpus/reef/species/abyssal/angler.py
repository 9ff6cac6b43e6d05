"""An anglerfish: a ball that is half mouth, with a light on a rod."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, glow, lights
from pixelreef.corpus.reef.fins import fin, tail, thread
from pixelreef.corpus.reef.fish import insides, trailing
from pixelreef.corpus.reef.jaws import jaws
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail and fins, the ball, its mouth, the eye, the rod and its light."""
    canvas.pose(traits.facing, 0.7 * traits.tilt, (0.0, 0.12))
    high = random.uniform(0.42, 0.6) * (1 - 0.3 * traits.slender)
    back, front = -0.58 - 0.1 * traits.slender, random.uniform(0.5, 0.66)
    kind = pick(random, ("fan", "straight") if traits.deep < 3 else ("pointed", "fan"))
    tail(canvas, traits, back + 0.1, 0.0, random.uniform(0.26, 0.36), random.uniform(0.5, 0.7), kind, traits.accent)
    for side in (-1, 1):
        angle = side * random.uniform(1.7, 2.3)
        root = (back + 0.34, side * 0.5 * high)
        fin(canvas, traits, root, (angle - 0.45, angle + 0.45), (0.26, 0.32, 0.22), traits.accent)
    belly = random.uniform(0.95, 1.25)
    above = (0.08, 0.3 * high, 0.8 * high, high, 0.9 * high, 0.25 * high)
    body = profile(canvas, back, front, above, [belly * knot for knot in above])
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.5), "belly")
    pattern = skin(canvas, random, traits, body, front - back, 2 * high)
    insides(canvas, traits, body, back, front, high)
    trailing(canvas, random, traits, (back, 0.0), (0.0, 0.9 * high))
    half = 0.3 + 0.4 * max(traits.gape, random.uniform(0.3, 0.6))
    jaws(canvas, traits, body, (front - 0.58, 0.18 * high), 0.72, half, 4, 0.17)
    width = eye(canvas, traits, front - 0.42, -0.5 * high, 0.095)
    if traits.lights > 0.5:
        lights(canvas, traits, [(back + 0.3, 0.1), (back + 0.48, 0.28), (back + 0.46, -0.16)])
    reach = random.uniform(0.34, 0.5)
    brow, tip = (front - 0.5, -0.85 * high), (front + random.uniform(-0.08, 0.2), -high - 0.6 * reach)
    bow = (brow[0] + 0.12, brow[1] - reach)
    thread(canvas, [brow, bow, tip], "light organ", traits.accent, max(traits.high - 0.6, 2.0))
    glow(canvas, traits, *tip, random.uniform(0.07, 0.11))
    return {"tail": kind, "eye pixels": width, "rod": round(reach, 3), **pattern}


SPECIES = Species("angler", "abyssal", draw)
