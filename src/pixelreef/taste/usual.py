"""What is usual among the cells of a corpus, also when half of them are bad.

Cells may be bad on either side: clusters are small in noise and large in blurred photographs. So what is *usual* is the
median of the tightest half of the cells. Bad cells of several kinds lie further apart than good ones do, and as long
as they are at most half, the tightest half is made of good ones. Half of the cells spoilt all in one way can be
tighter still, and then pass for usual.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pixelreef.taste.evidence import NAN, Figure

FEWEST_CELLS = 4  # of two or three, half is one


def usual(values: Sequence[float]) -> float:
    """The median of the tightest half of the known values, of equally tight ones the lowest; NaN with fewer than four.

    >>> usual([0.5, 0.6, 0.55, 9.0, -3.0, 2.0])
    0.55
    >>> usual([1.0, 2.0])
    nan
    """
    known = np.sort([value for value in values if math.isfinite(value)])
    if len(known) < FEWEST_CELLS:
        return NAN
    half = (len(known) + 1) // 2
    widths = known[half - 1 :] - known[: len(known) - half + 1]
    start = int(widths.argmin())
    return float(np.median(known[start : start + half]))


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
