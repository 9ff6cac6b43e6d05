"""Shapes on the 24×24 canvas, as masks of cells: whole numbers only, so that every machine draws the same.

A coordinate (x, y) is the centre of a cell, x from left, y from top, both from 0. Shapes include their border. What
lies off the canvas is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import SIDE

Mask = NDArray[np.bool_]
Point = tuple[int, int]

_Y, _X = np.mgrid[:SIDE, :SIDE]


def rect(left: int, top: int, right: int, bottom: int) -> Mask:
    """All cells from one corner to the other, both included.

    >>> int(rect(2, 2, 4, 3).sum())
    6
    """
    return np.asarray((left <= _X) & (right >= _X) & (top <= _Y) & (bottom >= _Y))


def ellipse(left: int, top: int, right: int, bottom: int) -> Mask:
    """The cells whose centre lies in the ellipse that fills the rectangle from edge to edge.

    With w and h the sides in cells: (2x − left − right)² h² + (2y − top − bottom)² w² ≤ w² h².

    >>> int(ellipse(0, 0, 2, 2).sum()), int(ellipse(0, 0, 3, 3).sum())
    (9, 12)
    """
    w, h = right - left + 1, bottom - top + 1
    across, down = 2 * _X - (left + right), 2 * _Y - (top + bottom)
    return np.asarray((across**2 * h**2 + down**2 * w**2 <= w**2 * h**2) & rect(left, top, right, bottom))


def circle(x: int, y: int, radius: int) -> Mask:
    """The disc that is 2 · radius + 1 cells wide; radius 0 is one cell.

    >>> int(circle(12, 12, 2).sum())
    21
    """
    return ellipse(x - radius, y - radius, x + radius, y + radius)


def line(start: Point, end: Point) -> Mask:
    """A line one cell thick, the same from either end: one cell per step along its longer side.

    >>> np.argwhere(line((0, 0), (3, 1))).tolist()
    [[0, 0], [0, 1], [1, 2], [1, 3]]
    """
    (x0, y0), (x1, y1) = sorted([start, end])
    steps = max(x1 - x0, abs(y1 - y0), 1)
    at = np.arange(steps + 1)
    # Nearest cell, a half going towards the larger coordinate.
    x = x0 + (2 * at * (x1 - x0) + steps) // (2 * steps)
    y = y0 + (2 * at * (y1 - y0) + steps) // (2 * steps)
    mask = np.zeros((SIDE, SIDE), bool)
    inside = (x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE)
    mask[y[inside], x[inside]] = True
    return mask


def polygon(points: Sequence[Point]) -> Mask:
    """The lines between the points in turn, closed, and what they enclose by the even-odd rule.

    >>> int(polygon([(0, 0), (4, 0), (0, 4)]).sum())
    15
    """
    border = np.zeros((SIDE, SIDE), bool)
    inside = np.zeros((SIDE, SIDE), bool)
    for start, end in zip(points, [*points[1:], points[0]], strict=True):
        border |= line(start, end)
        (y0, x0), (y1, x1) = sorted([start[::-1], end[::-1]])
        crossed = (y0 <= _Y) & (y1 > _Y)  # by a ray to the right; a corner counts for the edge below it only
        inside ^= crossed & ((_X - x0) * (y1 - y0) < (x1 - x0) * (_Y - y0))
    return border | inside
