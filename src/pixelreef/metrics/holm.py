"""Holm's correction: p-values of several tests, so that the chance of any false alarm among them stays below the level.

Uniformly at least as powerful as Bonferroni's, and like it needs no independence (Holm, 1979).
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Corrected p-values in the order given; None, a test that was not done, stays None and counts for nothing.

    Range: 0 to 1, never below the value given. Direction: lower is more evidence. Empty: an empty list.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    done = sorted((value, index) for index, value in enumerate(values) if value is not None)
    corrected: list[float | None] = [None] * len(values)
    reached = 0.0
    for place, (value, index) in enumerate(done):
        reached = max(reached, min(1.0, (len(done) - place) * value))
        corrected[index] = reached
    return corrected
