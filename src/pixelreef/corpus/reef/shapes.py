"""The shapes that creatures are made of: ellipse, profile, stroke, line, polygon, fan.

All take places and lengths in the units of the canvas' frame and give a `Shape` over the whole canvas. Nothing drawn is
thinner than a pixel, at any size.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pixelreef.corpus.reef.canvas import LIGHT, Canvas, Point
from pixelreef.corpus.reef.shape import Bits, Floats, Shape

_FLAT = 0.71  # how much light falls on what faces the viewer, as `lit_from_normals` gives it for a normal (0, 0, 1)


def ellipse(canvas: Canvas, x: float, y: float, rx: float, ry: float, turn: float = 0.0, power: float = 2.0) -> Shape:
    """An ellipsoid; a higher `power` makes it boxy (3 a pillow, 6 a box), a lower one pointed. u runs along +x."""
    rx, ry = max(rx, canvas.pixel / 2), max(ry, canvas.pixel / 2)
    cos, sin = math.cos(turn), math.sin(turn)
    a, b = (canvas.x - x) / rx, (canvas.y - y) / ry
    if turn:
        a, b = a * cos + b * (sin * ry / rx), b * cos - a * (sin * rx / ry)
    far = a * a + b * b if power == 2 else np.abs(a) ** power + np.abs(b) ** power
    lx, ly, lz = canvas.light
    lit = lit_from_normals(a, b, far, (lx * cos + ly * sin, ly * cos - lx * sin, lz))
    return Shape(far <= 1, lit, (a + 1) / 2, b)


def profile(
    canvas: Canvas,
    back: float,
    front: float,
    above: Sequence[float],
    below: Sequence[float],
    bend: Sequence[float] = (),
) -> Shape:
    """A body seen from the side, between x = back and x = front, `above` and `below` a line that may `bend`.

    Heights and bend are knots from back to front, through which a smooth curve goes. Knots lie closer together towards
    the ends, so that ends of height 0 are round: sin θ for θ from 0 to π is an ellipse. u runs from back to front.
    """
    t = (canvas.x - back) / (front - back)
    resolution = max(128, 2 * canvas.size)
    row = np.minimum(np.maximum(t * resolution, 0), resolution).astype(np.intp)
    y = canvas.y - _along(bend, resolution)[row] if len(bend) else canvas.y
    upper, lower = _along(above, resolution)[row], _along(below, resolution)[row]
    v = y / np.maximum(np.where(y < 0, upper, lower), np.float32(1e-3))
    mask = (np.abs(v) <= 1) & (t >= 0) & (t <= 1)
    end = 2 * t - 1
    a, b = 0.8 * end * end * end, 0.95 * v
    return Shape(mask, lit_from_normals(a, b, a * a + b * b, canvas.light), t, v)


def stroke(canvas: Canvas, points: Sequence[Point], widths: Sequence[float]) -> Shape:
    """A round limb along a smooth curve through the points; `widths` are knots of its half-width along it."""
    places = [canvas.place(x, y) for x, y in points]
    count = min(8 + int(1.2 * _length(places)) // 8 * 8, 512)  # in eights, so that few bases are kept
    path = _even_basis(len(places), count - 1) @ np.array(places, np.float32)
    radius = _evenly(widths, count - 1) / canvas.pixel
    return _discs(canvas, path[:, 0], path[:, 1], np.maximum(radius, 0.62))


def line(canvas: Canvas, points: Sequence[Point], width: float = 0.0) -> Shape:
    """A thread along a smooth curve: one pixel wide with no doubled corners, unless `width` is more than that."""
    if width > 1.4 * canvas.pixel:
        return stroke(canvas, points, (width / 2,))
    return lines(canvas, [points])


def lines(canvas: Canvas, threads: Sequence[Sequence[Point]]) -> Shape:
    """Several threads of one pixel at once."""
    mask = np.zeros((canvas.side, canvas.side), np.bool_)
    u = np.zeros((canvas.side, canvas.side), np.float32)
    for points in threads:
        cells = _thin(_path(canvas, points), canvas.side)
        if cells:
            xs, ys = zip(*cells, strict=True)
            mask[ys, xs] = True
            u[ys, xs] = np.arange(len(cells)) / max(len(cells) - 1, 1)
    return Shape(mask, _plain(canvas.side), u, u)


def polygon(canvas: Canvas, *contours: Sequence[Point]) -> Shape:
    """Flat shapes with straight sides (even-odd where they cross). u and v are x and y of the frame."""
    edges = []
    for contour in contours:
        places = [canvas.place(x, y) for x, y in contour]
        edges += [(*a, *b) for a, b in zip(places, places[1:] + places[:1], strict=True)]
    x0, y0, x1, y1 = (column[:, None] for column in np.array(edges, np.float32).T)
    left, right = _span(x0, 1, canvas.side)
    top, bottom = _span(y0, 1, canvas.side)
    xs, ys = _middles(canvas.side)[left:right], _middles(canvas.side)[top:bottom]
    crossed = (y0 > ys) != (y1 > ys)  # (edges, rows)
    at = np.where(crossed, x0 + (ys - y0) * ((x1 - x0) / np.where(y1 == y0, 1, y1 - y0)), -1)
    mask = np.zeros((canvas.side, canvas.side), np.bool_)
    np.bitwise_xor.reduce(xs < at[:, :, None], axis=0, out=mask[top:bottom, left:right])
    return Shape(mask, _plain(canvas.side), canvas.x, canvas.y)


def fan(
    canvas: Canvas, x: float, y: float, start: float, end: float, reach: Sequence[float], *, hollow: float = 0.0
) -> Shape:
    """A fin, a tail, a sea fan: all between two angles (radians, from +x towards +y, start < end) around a root.

    `reach` are knots of its radius from the first angle to the last; what is nearer than `hollow` of that is left
    out. u runs from root to edge, v from −1 at the first angle to 1 at the last.
    """
    box = _around(canvas, x, y, 1.1 * max(reach))
    dx, dy = canvas.x[box] - x, canvas.y[box] - y
    middle, half = (start + end) / 2, (end - start) / 2
    cos, sin = math.cos(middle), math.sin(middle)
    along = np.arctan2(dy * cos - dx * sin, dx * cos + dy * sin) / half
    resolution = 64
    row = np.minimum(np.maximum((along + 1) * (resolution / 2), 0), resolution).astype(np.intp)
    out = np.sqrt(dx * dx + dy * dy) / np.maximum(_evenly(reach, resolution), 1e-3)[row]
    mask, (u, v) = _empty(canvas.side)
    mask[box] = (np.abs(along) <= 1) & (out <= 1) & (out >= hollow)
    u[box], v[box] = out, along
    return Shape(mask, _plain(canvas.side), u, v)


def rays(shape: Shape, count: float, share: float = 0.4) -> Bits:
    """Every `count`-th part of a fan's angle, as stripes from root to edge: `share` of each is True."""
    return np.asarray(((shape.v + 1) * (count / 2)) % 1 < share)


def curve(points: Sequence[Sequence[float]], count: int) -> Floats:
    """(count, 2): a smooth curve through the points; a straight line through two."""
    knots = np.array(points, np.float64)
    return np.asarray(_even_basis(len(knots), count - 1) @ knots)


def _discs(canvas: Canvas, px: Floats, py: Floats, radius: Floats) -> Shape:
    """The union of discs along a path, in pixels: each pixel belongs to the disc that it lies deepest in."""
    side = canvas.side
    reach = float(radius.max()) + 1
    x0, x1 = _span(px, reach, side)
    y0, y1 = _span(py, reach, side)
    dx = (_middles(side)[x0:x1, None] - px) / radius  # (columns, discs)
    dy = (_middles(side)[y0:y1, None] - py) / radius
    nearest = ((dy * dy)[:, None, :] + dx * dx).argmin(axis=2)
    a = dx.take(nearest + np.arange(0, dx.size, len(px)))
    b = dy.take(nearest + np.arange(0, dy.size, len(px))[:, None])
    deep = a * a + b * b
    way = _ways(px, py).take(nearest, axis=1)
    across = b * way[0] - a * way[1]
    mask, (u, v) = _empty(side)
    lit = np.zeros((side, side), np.float32)
    box = (slice(y0, y1), slice(x0, x1))
    mask[box], lit[box] = deep <= 1, lit_from_normals(a, b, deep, LIGHT)
    u[box], v[box] = nearest * (1 / (len(px) - 1)), across * canvas.facing
    return Shape(mask, lit, u, v)


def _ways(px: Floats, py: Floats) -> Floats:
    """(2, K): the way on from each place of a path to the next, of length 1; the last keeps the one before."""
    way = np.empty((2, len(px)), np.float32)
    np.subtract(px[1:], px[:-1], out=way[0, :-1])
    np.subtract(py[1:], py[:-1], out=way[1, :-1])
    way[:, -1] = way[:, -2]
    return np.asarray(way / np.sqrt((way * way).sum(axis=0) + 1e-9))


def _empty(side: int) -> tuple[Bits, Floats]:
    return np.zeros((side, side), np.bool_), np.zeros((2, side, side), np.float32)


def _around(canvas: Canvas, x: float, y: float, reach: float) -> tuple[slice, slice]:
    """The box of pixels within reach (units) of a point, never empty."""
    px, py = canvas.place(x, y)
    far, last = reach / canvas.pixel + 1, canvas.side - 1
    rows = slice(min(max(int(py - far), 0), last), max(int(py + far) + 1, 1))
    return rows, slice(min(max(int(px - far), 0), last), max(int(px + far) + 1, 1))


def _length(places: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(places))


def _span(places: Floats, reach: float, side: int) -> tuple[int, int]:
    first = min(max(int(places.min() - reach), 0), side - 1)
    return first, max(first + 1, min(int(places.max() + reach) + 1, side))


@lru_cache(maxsize=64)
def _middles(side: int) -> Floats:
    return (np.arange(side) + 0.5).astype(np.float32)


def _path(canvas: Canvas, points: Sequence[Point]) -> list[list[float]]:
    """Places along a smooth curve, at least two to a pixel."""
    places = [canvas.place(x, y) for x, y in points]
    count = 8 + int(2.2 * _length(places)) // 8 * 8
    found: list[list[float]] = (_even_basis(len(places), count) @ np.array(places, np.float32)).tolist()
    return found


def lit_from_normals(a: Floats, b: Floats, far: Floats, light: tuple[float, float, float]) -> Floats:
    """How much light falls on a surface whose normal is (a, b, √(1 − far)): 0 in full shadow, 1 in full light.

    A round body shows normals with a dot product from about −0.8 to 1. The darkest third of that would be one thin
    crescent; −0.5 is taken as full shadow, so that bands are even.
    """
    lit = np.subtract(1, far)
    np.sqrt(np.maximum(lit, 0, out=lit), out=lit)
    lit *= light[2]
    lit += a * light[0]
    lit += b * light[1]
    lit += 0.5
    lit *= 1 / 1.5
    return np.asarray(np.minimum(np.maximum(lit, 0, out=lit), 1, out=lit))


def _thin(places: list[list[float]], side: int) -> list[tuple[int, int]]:
    """The pixels of a path that lie on the canvas, once each, without the corner of every right-angled step."""
    path: list[tuple[int, int]] = []
    last = (-1, -1)
    for x, y in places:
        cell = (int(x), int(y))
        if cell == last or not (0 <= x < side and 0 <= y < side):
            continue
        if len(path) >= 2 and abs(path[-2][0] - cell[0]) == 1 and abs(path[-2][1] - cell[1]) == 1:
            path.pop()
        path.append(cell)
        last = cell
    return path


@lru_cache(maxsize=64)
def _plain(side: int) -> Floats:
    return np.full((side, side), _FLAT, np.float32)


def _along(knots: Sequence[float], resolution: int) -> Floats:
    return np.asarray(_round_basis(len(knots), resolution) @ np.array(knots, np.float32))


def _evenly(knots: Sequence[float], resolution: int) -> Floats:
    return np.asarray(_even_basis(len(knots), resolution) @ np.array(knots, np.float32))


@lru_cache(maxsize=256)
def _round_basis(count: int, resolution: int) -> Floats:
    """(resolution + 1, count): weights of knots that are even in θ, at even steps of (1 − cos θ) / 2."""
    angles = np.arccos(np.clip(1 - 2 * np.linspace(0, 1, resolution + 1), -1, 1))
    return _weights(count, angles / math.pi)


@lru_cache(maxsize=256)
def _even_basis(count: int, resolution: int) -> Floats:
    return _weights(count, np.linspace(0, 1, resolution + 1))


def _weights(count: int, at: Floats) -> Floats:
    """(len(at), count): the weights by which knots, even from 0 to 1, give the curve at each place.

    Catmull–Rom, in which a curve never strays far from its knots; at the ends it goes on as it was heading.
    """
    if count == 1:
        return np.ones((len(at), 1), np.float32)
    weights = np.zeros((len(at), count + 2))
    place = np.clip(at, 0, 1) * (count - 1)
    first = np.minimum(place.astype(np.intp), count - 2)
    t = place - first
    rows = np.arange(len(at))
    for offset, weight in enumerate(
        (
            ((2 - t) * t - 1) * t / 2,
            ((3 * t - 5) * t * t + 2) / 2,
            ((4 - 3 * t) * t + 1) * t / 2,
            (t - 1) * t * t / 2,
        )
    ):
        weights[rows, first + offset] += weight
    inner = weights[:, 1:-1].copy()
    inner[:, 0] += 2 * weights[:, 0]  # the knot before the first: 2·k₀ − k₁
    inner[:, 1] -= weights[:, 0]
    inner[:, -1] += 2 * weights[:, -1]
    inner[:, -2] -= weights[:, -1]
    return inner.astype(np.float32)
