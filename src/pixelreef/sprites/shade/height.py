"""Height: the form that a flat sprite would have if it were inflated.

A skin over the silhouette, held down at its edge and blown up from below: u solves ∇²u − (1/reach² + leak)·u =
−fullness, and the height is 2√u, which over a disc is half a ball, flattened where it is wider than the reach. Unlike
the distance to the edge it has no creases but where there is a leak. Where a side of the canvas is opaque almost from
end to end, the form goes on beyond it (a floor, a wall); any other side ends it.

Everything is float32, (n, h, w) at once, and worked out in an order that a mirror does not change, to the last bit.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float32]
Bits = NDArray[np.bool_]

_SHARE = 4.5  # of the longer side: 32 pixels reach 7
_FARTHEST = 32.0  # pixels, which bounds the work on large pictures


def open_sides(solid: Bits) -> tuple[Bits, Bits, Bits, Bits]:
    """(n,) each, for top, bottom, left and right: whether three quarters of that side of the canvas are opaque."""
    lines = (solid[:, 0], solid[:, -1], solid[:, :, 0], solid[:, :, -1])
    top, bottom, left, right = (4 * line.sum(axis=1) >= 3 * line.shape[1] for line in lines)
    return top, bottom, left, right


def inflated(solid: Bits, fullness: Reals | None = None, leak: Reals | None = None) -> Reals:
    """(n, h, w) silhouettes → (n, h + 2, w + 2): u with one pixel of what is around.

    `fullness` is how much each pixel is blown up, 1 unless given, `leak` how much it is held down, 0 unless given.
    Jacobi steps with Chebyshev's acceleration; so many that what is left of the error is about 3 %.
    """
    n, height, width = solid.shape
    reach = min(_FARTHEST, max(height, width) / _SHARE)
    held = np.float32(4 + 1 / reach**2)
    share = (solid / (held if leak is None else held + leak)).astype(np.float32)
    source = share if fullness is None else share * fullness
    sides = open_sides(solid)
    now: Reals = np.zeros((n, height + 2, width + 2), np.float32)
    before = np.zeros_like(now)
    rho2 = (4 / float(held)) ** 2
    pace = 1.0
    step = np.empty_like(source)
    for number in range(math.ceil(_SHARE * reach)):
        _go_on(now, sides)
        np.add(now[:, 1:-1, 2:], now[:, 1:-1, :-2], out=step)
        step += now[:, 2:, 1:-1] + now[:, :-2, 1:-1]
        step *= share
        step += source
        step -= before[:, 1:-1, 1:-1]
        pace = 1 / (1 - rho2 * pace / (2 if number == 1 else 4)) if number else 1.0
        step *= np.float32(pace)
        before[:, 1:-1, 1:-1] += step
        now, before = before, now
    np.maximum(now, 0, out=now)
    _go_on(now, sides)
    return now


def _go_on(field: Reals, sides: tuple[Bits, Bits, Bits, Bits]) -> None:
    """Set the frame of (n, h + 2, w + 2) to what is beside it, on the sides that go on."""
    top, bottom, left, right = sides
    if top.any() or bottom.any():
        field[:, 0] = field[:, 1] * top[:, None]
        field[:, -1] = field[:, -2] * bottom[:, None]
    if left.any() or right.any():
        field[:, :, 0] = field[:, :, 1] * left[:, None]
        field[:, :, -1] = field[:, :, -2] * right[:, None]
