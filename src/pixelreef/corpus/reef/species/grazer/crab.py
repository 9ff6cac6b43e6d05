"""A crab that faces us: a broad shell, eyes on stalks, two claws, six or eight legs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.details import eye, lights, mouth, organ
from pixelreef.corpus.reef.limbs import Limb, limbs
from pixelreef.corpus.reef.patterns import spots
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, fan
from pixelreef.corpus.reef.zones import Traits

SIDES = ((1, "left"), (-1, "right"))


def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
    """Legs, eye stalks, shell, face, claws. It faces us, so its left is at +x."""
    canvas.pose(traits.facing, 0.5 * traits.tilt)
    half = (0.45 - 0.17 * traits.slender) * random.uniform(0.92, 1.08)
    tall = (0.31 - 0.07 * traits.slender) * random.uniform(0.9, 1.15)
    legs = 4 if random.random() < 0.4 and traits.slender < 0.3 else 3
    walking = limbs(canvas, [leg for side, _ in SIDES for leg in _legs(random, traits, side, (half, tall), legs)])
    _paint_sides(canvas, walking, "limb", traits.accent, (traits.low - 0.2, traits.high - 0.2))
    canvas.mark(walking.mask & (walking.u > 0.8), shift=-1.0)
    width = _eyes(canvas, random, traits, half, tall)
    shell = ellipse(canvas, 0, 0.05, half, tall, power=random.uniform(2.0, 3.0))
    canvas.paint(shell, "shell", traits.body, traits.low, traits.high, edge=1.0)
    _face(canvas, random, traits, shell, half, tall)
    great = random.uniform(0.75, 1.45)
    _claws(canvas, random, traits, half, (great, 2.1 - great))
    return {"legs": 2 * legs, "great claw": round(great, 3), "eye pixels": width, "view": "front", "pattern": "none"}


def _paint_sides(
    canvas: Canvas, shape: Shape, part: str, ramp: int, tones: tuple[float, float], edge: float = 0.0
) -> None:
    for side, name in SIDES:
        canvas.paint(shape & (canvas.x * side > 0), f"{name} {part}", ramp, *tones, edge=edge)


def _legs(random: np.random.Generator, traits: Traits, side: int, size: tuple[float, float], count: int) -> list[Limb]:
    """Legs that rise to a knee and come down, the foremost farthest out."""
    half, tall = size
    found: list[Limb] = []
    long = 0.3 + 0.17 * traits.slender
    thick = 0.08 - 0.04 * traits.slender
    stand = 0.05 + tall + random.uniform(0.14, 0.24) + 0.2 * traits.slender
    for number in range(count):
        t = number / (count - 1)
        hip = (side * half * (0.85 - 0.3 * t), 0.1 + 0.3 * tall)
        rise = 0.02 - 0.4 * long * (1 - t) + 0.2 * t + random.uniform(-0.05, 0.05)
        knee = (side * (half + long * (0.7 - 0.6 * t)), rise)
        foot = (side * (half + long * (1.3 - 1.2 * t) + random.uniform(-0.05, 0.05)), stand * (0.72 + 0.28 * t))
        found += [([hip, knee], [thick, thick]), ([knee, foot], [0.9 * thick, 0.35 * thick])]
    return found


def _eyes(canvas: Canvas, random: np.random.Generator, traits: Traits, half: float, tall: float) -> int:
    apart, high = max(random.uniform(0.32, 0.5) * half, 0.13 * traits.eye), tall + random.uniform(0.1, 0.2)
    tip = (apart + 0.04, 0.05 - high)
    stalks = limbs(canvas, [([(side * apart, 0), (side * tip[0], tip[1])], [0.05, 0.06]) for side, _ in SIDES])
    _paint_sides(canvas, stalks, "eye", traits.body, (traits.low, traits.high - 0.5))
    width = 0
    for side, name in SIDES:
        width = eye(canvas, traits, side * tip[0], tip[1], 0.125, f"{name} eye", (-0.6 * side, 1.0))
    return width


def _face(canvas: Canvas, random: np.random.Generator, traits: Traits, shell: Shape, half: float, tall: float) -> None:
    """Spots above, a pale belly with a mouth below; lights, or what shows through."""
    if traits.pattern in ("spots", "bars", "stripes"):
        dots = spots(canvas, random.uniform(0.26, 0.34), 0.07, (random.random(), random.random()))
        bright = 1.2 if traits.deep < 2 else 0.8
        canvas.mark(shell.mask & dots & (shell.v < 0.1), "pattern", traits.second, shift=bright)
    canvas.mark(shell.mask & (shell.v > 0.45), "belly", None, shift=0.9 if traits.deep < 3 else 0.5)
    jaw = 0.05 + 0.42 * tall
    mouth(canvas, [(-0.12, jaw), (0, jaw + 0.04), (0.12, jaw)], traits.body, max(traits.low - 2, 0.0))
    if traits.clear > 0.5:
        organ(canvas, traits, ellipse(canvas, 0, 0.0, 0.5 * half, 0.45 * tall), shell)
    if traits.lights > 0.15:
        places = ((-0.62, 0.0), (0.5, -0.1), (0, -0.55), (0.05, 0.2))
        lights(canvas, traits, [(x * half, 0.05 + y * tall) for x, y in places])


def _claws(
    canvas: Canvas, random: np.random.Generator, traits: Traits, half: float, sizes: tuple[float, float]
) -> None:
    """Arms, and hands that are open at the top, of which one may be the greater."""
    reach = random.uniform(0.2, 0.5)
    thick = 0.075 - 0.02 * traits.slender
    arms: list[Limb] = []
    hands = []
    for side, _ in SIDES:
        elbow = (side * (half + 0.13), 0.1 - 0.3 * reach)
        hand = (side * (max(half, 0.36) + random.uniform(0.02, 0.14)), -0.12 - reach - random.uniform(-0.1, 0.15))
        arms += [([(side * half * 0.75, 0.12), elbow], [thick, thick]), ([elbow, hand], [thick, thick])]
        hands.append(hand)
    _paint_sides(canvas, limbs(canvas, arms), "limb", traits.accent, (traits.low, traits.high - 0.3), edge=1.0)
    for (side, name), (x, y), size in zip(SIDES, hands, sizes, strict=True):
        fist = ellipse(canvas, x, y, 0.17 * size, 0.23 * size, turn=-0.3 * side)
        up = -math.pi / 2 + side * random.uniform(-0.4, 0.1)
        gap = fan(canvas, x, y - 0.02, up - 0.34, up + 0.34, (0.5 * size,))
        canvas.paint(fist - gap.mask, f"{name} limb", traits.body, traits.low, traits.high + 0.2, edge=1.2)


SPECIES = Species("crab", "grazer", draw)
