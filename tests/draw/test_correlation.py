"""Coefficients against numpy and scipy, and the cases in which there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap, norm, t

from pixelreef.draw.correlation import correlations
from pixelreef.draw.theirs import COEFFICIENTS, METRICS, coefficient


def table(rows: int, clusters: int, seed: int = 0) -> tuple[dict[str, list[float | None]], list[int]]:
    random = np.random.default_rng(seed)
    keys = random.integers(0, clusters, rows)
    shared = random.normal(size=clusters)[keys]
    x = shared + random.normal(size=rows)
    y = 0.5 * x + shared + random.normal(size=rows)
    z = 1e9 * random.random(rows) ** 8
    return {"x": x.tolist(), "y": y.tolist(), "z": z.tolist()}, keys.tolist()


def test_equals_numpy() -> None:
    columns, keys = table(200, 12)
    theirs = np.corrcoef([np.array(columns[name], float) for name in "xyz"])
    for one in correlations(columns, keys):
        assert one.value == pytest.approx(theirs["xyz".index(one.first), "xyz".index(one.second)], abs=1e-12)
        assert one.low is not None
        assert one.high is not None
        assert one.value is not None
        assert -1 <= one.low < one.value < one.high <= 1
        assert (one.n, one.clusters) == (200, 12)


def test_rows_that_lack_one_of_the_two_are_left_out() -> None:
    columns, keys = table(60, 10)
    columns["x"][3] = None
    columns["y"][7] = float("nan")
    used = [row for row in range(60) if row not in (3, 7)]
    found = correlations(columns, keys)[0]
    x, y = ([columns[name][row] for row in used] for name in "xy")
    assert found.value == pytest.approx(np.corrcoef(np.array(x, float), np.array(y, float))[0, 1], abs=1e-12)
    assert found.n == 58


def test_interval_is_that_of_a_bootstrap_over_clusters() -> None:
    columns, keys = table(150, 15)
    found = correlations({name: columns[name] for name in "xy"}, keys, resamples=20_000)[0]
    x, y = (np.array(columns[name], float) for name in "xy")
    sums: Any = [np.bincount(keys, part) for part in (np.ones(150), x, y, x * x, y * y, x * y)]

    def pearson(*parts: Any, axis: int = -1) -> Any:
        m, a, b, aa, bb, ab = (np.sum(part, axis=axis) for part in parts)
        return (ab / m - a * b / m**2) / np.sqrt((aa / m - (a / m) ** 2) * (bb / m - (b / m) ** 2))

    level = 1 - 2 * float(norm.sf(t.ppf(0.975, 14) * np.sqrt(15 / 14)))
    theirs = bootstrap(
        sums, pearson, paired=True, n_resamples=20_000, method="percentile", confidence_level=level, rng=1
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_what_does_not_vary_has_none() -> None:
    found = correlations({"a": [0.1] * 8, "b": [1, 2, 3, 4, 5, 6, 7, 8.0]}, list(range(8)))[0]
    assert (found.value, found.low, found.high) == (None, None, None)


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_too_few_rows(rows: int) -> None:
    found = correlations({"a": [1.0, 2.0][:rows], "b": [3.0, 5.0][:rows]}, ["s", "t"][:rows])[0]
    assert (found.value, found.low, found.high, found.n) == (None, None, None, rows)


def test_too_few_subjects_give_no_interval() -> None:
    columns, _ = table(40, 4)
    found = correlations(columns, [row % 4 for row in range(40)])[0]
    assert found.value is not None
    assert found.low is None
    assert found.high is None


def test_a_seed_decides() -> None:
    columns, keys = table(50, 10)
    assert (
        correlations(columns, keys, seed=3)
        == correlations(columns, keys, seed=3)
        != correlations(columns, keys, seed=4)
    )


def test_the_articles_matrix_is_whole() -> None:
    pairs = {frozenset(pair) for pair in COEFFICIENTS}
    assert len(pairs) == len(COEFFICIENTS) == len(METRICS) * (len(METRICS) - 1) // 2
    assert coefficient("palette_valid", "color_efficiency") == coefficient("color_efficiency", "palette_valid") == -0.47
    assert coefficient("entropy", "entropy") is None
