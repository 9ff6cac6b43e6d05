"""Many limbs at once: the branches of a coral, the legs of a crab, the arms of an anemone.

A limb is a curve with a half-width at each of its points. All limbs of a call become one shape, lit as one: where they
cross, a pixel belongs to the one that it lies deepest in.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from pixelreef.corpus.reef.canvas import LIGHT, Canvas, Point
from pixelreef.corpus.reef.shape import Bits, Floats, Shape
from pixelreef.corpus.reef.shapes import curve, lit_from_normals

Limb = tuple[Sequence[Point], Sequence[float]]
"""The points from root to tip, and the half-width (units) at each."""
Piece = tuple[float, float, float, float, float, float, float, float]

_LONGEST = 6  # pixels that a straight piece of a curve may have
_MIDDLES = np.arange(0.5, 1024, dtype=np.float32)  # of pixels, enough for the largest canvas
_AT_ONCE = 400_000  # pixels times pieces: 20 MB or so


def limbs(canvas: Canvas, paths: Sequence[Limb]) -> Shape:
    """Round limbs, straight through two points and curved through more. u runs along each, v across it."""
    pieces = np.array([piece for path in paths for piece in _pieces(canvas, *path)], np.float32)
    box = _box(canvas, pieces)
    step = max(1, _AT_ONCE // ((box[1] - box[0]) * (box[3] - box[2])))
    found = _nearest(pieces[:step], box)
    for start in range(step, len(pieces), step):
        fields = _nearest(pieces[start : start + step], box)
        better = fields[0] < found[0]
        for field, other in zip(found, fields, strict=True):
            np.copyto(field, other, where=better)
    return _spread(canvas, box, *found)


def dots(canvas: Canvas, points: Sequence[Point], radius: float) -> Bits:
    """Discs around points, none smaller than a cluster of pixels."""
    radius = max(radius / canvas.pixel, 1.12)
    places = np.array([canvas.place(x, y) for x, y in points], np.float32)
    middles = _MIDDLES[: canvas.side]
    dx, dy = middles - places[:, :1], middles - places[:, 1:]
    far = (dy * dy)[:, :, None] + (dx * dx)[:, None, :]
    return np.asarray((far <= radius * radius).any(axis=0))


def _pieces(canvas: Canvas, points: Sequence[Point], widths: Sequence[float]) -> Iterator[Piece]:
    """Straight pieces in pixels: from x, y, half-width, u; and to the same, less where it comes from."""
    places = [canvas.place(x, y) for x, y in points]
    radii = [max(width / canvas.pixel, 0.62) for width in widths]
    if len(places) > 2:
        length = sum(math.dist(a, b) for a, b in itertools.pairwise(places))
        count = min(math.ceil(length / _LONGEST), 12)
        if count > len(places) - 1:
            smooth = curve([(*place, radius) for place, radius in zip(places, radii, strict=True)], count + 1)
            places, radii = smooth[:, :2].tolist(), smooth[:, 2].tolist()
    share = 1 / (len(places) - 1)
    for i in range(len(places) - 1):
        (ax, ay), (bx, by) = places[i], places[i + 1]
        yield ax, ay, radii[i], i * share, bx - ax, by - ay, radii[i + 1] - radii[i], share


def _box(canvas: Canvas, pieces: Floats) -> tuple[int, int, int, int]:
    """Left, right, top and bottom of the pixels that pieces may touch, never empty."""
    from_end, to_end = pieces[:, :2], pieces[:, :2] + pieces[:, 4:6]
    reach = float((pieces[:, 2] + np.maximum(pieces[:, 6], 0)).max()) + 1
    low, high = np.minimum(from_end, to_end).min(axis=0).tolist(), np.maximum(from_end, to_end).max(axis=0).tolist()
    x0, y0 = (min(max(int(place - reach), 0), canvas.side - 1) for place in low)
    x1, y1 = (min(max(int(place + reach) + 1, 1), canvas.side) for place in high)
    return x0, max(x1, x0 + 1), y0, max(y1, y0 + 1)


def _nearest(pieces: Floats, box: tuple[int, int, int, int]) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """How deep each pixel lies in its piece (1 at the border), the normal there (x, y), along and across; (H, W)."""
    x0, x1, y0, y1 = box
    ax, ay, radius, along, ex, ey, grows, share = pieces.T[:, :, None]
    x = _MIDDLES[x0:x1] - ax  # (pieces, W)
    y = _MIDDLES[y0:y1] - ay
    square = ex * ex + ey * ey + np.float32(1e-6)
    t = (y * (ey / square))[:, :, None] + (x * (ex / square))[:, None, :]
    np.minimum(np.maximum(t, 0, out=t), 1, out=t)
    wide = 1 / (t * grows[:, None] + radius[:, None])
    a = (x[:, None, :] - t * ex[:, None]) * wide
    b = (y[:, :, None] - t * ey[:, None]) * wide
    deep = a * a + b * b
    which = deep.argmin(axis=0)
    flat = which * which.size + np.arange(which.size).reshape(which.shape)
    a, b = a.take(flat), b.take(flat)
    way = 1 / np.sqrt(square)
    across = b * (ex * way).take(which) - a * (ey * way).take(which)
    return deep.take(flat), a, b, t.take(flat) * share.take(which) + along.take(which), across


def _spread(
    canvas: Canvas, box: tuple[int, int, int, int], deep: Floats, a: Floats, b: Floats, along: Floats, across: Floats
) -> Shape:
    """The fields of a box as a shape over the whole canvas."""
    x0, x1, y0, y1 = box
    mask = np.zeros((canvas.side, canvas.side), np.bool_)
    lit, u, v = np.zeros((3, canvas.side, canvas.side), np.float32)
    mask[y0:y1, x0:x1], lit[y0:y1, x0:x1] = deep <= 1, lit_from_normals(a, b, deep, LIGHT)
    u[y0:y1, x0:x1] = along
    v[y0:y1, x0:x1] = across if canvas.facing > 0 else -across
    return Shape(mask, lit, u, v)
