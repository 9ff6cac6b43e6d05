"""What is usual among the cells of a corpus, also when half of them are bad.

Where bad lies on one side, the *usual* is the median of the better half of the cells: as long as half of them are good,
it is a good one's. So it moves less than a threshold's width whatever the other half does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from pixelreef.taste.evidence import NAN, Figure

FEWEST_CELLS = 4  # of two or three, a half is no majority


def usual(values: Sequence[float], bad: Literal["high", "low"]) -> float:
    """The median of the better half of the known values; NaN with fewer than four.

    >>> usual([0.1, 0.2, 0.1, 0.9, 5.0, 7.0], bad="high")
    0.1
    >>> usual([1.0, 2.0], bad="low")
    nan
    """
    known = sorted((value for value in values if math.isfinite(value)), reverse=bad == "low")
    if len(known) < FEWEST_CELLS:
        return NAN
    return float(np.median(known[: (len(known) + 1) // 2]))


def mean_figure(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Figure:
    """The mean of the known values with an interval of 1.96 standard errors; NaN without any.

    >>> mean_figure(np.array([1.0, np.nan, 3.0]))
    Figure(value=2.0, low=0.04..., high=3.96)
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return Figure(NAN)
    middle = float(known.mean())
    if len(known) < 2:
        return Figure(middle)
    error = 1.96 * float(known.std(ddof=1)) / math.sqrt(len(known))
    return Figure(middle, middle - error, middle + error)


def share_figure(yes: int, n: int) -> Figure:
    """A share with Wilson's interval; NaN of none.

    >>> share_figure(0, 10)
    Figure(value=0.0, low=0.0, high=0.277...)
    """
    if not n:
        return Figure(NAN)
    z2 = 1.96**2
    share = yes / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = 1.96 / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return Figure(share, max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share)))
