from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from pixelreef.errors import InputError
from pixelreef.metrics.summary import (
    Summary,
    best_of,
    difference,
    mean,
    proportion,
    proportion_from_counts,
    smallest_difference,
)

NUMBERS = st.floats(-1e6, 1e6)
QUICK = settings(max_examples=40, deadline=None)


def in_order(summary: Summary) -> bool:
    if summary.mean is None or summary.low is None or summary.high is None:
        return summary.low is None and summary.high is None
    return summary.low <= summary.mean <= summary.high


def test_scipy_waits_until_it_is_needed() -> None:
    modules = "import pixelreef.metrics.summary, pixelreef.metrics.likeness, sys"
    found = subprocess.run([sys.executable, "-c", f"{modules}; print('scipy' in sys.modules)"], capture_output=True)
    assert found.stdout.strip() == b"False"


class TestMean:
    def test_a_case_by_hand(self) -> None:
        # mean 5, sd √10, t(4, 0.975) = 2.776445: reach 2.776445 · √10 / √5 = 3.926486
        found = mean([1, 3, 5, 7, 9])
        assert (found.mean, found.n, found.missing, found.clusters, found.method) == (5.0, 5, 0, None, "t")
        assert found.low == pytest.approx(5 - 3.926486, abs=1e-5)
        assert found.high == pytest.approx(5 + 3.926486, abs=1e-5)

    def test_the_method_changes_at_twenty(self) -> None:
        assert mean(range(19)).method == "t"
        assert mean(range(20)).method == "bootstrap"

    def test_the_bootstrap_is_near_t_for_even_values(self) -> None:
        values = np.linspace(0, 1, 60)
        found = mean(values)
        low, high = stats.t.interval(0.95, 59, values.mean(), stats.sem(values))
        assert found.low == pytest.approx(low, abs=0.005)
        assert found.high == pytest.approx(high, abs=0.005)

    def test_the_bootstrap_leans_with_skewed_values(self) -> None:
        found = mean(np.random.default_rng(1).exponential(size=40))
        assert found.mean is not None
        assert found.low is not None
        assert found.high is not None
        assert found.high - found.mean > 1.1 * (found.mean - found.low)

    def test_nothing_one_and_constant(self) -> None:
        assert mean([None, math.nan]) == Summary(None, None, None, 0, 2, None, "none", 0.95)
        assert mean([3.0, None]) == Summary(3.0, None, None, 1, 1, None, "one value", 0.95)
        assert mean([0.1] * 30) == Summary(0.1, 0.1, 0.1, 30, 0, None, "constant", 0.95)
        assert mean([0.1 + 0.2, 0.3] * 15).method == "constant"

    def test_one_odd_value_in_many_is_not_nan(self) -> None:
        for values in ([0.0] * 29 + [1.0], [1.0] * 500 + [1.0 + 1e-9], [0.0] * 29 + [1e-90], [1e90] + [0.0] * 29):
            found = mean(values)
            assert found.method == "bootstrap"
            assert in_order(found)
            assert found.low is not None
            assert math.isfinite(found.low)
            assert found.high is not None
            assert found.high > found.low

    def test_bounds_clip_the_interval_and_refuse_values(self) -> None:
        assert mean([0.0, 0.0, 0.5]).low < 0  # type: ignore[operator]
        assert mean([0.0, 0.0, 0.5], bounds=(0, 1)).low == 0
        assert mean([1.0, 1.0, 0.5], bounds=(0, 1)).high == 1
        with pytest.raises(InputError, match=r"from 0 to 1, got 1\.5"):
            mean([0.0, 1.5], bounds=(0, 1))

    def test_the_seed_decides(self) -> None:
        values = np.random.default_rng(0).random(30)
        assert mean(values, seed=3) == mean(values[::-1], seed=3)
        assert mean(values, seed=3) != mean(values, seed=4)

    def test_more_confidence_is_wider(self) -> None:
        values = np.random.default_rng(0).random(30)
        narrow, wide = mean(values, confidence=0.8), mean(values, confidence=0.99)
        assert wide.low < narrow.low < narrow.high < wide.high  # type: ignore[operator]

    @pytest.mark.parametrize("bad", [[math.inf], [0.0, -math.inf], [1e200], ["a"]])
    def test_what_is_no_number_is_refused(self, bad: list[float]) -> None:
        with pytest.raises(InputError, match=r"^values must be "):
            mean(bad)

    def test_settings_are_checked(self) -> None:
        with pytest.raises(InputError, match="confidence must be between 0 and 1, got 95"):
            mean([1.0], confidence=95)
        with pytest.raises(InputError, match="resamples must be at least 100, got 10"):
            mean([1.0], resamples=10)

    @QUICK
    @given(st.lists(NUMBERS, max_size=40), st.integers(0, 5))
    def test_missing_values_change_only_their_count(self, values: list[float], gaps: int) -> None:
        whole = mean(values, resamples=200)
        holed = mean([*[None] * gaps, *values, *[math.nan] * gaps], resamples=200)
        assert vars(holed) == vars(whole) | {"missing": 2 * gaps}
        assert in_order(whole)


class TestClusters:
    def test_each_cluster_counts_once(self) -> None:
        # Cluster means 2, 4, 9: mean 5, sd √13, t(2, 0.975) = 4.302653, reach 8.956686
        found = mean([1, 2, 3, 4, 9, None, None], clusters=["a", "a", "a", "b", "c", "c", "d"])
        assert (found.mean, found.n, found.missing, found.clusters) == (5.0, 5, 2, 3)
        assert found.method == "t on cluster means"
        assert found.high == pytest.approx(5 + 8.956686, abs=1e-5)

    def test_twenty_clusters_are_resampled_whole(self) -> None:
        g = np.random.default_rng(5)
        levels = g.normal(size=20)
        found = mean(np.repeat(levels, 4), clusters=np.repeat(np.arange(20), 4).tolist())
        alone = mean(levels)
        assert found.method == "bootstrap over clusters"
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high))

    def test_one_cluster_has_no_interval(self) -> None:
        found = mean([1.0, 2.0], clusters=["a", "a"])
        assert (found.mean, found.low, found.high, found.clusters, found.method) == (1.5, None, None, 1, "one value")

    def test_a_key_per_value(self) -> None:
        with pytest.raises(InputError, match="clusters must have one key per value, so 2, got 1"):
            mean([1.0, 2.0], clusters=["a"])


class TestProportion:
    @staticmethod
    def wilson(yes: int, n: int) -> tuple[float, float]:
        """The formula as in Wilson's paper of 1927."""
        z = float(stats.norm.ppf(0.975))
        share = yes / n
        centre = (share + z * z / (2 * n)) / (1 + z * z / n)
        reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return centre - reach, centre + reach

    @pytest.mark.parametrize(("yes", "n"), [(0, 1), (1, 1), (0, 35), (3, 35), (35, 35), (50, 100), (1, 2000)])
    def test_against_the_formula(self, yes: int, n: int) -> None:
        found = proportion_from_counts(yes, n)
        low, high = self.wilson(yes, n)
        assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)
        assert in_order(found)

    def test_outcomes_and_counts_agree(self) -> None:
        assert proportion([True, False, 1.0, None, math.nan, 0]) == proportion_from_counts(2, 4, missing=2)

    def test_none_at_all(self) -> None:
        assert proportion([None]) == Summary(None, None, None, 0, 1, None, "none", 0.95)

    def test_what_is_no_outcome_is_refused(self) -> None:
        with pytest.raises(InputError, match=r"outcome must be true, false or missing, got 0\.5\. Use mean"):
            proportion([0.5])
        with pytest.raises(InputError, match="counts must be 0 ≤ yes ≤ n"):
            proportion_from_counts(3, 2)


class TestDifference:
    def test_a_case_by_hand(self) -> None:
        # Differences 1, 2, 3: mean 2, sd 1, t = 2 · √3 = 3.4641 on 2 degrees, two-sided p 0.0742
        found = difference({"a": 2, "b": 4, "c": 6, "d": 1, "e": None}, {"a": 1, "b": 2, "c": 3, "e": 5, "f": math.nan})
        assert (found.mean, found.n, found.missing, found.method, found.test) == (2.0, 3, 3, "t", "t")
        assert found.p == pytest.approx(0.0742, abs=1e-4)
        assert found.smallest == smallest_difference(3, 1.0)

    def test_clusters_are_what_is_independent(self) -> None:
        first = {(subject, attempt): float(subject) for subject in range(6) for attempt in range(5)}
        second = dict.fromkeys(first, 0.0)
        found = difference(first, second, clusters={item: item[0] for item in first})
        assert (found.mean, found.n, found.clusters, found.method) == (2.5, 30, 6, "t on cluster means")
        assert found.p == pytest.approx(float(stats.ttest_1samp(np.arange(6.0), 0).pvalue))

    def test_sign_flips_against_all_of_them(self) -> None:
        # 4 pairs of ±1 cancel; what is left is 12 differences of +1, so the sum of 20 signs is at least 12:
        # two-sided p = 2 · P(at least 16 of 20 coins are heads) = 2 · 6196 / 2²⁰ = 0.01182
        gaps = [1.0] * 16 + [-1.0] * 4
        found = difference(dict(enumerate(gaps)), dict.fromkeys(range(20), 0.0), resamples=50_000)
        assert found.test == "sign flips"
        assert found.p == pytest.approx(0.01182, abs=0.003)

    def test_equal_entrants(self) -> None:
        found = difference({1: 0.1 + 0.2, 2: 5.0}, {1: 0.3, 2: 5.0})
        assert (found.mean, found.low, found.high, found.p, found.smallest) == (0.0, 0.0, 0.0, 1.0, None)

    def test_always_the_same_difference(self) -> None:
        found = difference({1: 2.0, 2: 3.0, 3: 4.0}, {1: 1.0, 2: 2.0, 3: 3.0})
        assert (found.mean, found.method, found.p) == (1.0, "constant", 0.25)

    def test_nothing_in_common(self) -> None:
        found = difference({"a": 1.0}, {"b": 1.0})
        assert (found.mean, found.low, found.p, found.test, found.smallest) == (None, None, None, "none", None)
        assert (found.n, found.missing, found.method) == (0, 2, "none")

    def test_an_item_without_a_cluster_is_refused(self) -> None:
        with pytest.raises(InputError, match="clusters must have a key for every item"):
            difference({"a": 1.0}, {"a": 1.0}, clusters={})

    def test_false_alarms_come_as_often_as_promised(self) -> None:
        g = np.random.default_rng(8)
        for size in (8, 30):
            zeros = dict.fromkeys(range(size), 0.0)
            gaps = g.normal(size=(600, size)).tolist()
            found = [difference(dict(enumerate(row)), zeros, seed=t, resamples=500).p for t, row in enumerate(gaps)]
            alarms = sum(p is not None and p < 0.05 for p in found)
            assert 13 <= alarms <= 47  # 30 expected of 600; ± 3.2 standard deviations of 5.34

    @QUICK
    @given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=30))
    def test_swapping_the_entrants_turns_the_sign(self, pairs: list[tuple[float, float]]) -> None:
        first = {index: pair[0] for index, pair in enumerate(pairs)}
        second = {index: pair[1] for index, pair in enumerate(pairs)}
        there, back = difference(first, second, resamples=200), difference(second, first, resamples=200)
        assert in_order(there)
        assert (there.n, there.missing) == (len(pairs), 0)
        if there.mean is not None:
            assert back.mean == pytest.approx(-there.mean)
        if there.p is not None:
            assert 0 < there.p <= 1


class TestBestOf:
    def test_a_case_by_hand(self) -> None:
        # Pairs of {1, 2, 6}: maxima 2, 6, 6
        assert best_of([6, 1, 2], 2).value == pytest.approx(14 / 3)

    @QUICK
    @given(st.lists(NUMBERS, min_size=1, max_size=8), st.data())
    def test_against_all_subsets(self, values: list[float], data: st.DataObject) -> None:
        k = data.draw(st.integers(1, len(values)))
        maxima = [max(subset) for subset in itertools.combinations(values, k)]
        assert best_of(values, k).value == pytest.approx(math.fsum(maxima) / len(maxima), abs=1e-6)

    @QUICK
    @given(st.lists(NUMBERS, min_size=1, max_size=60))
    def test_rises_with_k_from_the_mean_to_the_largest(self, values: list[float]) -> None:
        found = [best_of(values, k).value or 0.0 for k in range(1, len(values) + 1)]
        assert found[0] == pytest.approx(sum(values) / len(values), abs=1e-6)
        assert found[-1] == max(values)
        assert all(b >= a - 1e-6 for a, b in itertools.pairwise(found))

    @pytest.mark.parametrize("k", [1, 2, 50, 5000, 9999, 10_000])
    def test_ten_thousand_values_against_exact_fractions(self, k: int) -> None:
        # The expected rank of the largest of k out of 1 … n is k (n + 1) / (k + 1)
        found = best_of(range(1, 10_001), k).value
        assert found == pytest.approx(float(Fraction(k * 10_001, k + 1)), rel=1e-11)

    def test_missing_stays_missing_or_counts_as_told(self) -> None:
        assert vars(best_of([1.0, None, 3.0], 2)) == {"value": 3.0, "k": 2, "n": 2, "missing": 1}
        filled = best_of([1.0, None, 3.0], 2, missing_as=0.0)
        assert (filled.value, filled.n, filled.missing) == pytest.approx((7 / 3, 3, 1))
        assert best_of([1.0, None], 2).value is None
        assert best_of([], 1).value is None

    def test_k_is_checked(self) -> None:
        for k in (0, 3):
            with pytest.raises(InputError, match=f"k must be from 1 to the 2 values given, got {k}"):
                best_of([1.0, 2.0], k)


class TestSmallestDifference:
    def test_against_published_sample_sizes(self) -> None:
        # G*Power 3, paired t-test, two-sided, power 0.8: d = 0.5 needs 34 pairs, d = 0.8 needs 15, d = 0.2 needs 199
        for size, n in ((0.5, 34), (0.8, 15), (0.2, 199)):
            assert smallest_difference(n, 1.0) < size < smallest_difference(n - 1, 1.0)  # type: ignore[operator]

    @pytest.mark.parametrize("n", [3, 8, 40])
    def test_against_simulation(self, n: int) -> None:
        shift = smallest_difference(n, 2.0)
        assert shift is not None
        gaps = np.random.default_rng(n).normal(shift, 2.0, (20_000, n))
        found = stats.ttest_1samp(gaps, 0.0, axis=1, alternative="greater")
        assert np.mean(np.asarray(found.pvalue) < 0.025) == pytest.approx(0.8, abs=0.01)

    def test_edges(self) -> None:
        assert smallest_difference(0, 1.0) is None
        assert smallest_difference(1, 1.0) is None
        assert smallest_difference(10, 0.0) == 0.0
        assert smallest_difference(10, 1.0, power=0.01) == 0.0
        with pytest.raises(InputError, match="spread must be a finite number"):
            smallest_difference(10, math.nan)
        with pytest.raises(InputError, match="power must be between 0 and 1"):
            smallest_difference(10, 1.0, power=1.0)


# Coverage: how often an interval that promises 95 % holds the truth. The figures stand in docs/metrics.md.

TRIALS = 3000  # one standard error is then 0.4 points
Draw = Callable[[np.random.Generator], NDArray[np.float64]]


def simulated_coverage(draw: Draw, truth: float, clusters: list[int] | None = None) -> float:
    g = np.random.default_rng(2024)
    found = [mean(draw(g), clusters=clusters, seed=trial, resamples=999) for trial in range(TRIALS)]
    return sum(f.low is not None and f.high is not None and f.low <= truth <= f.high for f in found) / TRIALS


def exact_wilson_coverage(n: int, p: float) -> float:
    """Summed over all outcomes, so no simulation is needed."""
    found = [proportion_from_counts(yes, n) for yes in range(n + 1)]
    chances = stats.binom.pmf(np.arange(n + 1), n, p)
    held = [f.low is not None and f.high is not None and f.low <= p <= f.high for f in found]
    return float(chances[held].sum())


def attempts(subjects: int, tries: int) -> Draw:
    """Subjects differ (sd 1) as much as the attempts at one subject do (sd 1)."""
    return lambda g: (g.normal(size=(subjects, 1)) + g.normal(size=(subjects, tries))).ravel()


def print_coverage(name: str, coverage: float) -> None:
    print(f"\n{name:<48} {100 * coverage:5.1f} %", end="")


SIMULATED: dict[str, tuple[Draw, float, list[int] | None]] = {
    "7 clusters of 5, t on cluster means": (attempts(7, 5), 0.0, np.repeat(np.arange(7), 5).tolist()),
    "25 clusters of 3, bootstrap over clusters": (attempts(25, 3), 0.0, np.repeat(np.arange(25), 3).tolist()),
    "30 normal values, bootstrap": (lambda g: g.normal(size=30), 0.0, None),
    "30 values of Beta(2, 5), bootstrap": (lambda g: g.beta(2, 5, size=30), 2 / 7, None),
    "30 values of Beta(0.5, 3), bootstrap": (lambda g: g.beta(0.5, 3, size=30), 1 / 7, None),
    "10 values of Beta(2, 5), t": (lambda g: g.beta(2, 5, size=10), 2 / 7, None),
}


@pytest.mark.parametrize("name", SIMULATED)
def test_coverage_of_means(name: str) -> None:
    coverage = simulated_coverage(*SIMULATED[name])
    print_coverage(name, coverage)
    assert coverage == pytest.approx(0.95, abs=0.02)


def test_coverage_is_lost_when_clusters_are_ignored() -> None:
    coverage = simulated_coverage(attempts(7, 5), 0.0)
    print_coverage("7 clusters of 5 taken for 35 values", coverage)
    assert coverage < 0.8


@pytest.mark.parametrize("n", [35, 100])
def test_coverage_of_proportions(n: int) -> None:
    shares = (0.02, 0.05, 0.95, 0.98)
    found = [exact_wilson_coverage(n, p) for p in shares]
    for p, coverage in zip(shares, found, strict=True):
        print_coverage(f"{n} outcomes, true share {p}, wilson", coverage)
    assert found == pytest.approx(found[::-1])
    assert np.mean(found) == pytest.approx(0.95, abs=0.02)
    # Each alone: never short by a point, and above by 2.1 points at most (35 outcomes, share 0.05), as the docs say.
    assert 0.94 < min(found) <= max(found) < 0.9715
