"""A lionfish: bold bars, a comb of long spines on its back, breast fins like feathers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.fins import fin_tones, spikes, tail
from pixelreef.corpus.reef.fish import face, insides, photophores, spindle
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import fan, profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, back spines, body, face, and the feathered fin in front."""
    canvas.pose(traits.facing, traits.tilt)
    high = (0.36 - 0.12 * traits.slender) * random.uniform(0.92, 1.1)
    back, front = -0.44, random.uniform(0.64, 0.76)
    kind = pick(random, ("fan", "pointed"))
    tail(canvas, traits, back + 0.1, 0.0, random.uniform(0.36, 0.46), random.uniform(0.5, 0.75), kind, traits.accent)
    count, rise = int(random.integers(4, 7)), random.uniform(0.42, 0.58) * (0.8 + 0.2 * traits.age)
    lean = random.uniform(0.08, 0.26)
    feet = np.linspace(-0.26, 0.36, count)
    tips = [rise * (1 - 0.35 * abs(i / (count - 1) - 0.6)) for i in range(count)]
    comb = [((x, -0.4 * high), (x - lean, -0.7 * high - tip)) for x, tip in zip(feet.tolist(), tips, strict=True)]
    spikes(canvas, traits, comb, 0.06, traits.accent)
    under = [((-0.2, 0.4 * high), (-0.34, 0.8 * high + 0.28)), ((-0.06, 0.5 * high), (-0.16, 0.8 * high + 0.3))]
    spikes(canvas, traits, under, 0.07, traits.accent)
    above = spindle(traits, high)
    body = profile(canvas, back, front, above, above)
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.5), "belly")
    pattern = skin(canvas, random, traits, body, front - back, 2 * high)
    insides(canvas, traits, body, back, front, high)
    photophores(canvas, traits, body, back, front, 0.4 * high)
    width = face(canvas, random, traits, body, front, high, eye_at=(front - 0.26, -0.25 * high))
    spread = random.uniform(1.0, 1.4)
    _feathers(canvas, traits, (front - 0.5, 0.25 * high), (1.35, 1.35 + spread), random.uniform(0.44, 0.58))
    return {"spines": count, "tail": kind, "eye pixels": width, "spread": round(spread, 3), **pattern}


def _feathers(
    canvas: Canvas, traits: Traits, root: tuple[float, float], angles: tuple[float, float], reach: float
) -> None:
    """A breast fin whose edge is cut in between the rays."""
    low, high = fin_tones(traits)
    whole = fan(canvas, *root, *angles, (0.9 * reach, reach, 0.95 * reach, 0.8 * reach))
    fingers = (whole.v + 1) * 2.0
    notch = np.abs(fingers % 1 - 0.5) > 0.3
    shape = Shape(whole.mask & ~(notch & (whole.u > 0.6)), whole.lit, whole.u, whole.v)
    canvas.paint(shape, "fin", traits.accent, high + 0.4, edge=1.6)
    canvas.mark(shape.mask & notch, shift=-1.3)
    canvas.mark(shape.mask & (np.floor(whole.u * 3.4 + 0.2) % 2 == 1), shift=-math.copysign(0.9, high - low))


SPECIES = Species("lionfish", "reef-fish", draw)
