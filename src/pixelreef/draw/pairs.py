"""Entrants against one another on the headline: paired by subject, corrected for the number of comparisons.

Each pair also says what it could have shown: the smallest true difference that so many subjects, spread like these,
show four times in five. A pair without a difference below that is no evidence of equality.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pixelreef.draw.boards import HEADLINE, SCORES, Value, paired, subject_means
from pixelreef.draw.score import Attempt
from pixelreef.metrics.holm import holm
from pixelreef.metrics.summary import Difference, mean

MOST = 12
"""Entrants compared with one another, the highest ones: 66 pairs are more than anyone reads."""


@dataclass(frozen=True)
class Pair:
    """first − second on the headline; the first has the higher mean."""

    first: str
    second: str
    gap: Difference
    p: float | None
    """Corrected by Holm for all pairs."""


def pairs(entrants: Mapping[str, Sequence[Attempt]], value: Value = SCORES[HEADLINE], seed: int = 0) -> list[Pair]:
    """Every two of the 12 highest entrants."""
    level = {name: mean(subject_means(mine, value).values()).mean for name, mine in entrants.items()}
    ordered = sorted((name for name in entrants if level[name] is not None), key=lambda name: -(level[name] or 0.0))
    compared = list(combinations(ordered[:MOST], 2))
    gaps = [paired(entrants[first], entrants[second], value, seed) for first, second in compared]
    corrected = holm([gap.p for gap in gaps])
    return [Pair(*names, gap, p) for names, gap, p in zip(compared, gaps, corrected, strict=True)]
