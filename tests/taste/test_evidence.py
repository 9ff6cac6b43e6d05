"""Figures, gates, limits and verdicts."""

from __future__ import annotations

import math
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.taste.evidence import (
    FAIL,
    PASS,
    TOO_FEW,
    WARN,
    CellVerdict,
    Evidence,
    Figure,
    Finding,
    Gate,
    Level,
    Limit,
    Limits,
    level_of,
)

LIMITS = Limits(10, (Limit(100, 0.2, 0.4),))


def judged(
    value: float, bad: Literal["high", "low"] = "high", n: int = 50, limits: Limits | None = LIMITS
) -> Finding | None:
    return Gate("g", "s", "f", bad, "stray").judge(Evidence(n, {"f": Figure(value)}), limits)


@pytest.mark.parametrize(("value", "level"), [(0.2, PASS), (0.21, WARN), (0.4, WARN), (0.41, FAIL)])
def test_a_gate_warns_then_fails(value: float, level: Level) -> None:
    found = judged(value)
    assert found is not None
    assert found.level == level
    assert found.limit == (0.4 if level == FAIL else 0.2)


def test_a_low_figure_may_be_the_bad_one() -> None:
    limits = Limits(10, (Limit(100, 0.4, 0.2),))
    found = [judged(value, "low", limits=limits) for value in (0.5, 0.3, 0.1)]
    assert [one.level for one in found if one] == [PASS, WARN, FAIL]
    assert found[2] is not None
    assert found[2].reason == "stray: 0.10, below 0.20"


def test_too_few_says_how_many_more() -> None:
    found = judged(0.9, n=7)
    assert found is not None
    assert (found.level, found.more) == (TOO_FEW, 3)
    assert "3 more sprites are needed" in found.reason


def test_no_figure_no_limits_and_no_number_say_nothing() -> None:
    assert judged(0.9, limits=None) is None
    assert judged(math.nan) is None
    assert Gate("g", "s", "other", "high", "w").judge(Evidence(50, {"f": Figure(1.0)}), LIMITS) is None


def test_no_sprites_at_all_are_too_few_for_every_gate() -> None:
    found = Gate("g", "s", "f", "high", "w").judge(Evidence(0, {}), LIMITS)
    assert found is not None
    assert (found.level, found.more) == (TOO_FEW, 10)


def test_a_gate_may_only_warn() -> None:
    found = judged(0.9, limits=Limits(1, (Limit(100, 0.2, None),)))
    assert found is not None
    assert found.level == WARN


@given(st.integers(1, 10_000))
def test_limits_lie_between_those_of_the_sizes_around(n: int) -> None:
    limits = Limits(1, (Limit(10, None, 0.9), Limit(100, None, 0.5), Limit(1000, None, 0.3)))
    warn, fail = limits.of(n)
    assert warn is None
    assert fail is not None
    assert 0.3 <= fail <= 0.9
    if n <= 10 or n in (100, 1000):
        assert fail == {100: 0.5, 1000: 0.3}.get(n, 0.9)


def test_the_worst_finding_decides_and_more_is_the_most() -> None:
    def finding(level: Level, more: int = 0) -> Finding:
        return Finding("g", "s", level, 0.0, None, f"{level} {more}", more)

    assert level_of([finding(PASS), finding(TOO_FEW, 4), finding(WARN)]) == WARN
    assert level_of([finding(WARN), finding(FAIL)]) == FAIL
    assert level_of([finding(PASS), finding(TOO_FEW, 4)]) == TOO_FEW
    verdict = CellVerdict("c", 9, "fail", FAIL, [finding(TOO_FEW, 4), finding(FAIL), finding(TOO_FEW, 9)], {})
    assert verdict.more == 9
    assert verdict.reasons == ["fail 0", "too few to tell 4", "too few to tell 9"]


def test_documents_hold_no_nan() -> None:
    assert Figure(math.nan).document() == {"value": None, "low": None, "high": None}
    assert Finding("g", "s", TOO_FEW, math.nan, None, "r", 1).document()["value"] is None


def test_no_limit_reaches_into_a_size_that_has_none() -> None:
    limits = Limits(5, [Limit(10, 1.0, None), Limit(100, 2.0, 4.0), Limit(1000, 3.0, 5.0)])
    assert limits.of(5) == (1.0, None)
    assert limits.of(10) == (1.0, None)
    assert limits.of(99)[1] is None
    assert limits.of(100) == (2.0, 4.0)
    assert limits.of(5000) == (3.0, 5.0)
    assert Limits(5, []).of(7) == (None, None)
