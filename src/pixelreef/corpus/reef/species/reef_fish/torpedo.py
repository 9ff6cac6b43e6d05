"""A fast swimmer, as wrasses, snappers and tunas are: a spindle with a forked tail."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.fins import crest, fin, tail
from pixelreef.corpus.reef.fish import face, insides, photophores, spindle, trailing
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tail, fins along back and belly, body, face, breast fin."""
    canvas.pose(traits.facing, traits.tilt)
    high = (0.45 - 0.21 * traits.slender) * random.uniform(0.9, 1.12) * (0.85 + 0.15 * traits.age)
    back, front = -0.52 - 0.14 * traits.age, random.uniform(0.72, 0.86)
    wave = random.uniform(-0.12, 0.12)
    bend = (-1.6 * wave, -0.3 * wave, 0.5 * wave, 0.4 * wave, 0.0)
    kind = pick(random, ("forked", "crescent", "forked", "straight") if traits.deep < 3 else ("pointed", "fan"))
    tail(
        canvas, traits, back + 0.12, bend[0], random.uniform(0.36, 0.46), random.uniform(0.6, 0.9), kind, traits.accent
    )
    low_fins = 0.75 if traits.deep > 2 else 1.0
    rise, keel = random.uniform(1.15, 1.6) * low_fins * high, random.uniform(0.9, 1.4) * low_fins * high
    crest(
        canvas,
        traits,
        random.uniform(back + 0.1, back + 0.3),
        random.uniform(0.1, 0.45),
        (0.3 * high, random.uniform(0.7, 1.2) * rise, rise, 0.7 * rise, 0.2 * high),
        (0.3 * high, keel, 0.8 * keel, 0.3 * high, 0.0),
        traits.accent,
        bend,
    )
    above, belly = spindle(traits, high), random.uniform(0.85, 1.15)
    body = profile(canvas, back, front, above, [belly * knot for knot in above], bend)
    canvas.paint(body, "body", traits.body, traits.low, traits.high)
    canvas.mark(body.mask & (body.v > 0.45), "belly")
    pattern = skin(canvas, random, traits, body, front - back, 2 * high)
    insides(canvas, traits, body, back, front, high)
    photophores(canvas, traits, body, back, front, 0.5 * high)
    trailing(canvas, random, traits, (back, 0.0), (0.1, high))
    width = face(canvas, random, traits, body, front, high, eye_at=(front - 0.27, -0.2 * high))
    turn = random.uniform(2.4, 2.9)
    fin(canvas, traits, (front - 0.56, 0.3 * high), (turn, turn + 0.9), (0.2, 0.26, 0.2), traits.body, front=True)
    return {"tail": kind, "eye pixels": width, "wave": round(wave, 3), **pattern}


SPECIES = Species("torpedo", "reef-fish", draw)
