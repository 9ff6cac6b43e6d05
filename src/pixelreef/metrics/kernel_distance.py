"""Kernel distance: how far apart two sets of features are as a whole. KID's distance, on our features.

The squared maximum mean discrepancy with the kernel (x·y / d + 1)³, without the diagonal: unbiased, so two sets drawn
alike are at 0 on average and half of such values are below it. They are kept: cutting them off would make it biased.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

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


def _among(table: Floats) -> float:
    """The mean off the diagonal."""
    return float(table.sum() - np.trace(table)) / (len(table) * (len(table) - 1))


def _distance(xx: Floats, yy: Floats, xy: Floats) -> float:
    return _among(xx) + _among(yy) - 2 * float(xy.mean())


def _interval(xx: Floats, yy: Floats, xy: Floats, value: float, blocks: int) -> tuple[float, float]:
    """The jackknife over blocks, with Student's t."""
    from scipy.stats import t

    blocks = min(blocks, len(xx) // 2, len(yy) // 2)
    if blocks < 2:
        return float("nan"), float("nan")
    left_out = np.array(
        [_without(xx, yy, xy, number, blocks) for number in range(blocks)],
    )
    error = math.sqrt((blocks - 1) / blocks * float(((left_out - left_out.mean()) ** 2).sum()))
    reach = float(t.ppf(0.975, blocks - 1)) * error
    return value - reach, value + reach


def _without(xx: Floats, yy: Floats, xy: Floats, number: int, blocks: int) -> float:
    """The distance of both sets without their block of this number."""
    x, y = (np.arange(len(table)) * blocks // len(table) != number for table in (xx, yy))
    return _distance(xx[x][:, x], yy[y][:, y], xy[x][:, y])
