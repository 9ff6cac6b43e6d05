"""Plain shapes: which one a region is, and how a cloud of cells lies.

A region is compared with ideal shapes drawn into a box of its own size. It *is* the shape whose ideal it overlaps best
(intersection over union), if that overlap is good; so a 5×5 square without its corners is a circle, as people draw it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from pixelreef.draw.vision.sight import Mask

SHAPES = ("square", "circle", "triangle", "diamond", "cross")
LEAST_OVERLAP = 0.75
LEAST_SIDE = {"square": 2, "circle": 3, "triangle": 3, "diamond": 5, "cross": 3}  # below it, a shape can't be told


def ideal(shape: str, height: int, width: int, turn: int = 0) -> Mask:
    """(height, width): the shape as large as fits. A triangle's tip points up, and `turn` quarter turns from there.

    >>> ideal("diamond", 5, 5).sum(axis=1).tolist()
    [1, 3, 5, 3, 1]
    """
    if turn % 2:
        return np.rot90(ideal(shape, width, height), turn)
    if turn:
        return np.rot90(ideal(shape, height, width), turn)
    row, column = np.mgrid[0:height, 0:width]
    y, x = (2 * row + 1 - height) / height, (2 * column + 1 - width) / width  # cell middles, from −1 to 1
    return np.asarray(_INSIDE[shape](y, x, height, width), bool)


def _circle(y: NDArray[np.float64], x: NDArray[np.float64], height: int, width: int) -> Mask:
    small = min(height, width) == 3  # where the plain rule leaves a whole 3×3 square
    return np.asarray(y**2 + x**2 <= (0.8 if small else 1.0))


def _triangle(y: NDArray[np.float64], x: NDArray[np.float64], height: int, width: int) -> Mask:
    half = (y + 1) / 2 + 1 / width  # its half-width at that row, a little over so that the tip is there
    return np.asarray(np.abs(x) <= half)


def _diamond(y: NDArray[np.float64], x: NDArray[np.float64], height: int, width: int) -> Mask:
    odd = (height % 2 + width % 2) / 2
    return np.asarray(np.abs(y) * height + np.abs(x) * width <= (height + width) / 2 - odd + 1e-9)


def _cross(y: NDArray[np.float64], x: NDArray[np.float64], height: int, width: int) -> Mask:
    def arm(side: int) -> float:  # about a third of the side, and even or odd like it
        return (max(1 + (side + 1) % 2, 2 * round((side / 3 - side % 2) / 2) + side % 2)) / side

    return np.asarray((np.abs(y) < arm(height)) | (np.abs(x) < arm(width)))


_INSIDE = {
    "square": lambda y, x, height, width: np.ones(y.shape, bool),
    "circle": _circle,
    "triangle": _triangle,
    "diamond": _diamond,
    "cross": _cross,
}


@lru_cache(maxsize=1024)
def _ideals(height: int, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32], tuple[str, ...]]:
    """(n, cells) ideals of one size, their areas and names; triangles and crosses in all the ways people draw them."""
    drawn = [(shape, ideal(shape, height, width)) for shape in SHAPES if shape != "triangle"]
    drawn += [("triangle", ideal("triangle", height, width, turn)) for turn in range(4)]
    row, column = np.mgrid[0:height, 0:width]
    corner = (row + 1) * width >= (column + 0.5) * height  # the right angle at the lower left
    drawn += [("triangle", turned) for flat in (corner, corner[:, ::-1]) for turned in (flat, flat[::-1])]
    if min(height, width) >= 7:  # a disc about the middle of a cell, with a single cell at each end
        drawn.append(("circle", _disc(height, width)))
    thin = (np.abs(2 * row + 1 - height) < 2) | (np.abs(2 * column + 1 - width) < 2)  # arms of one or two cells
    drawn.append(("cross", thin))
    table = np.array([mask.ravel() for _, mask in drawn], np.float32)
    return table, table.sum(axis=1), tuple(shape for shape, _ in drawn)


def _disc(height: int, width: int) -> Mask:
    row, column = np.mgrid[0:height, 0:width]
    y, x = (2 * row + 1 - height) / (height - 1), (2 * column + 1 - width) / (width - 1)
    return np.asarray(y**2 + x**2 <= 1 + 1e-9)


def shape_of(mask: Mask) -> str | None:
    """Which of `SHAPES` fills this box, or None.

    Only a triangle may be clearly longer one way than the other. An outline counts as what it encloses.

    >>> shape_of(np.ones((4, 4), bool)), shape_of(ideal("circle", 5, 5)), shape_of(np.ones((2, 9), bool))
    ('square', 'circle', None)
    """
    return _best_shape(mask) or _best_shape(ndimage.binary_fill_holes(mask))


def _best_shape(mask: Mask) -> str | None:
    height, width = mask.shape
    table, areas, names = _ideals(height, width)
    shared = table @ mask.ravel().astype(np.float32)
    overlap = shared / (areas + np.count_nonzero(mask) - shared)
    best = int(overlap.argmax())
    long, short = max(height, width), min(height, width)
    stretched = long > 2.5 * short if names[best] == "triangle" else long - short > max(1, long // 6)
    fits = overlap[best] >= LEAST_OVERLAP and short >= LEAST_SIDE[names[best]] and not stretched
    return names[best] if fits else None


def overlap(mask: Mask, shape: str) -> float:
    """Intersection over union of a mask with the best ideal of one shape in its box.

    Range: [0, 1]. Direction: higher is more alike. Empty: 0.
    """
    table, areas, names = _ideals(*mask.shape)
    shared = table @ mask.ravel().astype(np.float32)
    overlaps = shared / (areas + np.count_nonzero(mask) - shared)
    return float(max(value for value, name in zip(overlaps.tolist(), names, strict=True) if name == shape))


def opened(mask: Mask, brush: Mask) -> Mask:
    """What the brush can paint without leaving the mask, with a margin of the brush's size less one: thin parts go."""
    height, width = brush.shape
    offsets = [(int(row), int(column)) for row, column in np.argwhere(brush)]
    wide = np.pad(mask, ((height - 1,) * 2, (width - 1,) * 2))
    rows, columns = wide.shape[0] - height + 1, wide.shape[1] - width + 1
    fits = np.logical_and.reduce([wide[row : row + rows, column : column + columns] for row, column in offsets])
    made = np.zeros_like(wide)
    for row, column in offsets:
        made[row : row + rows, column : column + columns] |= fits
    return made


class Lie(NamedTuple):
    """How a cloud of cells lies: its middle, its long axis and how long it is for its width."""

    row: float
    column: float
    turn: float
    """The long axis, radians from the columns' direction."""
    stretch: float
    """Standard deviation along the long axis over that across; 1 for a disc or a square."""


def lie_of(mask: Mask) -> Lie:
    """Middle and axes of a mask's cells by their second moments. The mask must have a cell."""
    rows, columns = np.nonzero(mask)
    row, column = float(rows.mean()), float(columns.mean())
    y, x = rows - row, columns - column
    yy, xx, xy = float(y @ y), float(x @ x), float(y @ x)
    turn = 0.5 * math.atan2(2 * xy, xx - yy)
    spread = math.hypot(xx - yy, 2 * xy)
    # A cell is a unit square, not a point: its own spread of 1/12 a side keeps a thin line finite.
    long, short = ((xx + yy + sign * spread) / 2 / len(rows) + 1 / 12 for sign in (1, -1))
    return Lie(row, column, turn, math.sqrt(long / short))
