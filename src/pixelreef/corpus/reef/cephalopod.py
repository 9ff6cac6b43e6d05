"""What octopuses, squids and their kin share: arms with suckers, eyes, the skin between arms.

A cephalopod always shows its head: eyes that are seen, arms in front of them, the mantle behind. Even where other
animals have lost their eyes, these keep a small one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.details import eye, lights
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import ellipse, stroke
from pixelreef.corpus.reef.zones import Traits

_LEAST_EYE = 0.62


def arm(
    canvas: Canvas,
    traits: Traits,
    points: Sequence[Point],
    thick: float,
    part: str = "limb",
    *,
    shade: float = 0.0,
    suckers: int = 0,
    edge: float = 1.2,
    ramp: int | None = None,
) -> Shape:
    """A tapering arm; `suckers` is the side (−1 or 1, seen along it from its root) that shows them, 0 for neither."""
    shape = stroke(canvas, points, (thick, 0.86 * thick, 0.62 * thick, 0.3 * thick))
    ramp = traits.body if ramp is None else ramp
    canvas.paint(shape, part, ramp, traits.low - shade, traits.high - shade, edge=edge)
    if suckers and canvas.size >= 24:
        row = shape.mask & (shape.v * suckers > 0.1) & (shape.u > 0.15)
        canvas.mark(row, None, traits.accent, shift=0.8)
        canvas.mark(row & ((shape.u * 4) % 1 < 0.45), shift=-1.2)
    return shape


def curl(root: Point, angle: float, reach: float, turn: float) -> list[Point]:
    """The way of an arm: it leaves its root at an angle (radians, from +x towards +y) and turns by `turn` in all,
    most of it towards its tip."""
    x, y = root
    points = [root]
    for step in range(1, 7):
        heading = angle + turn * (step / 6) ** 2
        x, y = x + reach / 6 * math.cos(heading), y + reach / 6 * math.sin(heading)
        points.append((x, y))
    return points


def gaze(
    canvas: Canvas, traits: Traits, x: float, y: float, radius: float, part: str = "eye", look: Point = (1.0, 0.0)
) -> int:
    """An eye that is never lost, on a low brow of skin."""
    brow = ellipse(canvas, x, y, 1.7 * radius, 1.7 * radius)
    canvas.paint(brow, "head", traits.body, traits.low + 0.4, traits.high + 0.4)
    return eye(canvas, replace(traits, eye=max(traits.eye, _LEAST_EYE)), x, y, radius, part, look)


def arm_lights(canvas: Canvas, traits: Traits, points: Sequence[Point]) -> None:
    """Light organs at the given places, as far as the zone has them."""
    if traits.lights > 0.15:
        lights(canvas, traits, points)


def siphon(canvas: Canvas, traits: Traits, root: Point, end: Point, thick: float = 0.09) -> None:
    """The funnel that it swims with."""
    tube = stroke(canvas, [root, end], (thick, 0.8 * thick))
    canvas.paint(tube, "organ", traits.body, traits.low, traits.high, edge=1.2)
    canvas.mark(tube.mask & (tube.u > 0.8), "organ", None, shift=-1.6)


def seen_from_above(shape: Shape) -> Shape:
    """The same mantle with v from its midline (−1) to both its edges (1), so that a pattern lies evenly on its back."""
    return Shape(shape.mask, shape.lit, shape.u, 2 * np.abs(shape.v) - 1)
