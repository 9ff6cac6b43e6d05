"""A squid: a dart of a mantle with fins at its tip, a head with large eyes, eight arms and two long tentacles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.cephalopod import arm, arm_lights, curl, gaze, seen_from_above
from pixelreef.corpus.reef.details import organ, spine
from pixelreef.corpus.reef.fins import fin_tones, thread
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import ellipse, polygon, profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Tentacles, arms, fins, mantle, head. Arms at +x; from above its left is at −y then."""
    above = random.random() < 0.6
    dive = random.uniform(0.9, 2.0) if above else random.uniform(0.25, 0.9) * pick(random, (-1, 1))
    canvas.pose(traits.facing, dive)
    high = (0.31 - 0.11 * traits.slender) * random.uniform(0.9, 1.12)
    tip, collar = -0.86, -0.02
    sway = random.uniform(-0.4, 0.4)
    _tentacles(canvas, random, traits, sway)
    reach = random.uniform(0.36, 0.46) + 0.1 * traits.trail
    for at in (-1.0, 1.0, -0.4, 0.4):
        side = ("left limb" if at < 0 else "right limb") if above else "limb"
        way = curl((0.16, 0.12 * at), 0.5 * at, reach, 0.6 * sway + random.uniform(-0.3, 0.3))
        arm(canvas, traits, way, 0.07, side, shade=0.8 if abs(at) == 1 else 0.0, ramp=traits.body)
    kind = _fins(canvas, random, traits, tip, high, above)
    knots = [high * k for k in (0.0, 0.34, 0.72, 0.98, 1.0, 0.86)]
    mantle = profile(canvas, tip, collar, knots, knots)
    canvas.paint(mantle, "body", traits.body, traits.low, traits.high)
    pattern = skin(canvas, random, traits, seen_from_above(mantle) if above else mantle, collar - tip, 2 * high)
    if traits.clear > 0.5:
        spine(canvas, traits, mantle, [(tip + 0.2, 0), (collar - 0.1, 0)])
        organ(canvas, traits, ellipse(canvas, -0.28, 0.02, 0.18, 0.4 * high), mantle)
    arm_lights(
        canvas, traits, [(x, y * high) for x in (-0.5, -0.34, -0.18) for y in ((-0.5, 0.5) if above else (0.5,))]
    )
    canvas.mark(mantle.mask & (mantle.u > 0.92), shift=-1.0)
    width = _head(canvas, traits, high, above)
    return {"view": "above" if above else "side", "fins": kind, "eye pixels": width, "sway": round(sway, 3), **pattern}


def _tentacles(canvas: Canvas, random: np.random.Generator, traits: Traits, sway: float) -> None:
    """Two long ones with a club at the end."""
    reach = random.uniform(0.52, 0.64) + 0.14 * traits.trail
    tone = max(traits.high - 0.4, 2.4)
    for side in (-1, 1):
        way = curl((0.2, 0.06 * side), 0.3 * side, reach, sway + random.uniform(-0.5, 0.1) * side)
        thread(canvas, way, "tentacle", traits.accent, tone)
        x, y = way[-1]
        heading = math.atan2(y - way[-2][1], x - way[-2][0])
        club = ellipse(canvas, x, y, 0.13, 0.065, heading)
        canvas.paint(club, "tentacle", traits.accent, traits.low, traits.high + 0.4)


def _fins(canvas: Canvas, random: np.random.Generator, traits: Traits, tip: float, high: float, above: bool) -> str:
    """A pair at the tip: an arrowhead or rounded like ears."""
    kind = "arrow" if random.random() < 0.6 else "round"
    wide, long = random.uniform(0.34, 0.46), random.uniform(0.4, 0.56)
    light = fin_tones(traits)[1]
    for side, part in ((-1, "left fin"), (1, "right fin")):
        if kind == "arrow":
            corners = [
                (tip - 0.02, 0.0),
                (tip + 0.45 * long, side * (wide + 0.06)),
                (tip + long, 0.5 * side * high),
                (tip + long, 0.0),
            ]
            shape = polygon(canvas, corners)
        else:
            shape = ellipse(canvas, tip + 0.5 * long, 0.5 * side * wide, 0.46 * long, 0.62 * wide)
        canvas.paint(shape, part if above else "fin", traits.accent, light if side < 0 else light - 0.6)
        canvas.mark(shape.mask & (np.abs(canvas.y) > 0.7 * wide), shift=0.8)
    return kind


def _head(canvas: Canvas, traits: Traits, high: float, above: bool) -> int:
    head = ellipse(canvas, 0.1, 0, 0.17, 0.62 * high + 0.06)
    canvas.paint(head, "head", traits.body, traits.low, traits.high, edge=1.0)
    if not above:
        return gaze(canvas, traits, 0.12, -0.02, 0.115, "eye", (1.0, 0.0))
    apart = 0.6 * high + 0.06
    gaze(canvas, traits, 0.12, apart, 0.09, "right eye", (1.0, 0.0))
    return gaze(canvas, traits, 0.12, -apart, 0.09, "left eye", (1.0, 0.0))


SPECIES = Species("squid", "cephalopod", draw)
