"""An octopus: sitting or striding towards us on curling arms, or jetting away with its arms behind it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.cephalopod import arm, arm_lights, curl, gaze, siphon
from pixelreef.corpus.reef.details import organ
from pixelreef.corpus.reef.patterns import skin
from pixelreef.corpus.reef.shapes import ellipse, profile
from pixelreef.corpus.reef.zones import Traits, pick


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Three poses: sitting and walking are seen from the front, jetting from the side."""
    pose = pick(random, ("sit", "walk", "jet"))
    if pose == "jet":
        return {"pose": pose, "view": "side", **_jet(canvas, random, traits)}
    return {"pose": pose, "view": "front", **_front(canvas, random, traits, pose == "walk")}


def _front(canvas: Canvas, random: np.random.Generator, traits: Traits, walks: bool) -> dict[str, Any]:
    """Arms from the outermost inwards, siphon, mantle, head, eyes. It faces us: its left is at +x."""
    canvas.pose(traits.facing, 0.5 * traits.tilt)
    thick = 0.1 - 0.025 * traits.slender
    reach = random.uniform(0.7, 0.85) + 0.12 * traits.trail
    each = 3 if random.random() < 0.75 else 4
    for number in range(each):
        for side, part in ((1, "left limb"), (-1, "right limb")):
            inward = number / (each - 1)
            _leg(canvas, random, traits, side, part, inward, reach, thick, walks)
    wide = (0.4 - 0.1 * traits.slender) * random.uniform(0.9, 1.1)
    tall, lean = random.uniform(0.4, 0.48) + 0.06 * traits.slender, random.uniform(-0.12, 0.12)
    mantle = ellipse(canvas, lean, -0.42, wide, tall, 0.0, random.uniform(2.0, 2.6))
    canvas.paint(mantle, "body", traits.body, traits.low, traits.high)
    pattern = skin(canvas, random, traits, mantle, 2 * wide, 2 * tall)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, lean, -0.5, 0.42 * wide, 0.4 * tall), mantle)
    arm_lights(
        canvas, traits, [(lean + 0.5 * wide * s, -0.42 - 0.5 * tall * t) for s, t in ((-1, 0.2), (1, 0.2), (0, 1))]
    )
    head = ellipse(canvas, 0, 0.02, 0.8 * wide + 0.04, 0.22)
    canvas.paint(head, "head", traits.body, traits.low + 0.1, traits.high)
    apart = 0.62 * wide + 0.02
    size = 0.115
    width = gaze(canvas, traits, apart, -0.02, size, "left eye", (0.0, 1.0))
    gaze(canvas, traits, -apart, -0.02, size, "right eye", (0.0, 1.0))
    return {"arms": 2 * each, "eye pixels": width, **pattern}


def _leg(
    canvas: Canvas,
    random: np.random.Generator,
    traits: Traits,
    side: int,
    part: str,
    inward: float,
    reach: float,
    thick: float,
    walks: bool,
) -> None:
    """An arm: the outer ones reach out and curl up, the inner ones go down; when it walks, all stand on their tips."""
    angle = (0.45 if walks else -0.05) + (1.0 if walks else 1.3) * inward + random.uniform(-0.12, 0.12)
    turn = random.uniform(0.9, 1.6) if walks else -random.uniform(0.8, 2.6) * (1 - 0.5 * inward)
    if inward > 0.9:
        turn *= random.uniform(-0.6, 0.6)
    long = reach * random.uniform(0.85, 1.05) * (1 - 0.12 * inward)
    way = curl((0.22 * (1 - 0.6 * inward), 0.1), angle, long, turn)
    points = [(side * x, y) for x, y in way]
    arm(canvas, traits, points, thick, part, shade=0.8 * (1 - inward), suckers=side if not walks else -side)
    if traits.lights > 0.5:
        arm_lights(canvas, traits, points[2:6:2])


def _jet(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Seen from the side, mantle ahead (at −x) and the arms together behind it."""
    canvas.pose(traits.facing, random.uniform(-0.7, 0.7))
    thick = 0.1 - 0.025 * traits.slender
    reach = random.uniform(0.75, 0.9) + 0.15 * traits.trail
    spread, sway = random.uniform(0.25, 0.6), random.uniform(-0.5, 0.5)
    siphon(canvas, traits, (-0.1, 0.16), (0.16, 0.32))
    for number, at in enumerate((-1.0, 1.0, -0.5, 0.5, 0.0)):
        way = curl((0.12, 0.12 * at), spread * at, reach * random.uniform(0.85, 1.0), sway + 0.5 * at)
        arm(canvas, traits, way, thick, "limb", shade=0.8 if number < 2 else 0.0, suckers=int(at) if number < 2 else 0)
        if traits.lights > 0.5:
            arm_lights(canvas, traits, way[2:6:2])
    high = (0.38 - 0.1 * traits.slender) * random.uniform(0.9, 1.08)
    knots = [high * k for k in (0.0, 0.8, 1.0, 0.8, 0.55, 0.3)]
    mantle = profile(canvas, -0.86, 0.2, knots, knots)
    canvas.paint(mantle, "body", traits.body, traits.low, traits.high)
    pattern = skin(canvas, random, traits, mantle, 1.0, 2 * high)
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, -0.45, 0.02, 0.2, 0.42 * high), mantle)
    arm_lights(canvas, traits, [(x, 0.5 * high) for x in (-0.6, -0.4, -0.2)])
    head = ellipse(canvas, 0.1, 0, 0.2, 0.2)
    canvas.paint(head, "head", traits.body, traits.low, traits.high)
    width = gaze(canvas, traits, 0.08, -0.1, 0.12, "eye", (1.0, 0.0))
    return {"sway": round(sway, 3), "eye pixels": width, **pattern}


SPECIES = Species("octopus", "cephalopod", draw)
