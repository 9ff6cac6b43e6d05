"""Fins and tails: fans with rays, behind a body or in front of it, in the tones of the animal's zone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import fan, line, lines, polygon, profile, rays
from pixelreef.corpus.reef.zones import Traits

# Reach of a tail from its upper tip to its lower one, as a share of its length.
TAILS: dict[str, tuple[float, ...]] = {
    "fan": (0.72, 0.95, 1.0, 0.95, 0.72),
    "straight": (1.0, 0.92, 0.88, 0.92, 1.0),
    "forked": (1.0, 0.86, 0.52, 0.86, 1.0),
    "crescent": (1.0, 0.62, 0.4, 0.62, 1.0),
    "pointed": (0.42, 0.7, 1.0, 0.7, 0.42),
}


def tail(
    canvas: Canvas, traits: Traits, x: float, y: float, length: float, spread: float, kind: str, ramp: int
) -> None:
    """A tail fin that opens towards −x from a root, `spread` radians to each side."""
    reach = [length * share for share in TAILS[kind]]
    shape = fan(canvas, x, y, math.pi - spread, math.pi + spread, reach)
    membrane(canvas, traits, shape, "tail", ramp, count=3 if spread > 0.5 else 2)


def fin(
    canvas: Canvas,
    traits: Traits,
    root: Point,
    angles: tuple[float, float],
    reach: Sequence[float],
    ramp: int,
    part: str = "fin",
    front: bool = False,
) -> None:
    """A fin that fans out of a root between two angles; in `front` of the body it casts an edge."""
    shape = fan(canvas, *root, *angles, reach)
    membrane(canvas, traits, shape, part, ramp, count=3, edge=1.6 if front else 0.0)


def sail(
    canvas: Canvas, traits: Traits, front: Point, rear: Point, tip: Point, ramp: int, hollow: float = 0.25
) -> None:
    """A fin on a foot from `front` to `rear` that rises to a tip, its front edge bowed, its rear edge hollow.

    The foot should lie inside the body, which is painted over it.
    """
    (x0, y0), (x1, y1), (x2, y2) = front, rear, tip
    base_x, base_y = x1 - x0, y1 - y0
    long = base_x**2 + base_y**2
    lean = ((x2 - x0) * base_x + (y2 - y0) * base_y) / long
    rise = ((x2 - x0) * base_y - (y2 - y0) * base_x) / long  # in lengths of the foot, negative on its other side
    leading = (0.5 * (x0 + x2) - 0.16 * rise * base_y * lean - 0.1 * base_x, 0.5 * (y0 + y2) + 0.1 * (y2 - y0))
    trailing = (0.5 * (x1 + x2) + hollow * (x0 - x1) * 0.5, 0.5 * (y1 + y2) + hollow * (y1 - y2) * 0.5)
    flat = polygon(canvas, [front, leading, tip, trailing, rear])
    dx, dy = canvas.x - x0, canvas.y - y0
    u = (dx * base_y - dy * base_x) / (long * rise)
    v = 2 * ((dx * base_x + dy * base_y) / long - (lean - 0.5) * u) - 1
    membrane(canvas, traits, Shape(flat.mask, flat.lit, u, v), "fin", ramp, count=max(2.0, 0.8 * math.sqrt(long) / 0.2))


def membrane(
    canvas: Canvas, traits: Traits, shape: Shape, part: str, ramp: int, count: float = 3, edge: float = 0.0
) -> None:
    """Paint a fan as skin between rays: dark at the root, lighter at the edge, rays a step darker."""
    low, high = fin_tones(traits)
    canvas.paint(shape, part, ramp, high, edge=edge)
    root = shape.mask & (shape.u < 0.45)
    canvas.mark(root, shift=low - high)
    if canvas.size >= 24 and traits.deep < 3:
        canvas.mark(shape.mask & rays(shape, count, 0.36) & (shape.u >= 0.45), shift=-1.0)


def crest(
    canvas: Canvas,
    traits: Traits,
    back: float,
    front: float,
    above: Sequence[float],
    below: Sequence[float],
    ramp: int,
    bend: Sequence[float] = (),
) -> Shape:
    """Fins along back and belly: a larger profile behind the body, which is painted over it afterwards."""
    low, high = fin_tones(traits)
    shape = profile(canvas, back, front, above, below, bend)
    canvas.paint(shape, "fin", ramp, (low + high) / 2)
    canvas.mark(shape.mask & (shape.v < 0), shift=0.6)
    return shape


def spikes(canvas: Canvas, traits: Traits, points: Sequence[tuple[Point, Point]], width: float, ramp: int) -> None:
    """Spines: narrow triangles from a foot to a tip."""
    blades = []
    for (x0, y0), (x1, y1) in points:
        reach = math.hypot(x1 - x0, y1 - y0) or 1.0
        across_x, across_y = -(y1 - y0) / reach * width, (x1 - x0) / reach * width
        blades.append([(x0 + across_x, y0 + across_y), (x1, y1), (x0 - across_x, y0 - across_y)])
    shape = lines(canvas, points)
    np.logical_or(shape.mask, polygon(canvas, *blades).mask, out=shape.mask)
    canvas.paint(shape, "spine", ramp, fin_tones(traits)[1], behind=True)


def thread(canvas: Canvas, points: Sequence[Point], part: str, ramp: int, tone: float) -> None:
    """A filament of one pixel with no outline."""
    canvas.paint(line(canvas, points), part, ramp, tone, bare=True, behind=True)


def fin_tones(traits: Traits) -> tuple[float, float]:
    """Steps at root and edge of a fin."""
    span = traits.high - traits.low
    return traits.low + 0.3 * span, traits.low + 0.75 * span
