"""Patterns of a skin: bars, stripes, spots, a gradient, countershading. They keep the light that falls on the body.

Widths are never below two pixels, so that a pattern is made of clusters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.shape import Bits, Floats, Shape
from pixelreef.corpus.reef.zones import SLATE, Traits, pick


def skin(
    canvas: Canvas, random: np.random.Generator, traits: Traits, shape: Shape, length: float, height: float
) -> dict[str, Any]:
    """Put the animal's pattern on a body of that length and height (units). Gives its parameters.

    Call it after the body is painted and before eyes, mouth and fins in front of it.
    """
    if traits.pattern == "countershading":
        return _countershade(canvas, random, traits, shape)
    if traits.pattern == "none":
        return {}
    mask, parameters = _PATTERNS[traits.pattern](canvas, random, shape, length, height)
    mask &= shape.mask
    shift = _shift(random, traits)
    canvas.mark(mask, "pattern", traits.second, shift=shift)
    return parameters


def spots(canvas: Canvas, spacing: float, radius: float, phase: tuple[float, float] = (0.0, 0.0)) -> Bits:
    """Dots on a triangular lattice of the frame, at least two pixels wide, with two pixels between them."""
    radius = max(radius, 1.05 * canvas.pixel)
    spacing = max(spacing, 2 * radius + 2 * canvas.pixel)
    row = spacing * math.sqrt(3) / 2
    y = canvas.y / row + phase[1]
    line = np.floor(y + 0.5)
    x = canvas.x / spacing + phase[0] + 0.5 * (line % 2)
    dx, dy = (x - np.floor(x + 0.5)) * spacing, (y - line) * row
    return np.asarray(dx * dx + dy * dy <= radius * radius)


def bands(field: Floats, count: float, share: float, phase: float) -> Bits:
    """`count` bands over a field from 0 to 1, each `share` of its period."""
    return np.asarray((field * count + phase) % 1 < share)


def _bars(
    canvas: Canvas, random: np.random.Generator, shape: Shape, length: float, height: float
) -> tuple[Bits, dict[str, Any]]:
    most = max(2, int(length / (5 * canvas.pixel)))
    count = min(2 + int(random.random() * 3), most)
    share = max(random.uniform(0.3, 0.5), 2 * canvas.pixel * count / length)
    bow, phase = random.uniform(-0.06, 0.12), random.random()
    mask = bands(shape.u + bow * shape.v * shape.v, count, share, phase)
    return mask, {"bars": count}


def _stripes(
    canvas: Canvas, random: np.random.Generator, shape: Shape, length: float, height: float
) -> tuple[Bits, dict[str, Any]]:
    most = max(1, int(height / (5 * canvas.pixel)))
    count = min(1 + int(random.random() * 3), most)
    share = min(max(random.uniform(0.3, 0.45), 2.2 * canvas.pixel * count / height), 0.6)
    mask = bands((shape.v + 1) / 2, count, share, random.uniform(0.1, 0.8))
    return mask & (shape.u > random.uniform(0, 0.2)), {"stripes": count}


def _spots(
    canvas: Canvas, random: np.random.Generator, shape: Shape, length: float, height: float
) -> tuple[Bits, dict[str, Any]]:
    radius = random.uniform(0.075, 0.125)
    spacing = radius * random.uniform(3.4, 4.4)
    mask = spots(canvas, spacing, radius, (random.random(), random.random()))
    return mask & (np.abs(shape.v) < 0.86), {"spot": round(radius, 3)}


def _gradient(
    canvas: Canvas, random: np.random.Generator, shape: Shape, length: float, height: float
) -> tuple[Bits, dict[str, Any]]:
    """The second colour over a part of the body, with a slanting border."""
    border, slant = random.uniform(0.3, 0.7), random.uniform(-0.15, 0.15)
    front = random.random() < 0.4
    mask = shape.u + slant * shape.v > border
    return (mask if front else ~mask), {"border": round(border, 3), "front": front}


def _countershade(canvas: Canvas, random: np.random.Generator, traits: Traits, shape: Shape) -> dict[str, Any]:
    """A dark back and a bright belly, so that a body vanishes from above and from below."""
    border = random.uniform(-0.25, 0.15)
    bright = 1.6 if traits.zone == "twilight" else 1.0
    below = shape.mask & (shape.v > border)
    canvas.mark(below, None, SLATE if traits.zone == "twilight" else None, shift=bright)
    canvas.mark(shape.mask & (shape.v > border + 0.3), "belly", None, shift=bright * 0.7)
    canvas.mark(shape.mask & (shape.v < border - 0.4), None, None, shift=-bright * 0.6)
    return {"border": round(border, 3)}


def _shift(random: np.random.Generator, traits: Traits) -> float:
    """Steps by which a pattern differs from the skin: enough to be seen in grey."""
    if traits.zone == "shallows":
        return pick(random, (-2.4, -1.8, 1.4)) if traits.second != SLATE else pick(random, (-2.4, 1.4, 1.6))
    return {"twilight": -1.0, "midnight": 1.2, "abyss": -1.0, "hadal": -1.0}[traits.zone]


_PATTERNS = {"bars": _bars, "stripes": _stripes, "spots": _spots, "gradient": _gradient}
