"""Holm's correction, by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.metrics.holm import holm


def test_by_hand() -> None:
    # Ordered: 0.005 · 4 = 0.02, 0.01 · 3 = 0.03, 0.03 · 2 = 0.06, 0.04 · 1 = 0.04, raised to 0.06.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_missing_tests_do_not_count() -> None:
    assert holm([None, 0.04, None]) == [None, 0.04, None]
    assert holm([]) == []
    assert holm([None]) == [None]


def test_never_above_one() -> None:
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_between_the_value_and_bonferroni_and_in_order(values: list[float]) -> None:
    found = holm(values)
    for value, corrected in zip(values, found, strict=True):
        assert corrected is not None
        assert value <= corrected <= min(1.0, value * len(values)) or corrected == pytest.approx(
            max(min(1.0, (len(values) - sorted(values).index(one)) * one) for one in values if one <= value)
        )
    pairs = sorted(zip(values, found, strict=True))
    assert all(a[1] <= b[1] for a, b in itertools.pairwise(pairs) if a[1] is not None and b[1] is not None)
