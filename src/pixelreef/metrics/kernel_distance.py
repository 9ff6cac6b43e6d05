"""Kernel distance: how far apart two sets of features are as a whole. KID's distance, on our features.

The squared maximum mean discrepancy with the kernel (x·y / d + 1)³, without the diagonal: unbiased, so two sets drawn
alike are at 0 on average and half of such values are below it. They are kept: cutting them off would make it biased.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError

BLOCKS = 10  # of each set, left out one pair after the other for the interval


@dataclass(frozen=True)
class KernelDistance:
    """The distance with its interval, and how far single points of the first set are from each other."""

    value: float
    low: float
    high: float
    spread: float
    """Mean of k(x, x) − k(x, x′) over the first set: half the squared distance of two of its points in the kernel's
    space. `value / spread` does not depend on how many features there are."""


def kernel(a: Floats, b: Floats) -> Floats:
    """(len(a), len(b)): the cubic kernel. Range: any number. Direction: higher is more alike. Empty: no rows, none.

    >>> kernel(np.array([[1.0, 1.0]]), np.array([[1.0, 1.0], [-1.0, -1.0]])).tolist()
    [[8.0, 0.0]]
    """
    return np.asarray((a.astype(np.float64) @ b.T.astype(np.float64) / max(a.shape[1], 1) + 1) ** 3)


def kernel_distance(first: Floats, second: Floats, blocks: int = BLOCKS) -> KernelDistance:
    """The unbiased squared distance of two sets, with a 95 % interval by leaving out block after block.

    Rows stand in blocks as they come: shuffle what is sorted.

    Range: any number; 0 is expected of sets drawn alike, which can be below it. Direction: lower is nearer. Empty:
    refused; both sets need two points for a distance, and four for an interval, which is NaN with fewer.

    >>> a, b = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([[1.0], [2.0], [1.0], [2.0]])
    >>> round(kernel_distance(a, b).value, 3)  # 26/12 + 482/12 − 2 · 37/4
    23.833
    """
    if min(len(first), len(second)) < 2:
        raise InputError("points of both sets", "be at least two", [len(first), len(second)])
    xx, yy, xy = kernel(first, first), kernel(second, second), kernel(first, second)
    value = _distance(xx, yy, xy)
    low, high = _interval(xx, yy, xy, value, blocks)
    return KernelDistance(value, low, high, float(np.trace(xx)) / len(xx) - _among(xx))


@dataclass(frozen=True)
class Difference:
    """The distance of a first set less that of a second, to the same real points, with its interval."""

    value: float
    low: float
    high: float


def kernel_difference(
    real: Floats, first: Floats, second: Floats, confidence: float = 0.95, blocks: int = 2 * BLOCKS
) -> Difference:
    """How much further the first set is from the real than the second, by leaving out block after block of all three.

    Range: any number. Direction: below 0 the first is nearer. Empty: refused, as `kernel_distance`; the interval is
    NaN with fewer than four points in any set.

    >>> real, near = np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([[1.0], [0.0], [1.0], [0.0]])
    >>> kernel_difference(real, near, near + 9).value < 0
    True
    """
    if min(len(real), len(first), len(second)) < 2:
        raise InputError("points of all sets", "be at least two", [len(real), len(first), len(second)])
    xx = kernel(real, real)
    sides = [(kernel(one, one), kernel(real, one)) for one in (first, second)]

    def difference(kept: int | None, of: int) -> float:
        x = _kept(len(xx), kept, of)
        found = []
        for yy, xy in sides:
            y = _kept(len(yy), kept, of)
            found.append(_distance(xx[np.ix_(x, x)], yy[np.ix_(y, y)], xy[np.ix_(x, y)]))
        return found[0] - found[1]

    value = difference(None, 1)
    blocks = min(blocks, *(len(one) // 2 for one in (real, first, second)))
    if blocks < 2:
        return Difference(value, float("nan"), float("nan"))
    reach = _reach(np.array([difference(number, blocks) for number in range(blocks)]), confidence)
    return Difference(value, value - reach, value + reach)


def _among(table: Floats) -> float:
    """The mean off the diagonal."""
    return float(table.sum() - np.trace(table)) / (len(table) * (len(table) - 1))


def _distance(xx: Floats, yy: Floats, xy: Floats) -> float:
    return _among(xx) + _among(yy) - 2 * float(xy.mean())


def _interval(xx: Floats, yy: Floats, xy: Floats, value: float, blocks: int) -> tuple[float, float]:
    """The jackknife over blocks, with Student's t."""
    blocks = min(blocks, len(xx) // 2, len(yy) // 2)
    if blocks < 2:
        return float("nan"), float("nan")
    left_out = []
    for number in range(blocks):
        x, y = _kept(len(xx), number, blocks), _kept(len(yy), number, blocks)
        left_out.append(_distance(xx[np.ix_(x, x)], yy[np.ix_(y, y)], xy[np.ix_(x, y)]))
    reach = _reach(np.array(left_out), 0.95)
    return value - reach, value + reach


def _kept(count: int, without: int | None, blocks: int) -> NDArray[np.intp]:
    """The places of points that are not in one of the blocks."""
    places = np.arange(count)
    return places if without is None else places[places * blocks // count != without]


def _reach(left_out: Floats, confidence: float) -> float:
    """Half the width of an interval, from the values without each block."""
    from scipy.stats import t

    blocks = len(left_out)
    error = math.sqrt((blocks - 1) / blocks * float(((left_out - left_out.mean()) ** 2).sum()))
    return float(t.ppf(0.5 + confidence / 2, blocks - 1)) * error
