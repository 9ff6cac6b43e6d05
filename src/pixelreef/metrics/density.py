"""Density: how deep samples lie among the real. Fidelity without regard to variety, which `coverage` looks at.

Both take the distances between the real points (N, N) and from the real points to the samples (N, M), so that many
splits of one set cost one table of distances.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.metrics.neighbourhoods import K, radii


def density(within: Floats, between: Floats, k: int = K) -> float:
    """How many balls of real points a sample lies in, over k, on average (Naeem et al. 2020, 2002.09797).

    Range: 0 and above; 1 is expected of samples that are drawn as the real are. Direction: higher is better, but
    samples crowded into the thick of the real exceed 1. Empty: NaN without samples.

    >>> real = np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    >>> density(real, np.array([[0.5], [0.5], [1.5]]), k=1)
    2.0
    """
    if not between.shape[1]:
        return float("nan")
    return float((between < radii(within, k)[:, None]).sum() / (k * between.shape[1]))


def clipped_density(within: Floats, between: Floats, k: int = K) -> float:
    """The share of samples that are as good as real ones (Salvy et al. 2025, 2507.01761).

    No ball reaches further than the median one, so that a real outlier vouches for nobody; no sample counts for more
    than 1, so that the many at the centre do not make up for the bad; and the whole is measured against what the real
    points score among themselves.

    Range: 0 to 1. Direction: higher is better. Empty: NaN without samples.

    >>> real = np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    >>> clipped_density(real, np.array([[0.5, 9.0], [0.5, 8.0], [1.5, 7.0]]), k=1)
    0.5
    """
    if not between.shape[1]:
        return float("nan")
    reach = radii(within, k)
    reach = np.minimum(reach, np.median(reach))[:, None]
    inside = within <= reach
    np.fill_diagonal(inside, False)
    best = np.minimum(inside.sum(axis=0) / k, 1).mean()
    return float(min(1.0, np.minimum((between <= reach).sum(axis=0) / k, 1).mean() / best))
