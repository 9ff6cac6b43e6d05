"""From many values to a few honest numbers: means and proportions with intervals, paired differences, best of k.

A value that is None or NaN is *missing*: it is left out, counted, and never read as 0. Values that belong together
(five attempts at one subject) are not independent: give their *clusters*, and each cluster counts once.

Three rules decide the interval of a mean, by the number of independent values (clusters, where given):

    none, or one    no interval: there is nothing to measure the spread with
    2 to 19         Student's t
    20 and more     bootstrap, BCa, at a level widened for few values (see `_bootstrap_interval`)

How often the intervals hold what they promise is measured in docs/metrics.md. This module reads no files, draws no
charts and knows no metric by name.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError

Values = Iterable[float | None]
Floats = NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 9999
FEWEST_FOR_BOOTSTRAP = 20
_LARGEST = 1e100  # its square is still a float, so a variance is too
_NOISE = 1e-12  # relative: 0.1 + 0.2 against 0.3 differs by 2e-16, which is no difference


@dataclass(frozen=True)
class Summary:
    """A mean or proportion with its interval.

    `mean`, `low` and `high` are None when there is nothing to say. `n` values were used and `missing` were not there;
    `clusters` is how many groups the n values form, None when every value stands alone. `method` says where the
    interval comes from: "none", "one value", "constant" (low = high = mean: no spread was seen, which does not prove
    that there is none), "t", "bootstrap", "t on cluster means", "bootstrap over clusters", "wilson" or "wilson over
    clusters".
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    missing: int
    clusters: int | None
    method: str
    confidence: float


@dataclass(frozen=True)
class Difference(Summary):
    """A `Summary` of first − second over the items that both have; `missing` counts the items that one of them lacks.

    `p` is two-sided, None with fewer than two independent differences; `test` says which test gave it: "none", "t" or
    "sign flips". `smallest` is the smallest true difference that so many differences, spread like these, show four
    times in five; None where no spread was seen.
    """

    p: float | None
    test: str
    smallest: float | None


@dataclass(frozen=True)
class Best:
    """The expected best of `k`; `value` is None when so many values are missing that k cannot be drawn."""

    value: float | None
    k: int
    n: int
    missing: int


def mean(
    values: Values,
    *,
    clusters: Iterable[Hashable] | None = None,
    bounds: tuple[float, float] | None = None,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Summary:
    """The mean of the values with its interval.

    With `clusters` (one key per value) the estimate is the mean of the cluster means: each cluster counts once, however
    many values it has; a cluster whose values are all missing does not count. `bounds` are the least and the largest
    value that there can be, and clip the interval. The order of the values does not matter.

    Range: that of the values. Direction: that of the values. Empty: all three numbers None, method "none".

    >>> mean([1.0, 2.0, 3.0, None])
    Summary(mean=2.0, low=-0.48..., high=4.48..., n=3, missing=1, clusters=None, method='t', confidence=0.95)
    >>> mean([1.0, 1.0, 4.0], clusters=["eel", "eel", "ray"]).mean
    2.5
    >>> mean([]).method
    'none'
    """
    _check_settings(confidence, resamples)
    given = list(values)
    keys = None if clusters is None else list(clusters)
    if keys is not None and len(keys) != len(given):
        raise InputError("clusters", f"have one key per value, so {len(given)}", len(keys))
    present = [index for index, value in enumerate(given) if not _is_missing(value)]
    used = _floats([given[index] for index in present], bounds)
    independent = used if keys is None else _cluster_means(used, [keys[index] for index in present])
    return _summary(
        independent,
        n=len(used),
        missing=len(given) - len(used),
        clusters=None if keys is None else len(independent),
        bounds=bounds,
        confidence=confidence,
        seed=seed,
        resamples=resamples,
    )


def proportion(outcomes: Iterable[float | None], *, confidence: float = CONFIDENCE) -> Summary:
    """The share of outcomes that are true (or 1) among those that are not missing, with Wilson's interval.

    Range: 0 to 1. Direction: that of the outcome. Empty: all three numbers None, method "none".

    >>> share = proportion([True, True, False, None])
    >>> round(share.mean, 3), round(share.low, 3), round(share.high, 3), share.missing
    (0.667, 0.208, 0.939, 1)
    """
    given = list(outcomes)
    used = [outcome for outcome in given if not _is_missing(outcome)]
    for outcome in used:
        if outcome not in (0, 1):
            raise InputError("outcome", "be true, false or missing", outcome, "Use mean for other numbers.")
    yes = sum(1 for outcome in used if outcome)
    return proportion_from_counts(yes, len(used), len(given) - len(used), confidence=confidence)


def proportion_from_counts(yes: int, n: int, missing: int = 0, *, confidence: float = CONFIDENCE) -> Summary:
    """`proportion`, from counts that are already there.

    >>> proportion_from_counts(0, 10).mean, round(proportion_from_counts(0, 10).high, 4)
    (0.0, 0.2775)
    """
    from scipy.stats import binomtest

    _check_settings(confidence)
    if not 0 <= yes <= n or missing < 0:
        raise InputError("counts", "be 0 ≤ yes ≤ n and missing ≥ 0", (yes, n, missing))
    if n == 0:
        return Summary(None, None, None, 0, missing, None, "none", confidence)
    interval = binomtest(yes, n).proportion_ci(confidence, method="wilson")
    share = yes / n
    low, high = min(float(interval.low), share), max(float(interval.high), share)
    return Summary(share, low, high, n, missing, None, "wilson", confidence)


def clustered_share(values: Values, clusters: Iterable[Hashable], *, seed: int = 0) -> Summary:
    """`mean` of shares from 0 to 1, with an interval also where they are 0 or 1 throughout.

    Such a share has no spread to measure. Its interval is then Wilson's, with each cluster counted once: 0 of 15
    subjects leaves room up to 0.20.

    Range: 0 to 1. Direction: that of the values. Empty: all three numbers None, method "none".

    >>> none = clustered_share([0.0] * 30, [number % 15 for number in range(30)])
    >>> none.mean, round(none.high, 2), none.method
    (0.0, 0.2, 'wilson over clusters')
    """
    found = mean(values, clusters=clusters, bounds=(0, 1), seed=seed)
    if found.method != "constant" or found.mean not in (0, 1) or not found.clusters:
        return found
    bound = proportion_from_counts(int(found.mean) * found.clusters, found.clusters)
    return replace(found, low=bound.low, high=bound.high, method="wilson over clusters")


def difference(
    first: Mapping[Any, float | None],
    second: Mapping[Any, float | None],
    *,
    clusters: Mapping[Any, Hashable] | None = None,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Difference:
    """first − second on the same items: its interval, a p-value and the smallest difference that could have been shown.

    Only items that both have are used. The test goes with the interval, on the same independent differences: a t-test
    under 20 of them, from 20 on a sign-flip permutation test. Differences that are all alike have no spread for a
    t-test and are always sign-flipped: all 0 gives p = 1, n times the same other number gives 2 · 2⁻ⁿ.

    Range: any. Direction: above 0, the first is larger. Empty: every number None, method and test "none".

    >>> first, second = {"eel": 0.75, "ray": 0.5, "cod": None}, {"eel": 0.5, "ray": 0.5, "cod": 1.0}
    >>> found = difference(first, second)
    >>> found.mean, found.n, found.missing, found.test, round(found.p, 3)
    (0.125, 2, 1, 't', 0.5)
    """
    _check_settings(confidence, resamples)
    items = list(dict.fromkeys([*first, *second]))
    both = [item for item in items if not _is_missing(first.get(item)) and not _is_missing(second.get(item))]
    used = _differences(_floats([first[item] for item in both]), _floats([second[item] for item in both]))
    independent = used if clusters is None else _cluster_means(used, _keys(both, clusters))
    summary = _summary(
        independent,
        n=len(used),
        missing=len(items) - len(used),
        clusters=None if clusters is None else len(independent),
        bounds=None,
        confidence=confidence,
        seed=seed,
        resamples=resamples,
    )
    p, test = _p_value(independent, seed, resamples)
    spread = None if summary.low == summary.high else float(independent.std(ddof=1))
    smallest = None if spread is None else smallest_difference(len(independent), spread, confidence=confidence)
    return Difference(**vars(summary), p=p, test=test, smallest=smallest)


def best_of(values: Values, k: int, *, missing_as: float | None = None) -> Best:
    """The expected largest of k values drawn from these without replacement, exactly.

    Unbiased for the best of k fresh attempts, unlike the largest of the first k. Missing values are not drawn, unless
    `missing_as` says what a missing one counts as. When lower is better, pass negated values.

    Range: that of the values; rises with k from the mean to the largest. Direction: higher is better.
    Empty: None, also when fewer than k values are not missing; k above the number of values given is an error.

    >>> best_of([0.0, 0.0, 1.0, None], k=2)
    Best(value=0.666..., k=2, n=3, missing=1)
    >>> best_of([0.0, 0.0, 1.0, None], k=2, missing_as=0.0).value
    0.5
    """
    given = list(values)
    if not 1 <= k <= max(len(given), 1):
        raise InputError("k", f"be from 1 to the {len(given)} values given", k, "Draw fewer, or attempt more.")
    missing = sum(_is_missing(value) for value in given)
    filled = [missing_as if _is_missing(value) else value for value in given]
    used = np.sort(_floats([value for value in filled if not _is_missing(value)]))
    if len(used) < k:
        return Best(None, k, len(used), missing)
    return Best(math.fsum(_best_weights(len(used), k) * used), k, len(used), missing)


def smallest_difference(n: int, spread: float, *, power: float = 0.8, confidence: float = CONFIDENCE) -> float | None:
    """The smallest true mean of n paired differences that a two-sided t-test shows with this power.

    `spread` is the standard deviation of the differences (with clusters: of their means, and n counts clusters).
    Solved from the noncentral t distribution; showing the difference with the wrong sign does not count.

    Range: 0 and above, in the unit of the spread. Direction: lower is better. Empty: None for n < 2; 0 without spread.

    >>> round(smallest_difference(34, 1.0), 3)
    0.495
    >>> smallest_difference(1, 1.0) is None
    True
    """
    from scipy.optimize import brentq
    from scipy.stats import nct, t

    _check_settings(confidence)
    if not 0 < power < 1:
        raise InputError("power", "be between 0 and 1", power)
    if not 0 <= spread <= _LARGEST:
        raise InputError("spread", "be a finite number of at least 0", spread)
    if n < 2:
        return None
    freedom = n - 1
    critical = float(t.ppf(0.5 + confidence / 2, freedom))
    least_power = (1 - confidence) / 2
    if power <= least_power:  # chance alone shows it that often
        return 0.0
    most = 10.0 * (critical + 10.0)  # a shift at which every power is all but 1, even for n = 2
    shift = brentq(lambda shift: float(nct.sf(critical, freedom, shift)) - power, 0.0, most)
    return float(shift) * spread / math.sqrt(n)


def _summary(
    independent: Floats,
    *,
    n: int,
    missing: int,
    clusters: int | None,
    bounds: tuple[float, float] | None,
    confidence: float,
    seed: int,
    resamples: int,
) -> Summary:
    if len(independent) == 0:
        return Summary(None, None, None, n, missing, clusters, "none", confidence)
    ordered = np.sort(independent)
    estimate = math.fsum(ordered) / len(ordered)
    if len(ordered) == 1:
        return Summary(estimate, None, None, n, missing, clusters, "one value", confidence)
    if _is_constant(ordered):
        return Summary(estimate, estimate, estimate, n, missing, clusters, "constant", confidence)
    if len(ordered) < FEWEST_FOR_BOOTSTRAP:
        low, high = _t_interval(ordered, confidence)
        method = "t" if clusters is None else "t on cluster means"
    else:
        low, high = _bootstrap_interval(ordered, confidence, seed, resamples)
        method = "bootstrap" if clusters is None else "bootstrap over clusters"
    least, most = bounds or (-math.inf, math.inf)
    low, high = min(max(low, least), estimate), max(min(high, most), estimate)
    return Summary(estimate, low, high, n, missing, clusters, method, confidence)


def _t_interval(values: Floats, confidence: float) -> tuple[float, float]:
    from scipy.stats import t

    reach = float(t.ppf(0.5 + confidence / 2, len(values) - 1) * values.std(ddof=1)) / math.sqrt(len(values))
    return float(values.mean()) - reach, float(values.mean()) + reach


def _bootstrap_interval(values: Floats, confidence: float, seed: int, resamples: int) -> tuple[float, float]:
    """BCa at a widened level.

    The mean of a resample varies too little by (n − 1)/n, and its tails are the normal's, not t's: for 30 values the
    plain interval covers 94 times in 100. Asking for the level whose normal quantile is t · √(n/(n − 1)) mends both
    (Hesterberg, What Teachers Should Know About the Bootstrap, 2015: the expanded interval).
    """
    from scipy.stats import bootstrap, norm, t

    n = len(values)
    quantile = float(t.ppf(0.5 + confidence / 2, n - 1)) * math.sqrt(n / (n - 1))
    centre, spread = float(values.mean()), float(values.std())
    interval = bootstrap(
        ((values - centre) / spread,),  # of one size, since BCa takes powers that would underflow to NaN
        np.mean,
        n_resamples=resamples,
        batch=max(1, 2_000_000 // n),  # 16 MB at a time
        confidence_level=1 - 2 * float(norm.sf(quantile)),
        method="BCa",
        random_state=np.random.default_rng(seed),
    ).confidence_interval
    return centre + spread * float(interval.low), centre + spread * float(interval.high)


def _p_value(differences: Floats, seed: int, resamples: int) -> tuple[float | None, str]:
    from scipy.stats import permutation_test, ttest_1samp

    if len(differences) < 2:
        return None, "none"
    if _is_constant(differences):
        return (2.0 ** (1 - len(differences)) if differences.any() else 1.0), "sign flips"
    if len(differences) < FEWEST_FOR_BOOTSTRAP:
        return float(ttest_1samp(differences, 0.0).pvalue), "t"
    found = permutation_test(
        (np.sort(differences),),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, 2_000_000 // len(differences)),
        random_state=np.random.default_rng(seed),
    )
    return float(found.pvalue), "sign flips"


def _best_weights(n: int, k: int) -> Floats:
    """(n,): the chance C(i − 1, k − 1) / C(n, k) that the i-th smallest of n is the largest of k drawn.

    Walked down from the top, k/n, by the ratio (i − k)/(i − 1) of neighbours: no number is ever large, and one that
    falls below the smallest float is a weight that does not matter.
    """
    weights = np.zeros(n)
    places = np.arange(n, k, -1, dtype=np.float64)
    weights[k - 1 :] = np.cumprod(np.concatenate([[k / n], (places - k) / (places - 1)]))[::-1]
    return weights


def _cluster_means(values: Floats, keys: Sequence[Hashable]) -> Floats:
    groups: dict[Hashable, list[float]] = {}
    for value, key in zip(values.tolist(), keys, strict=True):
        groups.setdefault(key, []).append(value)
    return np.array([math.fsum(group) / len(group) for group in groups.values()], dtype=np.float64)


def _keys(items: Iterable[Any], clusters: Mapping[Any, Hashable]) -> list[Hashable]:
    keys: list[Hashable] = []
    for item in items:
        if item not in clusters:
            raise InputError("clusters", "have a key for every item", f"none for {item!r}")
        keys.append(clusters[item])
    return keys


def _differences(first: Floats, second: Floats) -> Floats:
    gaps = first - second
    gaps[np.abs(gaps) <= _NOISE * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return gaps


def _is_missing(value: float | None) -> bool:
    return value is None or value != value  # NaN alone is unequal to itself


def _is_constant(values: Floats) -> bool:
    # The second number keeps squares of the spread from vanishing.
    return float(np.ptp(values)) <= max(_NOISE * float(np.abs(values).max()), 1 / _LARGEST)


def _floats(values: Sequence[float | None], bounds: tuple[float, float] | None = None) -> Floats:
    try:
        array = np.array(values, dtype=np.float64).reshape(len(values))
    except (TypeError, ValueError, OverflowError):
        raise InputError("values", "be numbers or missing", values) from None
    low, high = bounds or (-_LARGEST, _LARGEST)
    outside = array[(array < low) | (array > high) | (np.abs(array) > _LARGEST)]
    if len(outside):
        rule = "be finite numbers" if bounds is None else f"be finite numbers from {low} to {high}"
        raise InputError("values", rule, float(outside[0]), "Use None for a missing value.")
    return array


def _check_settings(confidence: float, resamples: int = RESAMPLES) -> None:
    if not 0 < confidence < 1:
        raise InputError("confidence", "be between 0 and 1", confidence)
    if resamples < 100:
        raise InputError("resamples", "be at least 100", resamples)
