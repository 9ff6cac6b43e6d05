"""A cuttlefish: a broad shield with a waving fin all around it, a large head, short arms held together."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.cephalopod import arm, arm_lights, curl, gaze, seen_from_above
from pixelreef.corpus.reef.details import organ
from pixelreef.corpus.reef.fins import fin_tones, thread
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import ellipse, profile
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Fin, arms, head, mantle, eyes. Arms at +x; from above its left is at −y then."""
    above = random.random() < 0.55
    canvas.pose(traits.facing, random.uniform(-1.2, 0.6) if above else random.uniform(-0.35, 0.35))
    high = (0.38 - 0.13 * traits.slender) * random.uniform(0.9, 1.1)
    back, front = -0.84, 0.06
    sag = 1.0 if above else random.uniform(0.7, 0.9)
    bend = () if above else (0.1, 0.02, 0.0, 0.0, 0.04)
    _fin(canvas, random, traits, back, front, high, sag, bend, above)
    droop = 0.0 if above else random.uniform(0.0, 0.9)
    reach = random.uniform(0.42, 0.52) + 0.08 * traits.trail
    for at in (-1.0, 1.0, -0.4, 0.4):
        part = ("left limb" if at < 0 else "right limb") if above else "limb"
        bent = droop * (0.6 + 0.4 * at) + random.uniform(-0.4, 0.4)
        way = curl((0.32, 0.05 + 0.16 * at), 0.6 * at, reach * random.uniform(0.85, 1.1), bent)
        arm(canvas, traits, way, 0.07, part, shade=0.7 if abs(at) == 1 else 0.0)
    if traits.trail > 0.4:
        thread(canvas, curl((0.36, 0.08), 0.2, reach + 0.2, droop), "tentacle", traits.accent, traits.high)
    head = ellipse(canvas, 0.2, 0.03, 0.24, 0.25)
    canvas.paint(head, "head", traits.body, traits.low, traits.high - 0.2)
    upper = [high * k for k in (0.0, 0.72, 0.98, 1.0, 0.62)]
    mantle = profile(canvas, back, front, upper, [sag * k for k in upper], bend)
    canvas.paint(mantle, "body", traits.body, traits.low, traits.high, edge=1.2)
    pattern = skin(canvas, random, traits, seen_from_above(mantle) if above else mantle, front - back, 2 * high)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, -0.36, -0.04, 0.34, 0.34 * high), mantle)
    arm_lights(
        canvas, traits, [(x, s * 0.55 * high) for x in (-0.6, -0.38, -0.16) for s in ((-1, 1) if above else (1,))]
    )
    width = _eyes(canvas, traits, above)
    return {"view": "above" if above else "side", "eye pixels": width, "droop": round(droop, 3), **pattern}


def _fin(
    canvas: Canvas,
    random: np.random.Generator,
    traits: Traits,
    back: float,
    front: float,
    high: float,
    sag: float,
    bend: tuple[float, ...],
    above: bool,
) -> None:
    """A hem around the mantle that waves along its edge."""
    out, waves = random.uniform(0.15, 0.22), random.uniform(8, 12)
    up = [out + high * k for k in (0.3, 0.72, 0.98, 1.0, 0.5)]
    down = [out + high * sag * k for k in (0.3, 0.72, 0.98, 1.0, 0.5)]
    if not above:
        up = [max(height - 0.5 * out, 0.0) for height in up]
    hem = profile(canvas, back - 0.1, front, up, down, bend)
    crinkle = 0.13 * np.sin(canvas.x * waves + random.uniform(0, 6))
    hem = hem & (np.abs(hem.v) + crinkle < 1.0)
    canvas.paint(hem, "fin", traits.accent, fin_tones(traits)[1] + 0.3)
    canvas.mark(hem.mask & (np.sin(canvas.x * waves * 1.6) > 0.3), shift=-1.0)
    if above:
        canvas.mark(hem.mask & (canvas.y < 0), "left fin")
        canvas.mark(hem.mask & (canvas.y >= 0), "right fin")


def _eyes(canvas: Canvas, traits: Traits, above: bool) -> int:
    if not above:
        return gaze(canvas, traits, 0.24, -0.02, 0.13, "eye", (1.0, 0.0))
    gaze(canvas, traits, 0.2, 0.24, 0.1, "right eye", (1.0, 0.0))
    return gaze(canvas, traits, 0.2, -0.2, 0.1, "left eye", (1.0, 0.0))


SPECIES = Species("cuttlefish", "cephalopod", draw)
