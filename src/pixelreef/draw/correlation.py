"""How measures go together over the attempts at hand: Pearson's coefficients, with intervals clustered by subject.

Attempts at one subject are alike, so whole subjects are resampled. A coefficient depends on its pairs only through six
sums (n, Σx, Σy, Σx², Σy², Σxy); resampling subjects is weighting each subject's sums by how often it was drawn, and one
product of matrices resamples every pair of measures at once.

A measure that does not vary has no coefficient: it is missing, never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

RESAMPLES = 4999
FEWEST_CLUSTERS = 5  # fewer subjects can hardly be resampled: 4 of them in 35 ways only
_CONSTANT = 1e-12  # relative: a spread below this is rounding


@dataclass(frozen=True)
class Coefficient:
    """Pearson's coefficient of two measures, with its 95 % interval."""

    first: str
    second: str
    value: float | None
    """None where fewer than three attempts have both, or one of the two does not vary."""
    low: float | None
    high: float | None
    n: int
    clusters: int


def correlations(
    columns: Mapping[str, Sequence[float | None]],
    clusters: Sequence[Hashable],
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> list[Coefficient]:
    """The coefficient of every two columns over the rows that have both.

    Range: −1 to 1. Direction: neither. Empty: every value missing.

    >>> found = correlations({"a": [0, 1, 2, 3], "b": [1, 3, 5, None], "c": [1, 1, 1, 1]}, [1, 2, 3, 4])
    >>> [(one.first, one.second, one.value, one.n) for one in found]
    [('a', 'b', 1.0, 3), ('a', 'c', None, 4), ('b', 'c', None, 3)]
    """
    keys = list(dict.fromkeys(clusters))
    place = {key: number for number, key in enumerate(keys)}
    labels = np.array([place[key] for key in clusters], np.intp)
    values = {name: np.array(column, dtype=np.float64) for name, column in columns.items()}  # None becomes NaN
    pairs = list(combinations(values, 2))
    sums = np.stack(
        [_sums(values[first], values[second], labels, len(keys)) for first, second in pairs]
        or [np.zeros((len(keys), 6))]
    )
    whole = _coefficients(sums.sum(axis=1))
    lows, highs = _intervals(sums, seed, resamples, confidence)
    found: list[Coefficient] = []
    for index, (first, second) in enumerate(pairs):
        count, used = int(sums[index, :, 0].sum()), int((sums[index, :, 0] > 0).sum())
        value = _known(whole[index]) if count >= 3 else None
        bounded = value is not None and used >= FEWEST_CLUSTERS
        low, high = (_known(lows[index]), _known(highs[index])) if bounded else (None, None)
        found.append(Coefficient(first, second, value, low, high, count, used))
    return found


def _sums(x: Floats, y: Floats, labels: NDArray[np.intp], clusters: int) -> Floats:
    """(clusters, 6): n, Σx, Σy, Σx², Σy², Σxy of the rows that have both.

    Both are put on one scale first: a coefficient does not change by it, and squares of 1e9 stay within a float.
    """
    there = np.isfinite(x) & np.isfinite(y)
    x, y, labels = _standard(x[there]), _standard(y[there]), labels[there]
    parts = (np.ones(len(x)), x, y, x * x, y * y, x * y)
    return np.stack([np.bincount(labels, part, minlength=clusters) for part in parts], axis=1)


def _standard(values: Floats) -> Floats:
    if len(values) == 0:
        return values
    centred = values - values.mean()
    spread = float(np.abs(centred).max())
    if spread <= _CONSTANT * max(float(np.abs(values).max()), 1e-300):
        return np.zeros_like(values)
    return np.asarray(centred / spread)


def _coefficients(sums: Floats) -> Floats:
    """(…, 6) sums → (…) coefficients; NaN where one of the two does not vary."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2
        varies = (spread_x > _CONSTANT) & (spread_y > _CONSTANT)
        found = (xy / n - x * y / n**2) / np.sqrt(np.where(varies, spread_x * spread_y, np.nan))
    return np.asarray(np.clip(found, -1, 1))


def _intervals(sums: Floats, seed: int, resamples: int, confidence: float) -> tuple[Floats, Floats]:
    """Percentiles over resampled subjects, at a level widened for few of them as in `metrics.summary`."""
    from scipy.stats import norm, t

    pairs, clusters, _ = sums.shape
    if clusters < 2:
        return np.full(pairs, np.nan), np.full(pairs, np.nan)
    quantile = float(t.ppf(0.5 + confidence / 2, clusters - 1)) * math.sqrt(clusters / (clusters - 1))
    tail = float(norm.sf(quantile))
    drawn = np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), size=resamples)
    weighted = np.einsum("rc,pcs->prs", drawn.astype(np.float64), sums, optimize=True)
    found = _coefficients(weighted)
    # Of few subjects a resample may not vary at all; those say nothing. If they are many, there is no interval.
    enough = np.isfinite(found).mean(axis=1) > 0.9
    found[~enough] = 0.0
    low, high = np.nanquantile(found, [tail, 1 - tail], axis=1)
    return np.where(enough, low, np.nan), np.where(enough, high, np.nan)


def _known(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
