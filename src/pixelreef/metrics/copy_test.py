"""Were the training sprites copied? A rank test of distances: C_T of Meehan, Chaudhuri and Dasgupta (2004.05675).

Sprites that were held out are as far from the training sprites as fresh ones should be. Samples that are nearer on the
whole were copied, though none be a copy to the letter; samples that are further were not learnt. Only the order of
distances counts, so any distance will do; `likeness` is blind to mirroring and to colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from pixelreef.core.colour import Floats


def copy_test(held_out: Floats, samples: Floats) -> float:
    """C_T of one cell, from each sprite's distance to the nearest training sprite.

    Mann and Whitney's U as a number of standard deviations, those of ties considered.

    Range: any number; 0 is expected of samples like those held out, below −3 is copying. Direction: neither: below 0
    is nearer to the training sprites, above 0 is further. Empty: NaN without sprites on either side; 0 where all
    distances are equal.

    >>> round(copy_test(np.array([5.0, 6.0, 7.0]), np.array([1.0, 2.0, 3.0])), 3)  # (0 − 4.5) / √(9 · 7 / 12)
    -1.964
    """
    n, m = len(held_out), len(samples)
    if not n or not m:
        return float("nan")
    from scipy.stats import rankdata

    together = np.concatenate([samples, held_out])
    above = float(rankdata(together)[:m].sum()) - m * (m + 1) / 2  # pairs whose sample is further; half for equals
    ties = np.unique(together, return_counts=True)[1].astype(np.float64)
    spread = n * m / 12 * (n + m + 1 - float((ties**3 - ties).sum()) / ((n + m) * (n + m - 1)))
    return (above - n * m / 2) / math.sqrt(spread) if spread > 1e-9 else 0.0


def copy_test_of_cells(cells: Iterable[tuple[Floats, Floats]]) -> float:
    """C_T over cells of (held out, samples): the mean, each weighed by its sprites held out.

    Range, direction: as `copy_test`. Empty: NaN; a cell without sprites on either side is left out.

    >>> near, far = np.array([1.0, 2.0, 3.0]), np.array([5.0, 6.0, 7.0])
    >>> copy_test_of_cells([(far, near), (near, far)])
    0.0
    """
    found = [(len(held_out), copy_test(held_out, samples)) for held_out, samples in cells]
    found = [(count, value) for count, value in found if not math.isnan(value)]
    total = sum(count for count, _ in found)
    return math.fsum(count * value for count, value in found) / total if total else float("nan")
