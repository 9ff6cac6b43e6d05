"""A vampire squid from the front: a cloak between pointed arms, spread to show its spines, small ears, huge eyes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.cephalopod import arm_lights, gaze
from pixelreef.corpus.reef.details import organ
from pixelreef.corpus.reef.fins import fin, thread
from pixelreef.corpus.reef.shapes import ellipse, fan
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Ears, cloak with arms and spines, mantle, eyes. It faces us: its left is at +x."""
    canvas.pose(traits.facing, 0.9 * traits.tilt)
    wide = (0.4 - 0.06 * traits.slender) * random.uniform(0.92, 1.08)
    flap = random.uniform(-0.7, 0.3)
    for side, part in ((1, "left fin"), (-1, "right fin")):
        turn = flap if side > 0 else math.pi - flap
        fin(canvas, traits, (0.6 * side * wide, -0.55), (turn - 0.5, turn + 0.5), (0.3, 0.38, 0.3), traits.accent, part)
    arms = 5 + int(random.random() * 2)
    half = random.uniform(0.75, 1.25)
    _cloak(canvas, random, traits, arms, half)
    if traits.trail > 0.3:
        for side in (-1, 1):
            way = [(0.2 * side, 0.0), (0.62 * side, 0.05), (0.8 * side, 0.3), (0.72 * side, 0.66)]
            thread(canvas, way, "tentacle", traits.accent, traits.high + 0.4)
    mantle = ellipse(canvas, 0, -0.42, wide, random.uniform(0.4, 0.46), 0.0, 2.2)
    canvas.paint(mantle, "body", traits.body, traits.low, traits.high, edge=1.4)
    if traits.pattern != "none":
        canvas.mark(mantle.mask & (mantle.v < -0.3), "pattern", traits.second, shift=-0.8)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, -0.52, 0.4 * wide, 0.2), mantle)
    arm_lights(canvas, traits, [(0.0, -0.66), (-0.6 * wide, -0.6), (0.6 * wide, -0.6)])
    apart = 0.6 * wide + 0.03
    width = gaze(canvas, traits, apart, -0.16, 0.115, "left eye", (0.0, 1.0))
    gaze(canvas, traits, -apart, -0.16, 0.115, "right eye", (0.0, 1.0))
    return {"view": "front", "arms": arms, "spread": round(half, 3), "flap": round(flap, 3), "eye pixels": width}


def _cloak(canvas: Canvas, random: np.random.Generator, traits: Traits, arms: int, half: float) -> None:
    """A fan of skin, deepest at the arms, which end in points; its lining is dark and set with spines."""
    reach = random.uniform(0.86, 1.0) + 0.12 * traits.trail
    hollow = random.uniform(0.62, 0.78)
    knots = [reach * (1.0 if i % 2 == 0 else hollow) for i in range(2 * arms - 1)]
    cloak = fan(canvas, 0, -0.12, math.pi / 2 - half, math.pi / 2 + half, knots)
    span = traits.high - traits.low
    canvas.paint(cloak, "body", traits.second, traits.low + 0.1 * span)
    rib = np.abs(((cloak.v + 1) * ((arms - 1) / 2) + 0.5) % 1 - 0.5) < 0.2
    along = cloak.mask & rib
    canvas.mark(along & (canvas.x > 0), "left limb", traits.body, traits.low + 0.7 * span)
    canvas.mark(along & (canvas.x <= 0), "right limb", traits.body, traits.low + 0.9 * span)
    if canvas.size >= 24:
        spines = along & (np.abs((cloak.u * 5) % 1 - 0.5) < 0.22) & (cloak.u > 0.4)
        canvas.mark(spines, "spine", traits.accent, shift=1.4)
    if traits.lights > 0.15:
        angles = [math.pi / 2 - half + 2 * half * i / (arms - 1) for i in range(arms)]
        arm_lights(canvas, traits, [(0.84 * reach * math.cos(a), -0.12 + 0.84 * reach * math.sin(a)) for a in angles])


SPECIES = Species("vampire-squid", "cephalopod", draw)
