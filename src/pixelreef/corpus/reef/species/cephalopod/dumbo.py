"""A dumbo octopus from the front: a soft dome with ears to swim with, over a skirt of webbed arms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.cephalopod import arm, arm_lights, curl, gaze
from pixelreef.corpus.reef.details import organ
from pixelreef.corpus.reef.fins import fin_tones
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import ellipse, fan
from pixelreef.corpus.reef.zones import Traits


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Ears, skirt, dome, eyes. It faces us: its left is at +x."""
    canvas.pose(traits.facing, 0.8 * traits.tilt)
    wide = (0.46 - 0.1 * traits.slender) * random.uniform(0.92, 1.08)
    tall = random.uniform(0.46, 0.54)
    flap, ear = random.uniform(-1.1, 0.4), random.uniform(0.36, 0.46) + 0.08 * traits.trail
    _ears(canvas, traits, wide, flap, ear)
    open_by = random.uniform(0.0, 1.0)
    count = _skirt(canvas, random, traits, wide, open_by)
    dome = ellipse(canvas, 0, -0.24, wide, tall, 0.0, 2.3)
    canvas.paint(dome, "body", traits.body, traits.low, traits.high)
    pattern = skin(canvas, random, traits, dome, 2 * wide, 2 * tall)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, -0.44, 0.4 * wide, 0.3 * tall), dome)
    arm_lights(canvas, traits, [(wide * v, -0.5 - 0.1 * (v == 0)) for v in (-0.5, 0.0, 0.5)])
    apart, down = 0.56 * wide, random.uniform(-0.1, -0.02)
    width = gaze(canvas, traits, apart, down, 0.125, "left eye", (0.0, 1.0))
    gaze(canvas, traits, -apart, down, 0.125, "right eye", (0.0, 1.0))
    canvas.mark(ellipse(canvas, 0, down + 0.16, 0.1, 0.045).mask & dome.mask, "mouth", None, shift=-1.6)
    return {"view": "front", "flap": round(flap, 3), "arms": count, "eye pixels": width, **pattern}


def _ears(canvas: Canvas, traits: Traits, wide: float, flap: float, reach: float) -> None:
    low, light = fin_tones(traits)
    for side, part in ((1, "left fin"), (-1, "right fin")):
        turn = flap if side > 0 else math.pi - flap
        x, y = side * wide * 0.8 + 0.55 * reach * math.cos(turn), -0.38 + 0.55 * reach * math.sin(turn)
        lobe = ellipse(canvas, x, y, 0.62 * reach, 0.36 * reach, turn)
        canvas.paint(lobe, part, traits.accent, low, light + 0.6)


def _skirt(canvas: Canvas, random: np.random.Generator, traits: Traits, wide: float, open_by: float) -> int:
    """Arms whose tips curl out of the skin between them; open like an umbrella or hanging."""
    count = 5 if random.random() < 0.6 else 6
    reach = random.uniform(0.56, 0.68) + 0.12 * traits.trail
    half = 0.5 + 0.55 * open_by
    places = [2 * i / (count - 1) - 1 for i in range(count)]
    web = fan(canvas, 0, -0.2, math.pi / 2 - half, math.pi / 2 + half, [0.2 + k * reach for k in _hem(count)])
    for at in sorted(places, key=abs, reverse=True):
        part = "left limb" if at > 0 else "right limb" if at < 0 else "limb"
        angle = math.pi / 2 - at * half
        root = (0.55 * at * wide, -0.02)
        way = curl(root, angle, 1.02 * reach, -at * random.uniform(0.2, 1.1))
        shade = 0.6 * abs(at)
        arm(canvas, traits, way, 0.1, part, shade=shade)
    canvas.paint(web, "body", traits.second, traits.low + 0.3, behind=True)
    return count


def _hem(count: int) -> list[float]:
    """How far the skin reaches along the arms and, less, between them."""
    return [0.85 if i % 2 == 0 else 0.62 for i in range(2 * count - 1)]


SPECIES = Species("dumbo", "cephalopod", draw)
