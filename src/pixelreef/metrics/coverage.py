"""Coverage: how much of the real the samples reach. Variety without regard to fidelity, which `density` looks at."""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.metrics.neighbourhoods import K, radii


def coverage(within: Floats, between: Floats, k: int = K) -> float:
    """The share of real points that have a sample in their ball (Naeem et al. 2020, 2002.09797).

    Range: 0 to 1; with as many samples as real points, 1 − 2⁻ᵏ is expected of perfect ones. Direction: higher is
    better. Empty: 0 without samples.

    >>> real = np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    >>> round(coverage(real, np.array([[0.5], [0.5], [1.5]]), k=1), 3)
    0.667
    """
    return float((between < radii(within, k)[:, None]).any(axis=1).mean())


def clipped_coverage(within: Floats, between: Floats, k: int = K) -> float:
    """The share of samples, had the others been useless, that would cover as much (Salvy et al. 2025, 2507.01761).

    A real point counts up to k samples in its ball, over k. What perfect samples score is known for each number of
    them (`expected`), and the score is read backwards through it: as many good samples as would have reached it.

    Range: 0 to 1. Direction: higher is better. Empty: 0 without samples.

    >>> real = np.array([[0.0, 1, 2], [1, 0, 1], [2, 1, 0]])
    >>> clipped_coverage(real, np.array([[9.0, 9.0], [9.0, 8.0], [9.0, 7.0]]), k=1)
    0.0
    """
    count = between.shape[1]
    if not count:
        return 0.0
    inside = np.minimum((between < radii(within, k)[:, None]).sum(axis=1), k)
    return float(np.interp(inside.mean() / k, expected(len(within), count, k), np.arange(count + 1) / count))


def expected(real: int, samples: int, k: int = K) -> Floats:
    """(samples + 1,): the score before it is read backwards that 0, 1, … perfect samples are expected to reach.

    The share of all that lies in a ball is Beta(k, real − k), as the k-th smallest of the real − 1 other points, so the
    number of samples in it is beta-binomial; of min(number, k) only the chances of 0 to k − 1 are needed.

    Range: 0 to 1, rising. Direction: neither. Empty: one 0 for no samples.

    >>> expected(real=3, samples=2, k=1).round(3).tolist()  # 1 − B(1, 2 + m) / B(1, 2) = 1 − 2 / (2 + m)
    [0.0, 0.333, 0.5]
    """
    from scipy.special import betaln, gammaln

    number = np.arange(samples + 1, dtype=np.float64)[:, None]  # of samples drawn
    inside = np.arange(k, dtype=np.float64)[None]  # of them in the ball
    possible = inside <= number
    outside = np.where(possible, number - inside, 0)
    ways = gammaln(number + 1) - gammaln(inside + 1) - gammaln(outside + 1)
    chance = np.exp(ways + betaln(k + inside, real - k + outside) - betaln(k, real - k)) * possible
    return np.asarray(1 - (chance * (k - inside)).sum(axis=1) / k)
