"""Density, coverage, kernel distance, copy test and accuracy score, each against a plain second implementation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.metrics.accuracy_score import accuracy_score, reverse_accuracy_score
from pixelreef.metrics.copy_test import copy_test, copy_test_of_cells
from pixelreef.metrics.coverage import clipped_coverage, coverage, expected
from pixelreef.metrics.density import clipped_density, density
from pixelreef.metrics.features import Features
from pixelreef.metrics.kernel_distance import kernel_distance
from pixelreef.metrics.neighbourhoods import apart, radii

Floats = NDArray[np.float64]


def points(count: int, seed: int, at: float = 0.0, features: int = 6) -> Floats:
    return rng(seed, "points", count).normal(at, 1.0, (count, features))


def far(a: Floats, b: Floats) -> float:
    return math.sqrt(sum((float(p) - float(q)) ** 2 for p, q in zip(a, b, strict=True)))


def plain_radius(real: Floats, i: int, k: int) -> float:
    return sorted(far(real[i], other) for j, other in enumerate(real) if j != i)[k - 1]


def plain_density(real: Floats, samples: Floats, k: int) -> float:
    hits = [far(x, y) < plain_radius(real, i, k) for i, x in enumerate(real) for y in samples]
    return sum(hits) / k / len(samples)


def plain_coverage(real: Floats, samples: Floats, k: int) -> float:
    return sum(any(far(x, y) < plain_radius(real, i, k) for y in samples) for i, x in enumerate(real)) / len(real)


def plain_clipped_density(real: Floats, samples: Floats, k: int) -> float:
    reach = [plain_radius(real, i, k) for i in range(len(real))]
    middle = sorted(reach)[len(reach) // 2] if len(reach) % 2 else sum(sorted(reach)[len(reach) // 2 - 1 :][:2]) / 2
    reach = [min(one, middle) for one in reach]

    def score(point: Floats, without: int | None) -> float:
        inside = sum(far(x, point) <= reach[i] for i, x in enumerate(real) if i != without)
        return min(inside / k, 1.0)

    best = sum(score(x, i) for i, x in enumerate(real)) / len(real)
    return min(1.0, sum(score(y, None) for y in samples) / len(samples) / best)


def plain_expected(real: int, samples: int, k: int) -> float:
    """By integrating over the share p of all that the ball holds, which is Beta(k, real − k)."""
    p = (np.arange(20_000) + 0.5) / 20_000
    weight = p ** (k - 1) * (1 - p) ** (real - k - 1)
    weight /= weight.sum()
    inside = [math.comb(samples, j) * p**j * (1 - p) ** (samples - j) * min(j, k) for j in range(samples + 1)]
    return float((weight * sum(inside)).sum()) / k


def plain_clipped_coverage(real: Floats, samples: Floats, k: int) -> float:
    counts = [min(k, sum(far(x, y) < plain_radius(real, i, k) for y in samples)) for i, x in enumerate(real)]
    score = sum(counts) / k / len(real)
    curve = [plain_expected(len(real), number, k) for number in range(len(samples) + 1)]
    if score >= curve[-1]:
        return 1.0
    below = max(number for number in range(len(samples) + 1) if curve[number] <= score)
    return (below + (score - curve[below]) / (curve[below + 1] - curve[below])) / len(samples)


@pytest.mark.parametrize(("k", "at"), [(1, 0.0), (3, 0.5), (5, 0.0), (5, 1.5), (5, 9.0)])
def test_density_and_coverage_equal_a_plain_implementation(k: int, at: float) -> None:
    real, samples = points(23, k), points(14, k + 100, at)
    within, between = apart(real, real), apart(real, samples)
    assert density(within, between, k) == pytest.approx(plain_density(real, samples, k))
    assert coverage(within, between, k) == pytest.approx(plain_coverage(real, samples, k))
    assert clipped_density(within, between, k) == pytest.approx(plain_clipped_density(real, samples, k))
    assert clipped_coverage(within, between, k) == pytest.approx(plain_clipped_coverage(real, samples, k), abs=1e-5)


def test_a_real_outlier_vouches_for_nobody_in_clipped_density() -> None:
    real = np.concatenate([points(40, 1), points(6, 2) * 0.01 + np.linspace(50, 400, 6)[:, None]])
    bad = points(20, 3, at=150)
    within, between = apart(real, real), apart(real, bad)
    assert density(within, between) > 0.5
    assert clipped_density(within, between) == 0


def test_crowding_into_the_thick_does_not_make_up_for_the_bad_in_clipped_density() -> None:
    real = points(200, 1)
    half_bad = np.concatenate([points(20, 2) * 0.1, points(20, 3, at=50)])
    assert density(apart(real, real), apart(real, half_bad)) > 1
    assert clipped_density(apart(real, real), apart(real, half_bad)) < 0.9


@pytest.mark.parametrize("good", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_clipped_scores_read_as_the_share_of_good_samples(good: float) -> None:
    real, count = points(400, 1, features=3), 400
    samples = np.concatenate([points(int(good * count), 2, features=3), points(count - int(good * count), 3, 60.0, 3)])
    within, between = apart(real, real), apart(real, samples)
    assert clipped_density(within, between) == pytest.approx(good, abs=0.06)
    assert clipped_coverage(within, between) == pytest.approx(good, abs=0.06)


@given(st.integers(7, 60), st.integers(0, 80), st.integers(1, 6))
def test_the_expected_score_rises_from_0_and_stays_below_1(real: int, samples: int, k: int) -> None:
    curve = expected(real, samples, k)
    assert len(curve) == samples + 1
    assert curve[0] == pytest.approx(0)
    assert (np.diff(curve) > 0).all()
    assert curve[-1] < 1


def test_no_samples_have_no_density_and_cover_nothing() -> None:
    real, none = apart(points(9, 1), points(9, 1)), np.zeros((9, 0))
    assert math.isnan(density(real, none))
    assert math.isnan(clipped_density(real, none))
    assert coverage(real, none) == clipped_coverage(real, none) == 0


def test_a_ball_needs_more_points_than_neighbours() -> None:
    with pytest.raises(InputError, match="more than k = 5"):
        radii(np.zeros((5, 5)))
    with pytest.raises(InputError, match="be the same"):
        apart(np.zeros((2, 3)), np.zeros((2, 4)))


def plain_kernel_distance(x: Floats, y: Floats) -> float:
    def k(a: Floats, b: Floats) -> float:
        return float((sum(p * q for p, q in zip(a, b, strict=True)) / len(a) + 1) ** 3)

    n, m = len(x), len(y)
    xx = sum(k(x[i], x[j]) for i in range(n) for j in range(n) if i != j) / (n * (n - 1))
    yy = sum(k(y[i], y[j]) for i in range(m) for j in range(m) if i != j) / (m * (m - 1))
    return xx + yy - 2 * sum(k(a, b) for a in x for b in y) / (n * m)


def test_kernel_distance_equals_a_plain_implementation() -> None:
    x, y = points(11, 1), points(7, 2, 0.4)
    found = kernel_distance(x, y)
    assert found.value == pytest.approx(plain_kernel_distance(x, y))
    alone = [float((a @ a / 6 + 1) ** 3) for a in x]
    others = [float((a @ b / 6 + 1) ** 3) for i, a in enumerate(x) for j, b in enumerate(x) if i != j]
    assert found.spread == pytest.approx(np.mean(alone) - np.mean(others))


def test_kernel_distance_is_unbiased() -> None:
    values = np.array([kernel_distance(points(40, s), points(25, s + 1000)).value for s in range(200)])
    assert abs(values.mean()) <= 3 * values.std(ddof=1) / math.sqrt(len(values))
    assert 0.3 < (values < 0).mean() < 0.7


def test_the_interval_of_the_kernel_distance_holds_the_true_one() -> None:
    truth = kernel_distance(points(1200, 1, features=3), points(1199, 2, 0.5, 3)).value
    held = [
        found.low <= truth <= found.high
        for s in range(100)
        for found in [kernel_distance(points(60, s, features=3), points(61, s + 500, 0.5, 3))]
    ]
    assert 0.88 <= np.mean(held) <= 1.0


def test_kernel_distance_of_few_points() -> None:
    with pytest.raises(InputError, match="at least two"):
        kernel_distance(points(1, 0), points(5, 0))
    assert math.isnan(kernel_distance(points(3, 0), points(5, 0)).low)


def test_copy_test_equals_mann_whitney() -> None:
    from scipy.stats import mannwhitneyu, norm

    g = rng(3, "copy")
    held_out, samples = g.integers(0, 30, 40) / 10, g.integers(0, 20, 33) / 10  # with ties
    p = mannwhitneyu(samples, held_out, alternative="less", use_continuity=False, method="asymptotic").pvalue
    assert copy_test(held_out, samples) == pytest.approx(norm.ppf(p))
    assert copy_test(held_out, samples) < -3


def test_copy_test_is_centred_and_has_a_spread_of_one() -> None:
    values = [copy_test(rng(s, "a").random(50), rng(s, "b").random(30)) for s in range(400)]
    assert abs(np.mean(values)) < 0.2
    assert np.std(values) == pytest.approx(1, abs=0.1)


def test_copy_test_of_nothing() -> None:
    some, none = np.array([1.0, 2.0]), np.zeros(0)
    assert math.isnan(copy_test(none, some))
    assert math.isnan(copy_test(some, none))
    assert copy_test(np.ones(4), np.ones(3)) == 0
    assert math.isnan(copy_test_of_cells([(some, none)]))
    assert copy_test_of_cells([(some, none), (some + 9, some)]) == copy_test(some + 9, some)


def test_accuracy_score_names_the_cell_that_was_not_learnt() -> None:
    names = tuple(f"made.{place}" for place in range(6))
    labels = [label for label in "abc" for _ in range(40)]
    real = Features(names, np.concatenate([points(40, s, 3.0 * s) for s in range(3)]).astype(np.float32))
    noise = np.concatenate([points(40, 5, 0.0), points(40, 6, 3.0), points(40, 7, 50.0)])
    samples = Features(names, noise.astype(np.float32))
    forward = accuracy_score(samples, labels, real, labels).by_label
    backward = reverse_accuracy_score(samples, labels, real, labels).by_label
    assert forward["a"] is not None
    assert forward["a"] > 0.9
    assert forward["c"] == 0
    assert backward["b"] is not None
    assert backward["b"] > 0.9
