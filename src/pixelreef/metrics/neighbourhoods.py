"""Which points lie near which: the distances and the balls that `density` and `coverage` count in.

A *ball* stands around each real point and reaches as far as its k-th nearest other real point. Points are rows of
features, standardised by the caller so that no feature counts for more than another.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError

K = 5  # neighbours that a ball reaches, as both papers have it


def apart(a: Floats, b: Floats) -> Floats:
    """(len(a), len(b)): the Euclidean distance of every row of `a` to every row of `b`.

    Range: 0 and above. Direction: lower is nearer. Empty: no rows, no distances.

    >>> apart(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[5.0, 0.0]]
    """
    from scipy.spatial.distance import cdist

    if a.shape[1:] != b.shape[1:]:
        raise InputError("features of both sets", "be the same", [a.shape[1:], b.shape[1:]])
    return np.asarray(cdist(a, b))


def radii(within: Floats, k: int = K) -> Floats:
    """(N,): how far the ball around each of N real points reaches, from their distances (N, N).

    Range: 0 and above. Direction: neither. Empty: refused; there must be more than k points.

    >>> line = np.array([[0.0], [1.0], [3.0]])
    >>> radii(apart(line, line), k=1).tolist()
    [1.0, 1.0, 2.0]
    """
    if not 1 <= k < len(within):
        raise InputError("real points", f"be more than k = {k}", len(within))
    return np.asarray(np.partition(within, k, axis=1)[:, k])  # place 0 is the point itself
