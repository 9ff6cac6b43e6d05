"""Choosing: by hand, by counting, one like many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from sprite_models import small_config

from pixelreef.errors import InputError
from pixelreef.sprites.choose import Sampling, chosen, chosen_one, log_shares, uniforms

LOGITS = np.log(np.array([0.1, 0.4, 0.2, 0.3], np.float32))


def shares(sampling: Sampling) -> list[float]:
    """How often each is chosen by evenly spread uniforms."""
    even = (np.arange(4000) + 0.5) / 4000
    found = chosen(np.tile(LOGITS, (4000, 1)), even, sampling)
    return [round(float((found == place).mean()), 3) for place in range(4)]


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        (Sampling(), [0.1, 0.4, 0.2, 0.3]),
        (Sampling(temperature=0), [0, 1, 0, 0]),
        (Sampling(temperature=0.5), [0.033, 0.533, 0.133, 0.3]),  # squares 1, 16, 4, 9 of 30
        (Sampling(top_k=2), [0, 0.571, 0, 0.429]),
        (Sampling(top_k=4), [0.1, 0.4, 0.2, 0.3]),
        (Sampling(min_p=0.6), [0, 0.571, 0, 0.429]),
        (Sampling(min_p=1), [0, 1, 0, 0]),
    ],
)
def test_shares_by_hand(sampling: Sampling, expected: list[float]) -> None:
    assert shares(sampling) == pytest.approx(expected, abs=0.002)


def test_certainty_cools_what_is_open_and_leaves_what_is_sure() -> None:
    """Even odds over all have the whole entropy: T · (1 − certainty); a sure choice has none: T."""
    sure = np.array([[9.0, 0, 0, 0]], np.float32)
    even = np.full(2000, 0.0)
    even[:] = (np.arange(2000) + 0.5) / 2000
    near = np.tile(np.array([0.2, 0, 0, 0], np.float32), (2000, 1))
    calm = (chosen(near, even, Sampling(certainty=0.9)) == 0).mean()
    odds = np.exp(0.2 / 0.1)  # entropy of nearly even odds is nearly log 4
    assert calm == pytest.approx(odds / (odds + 3), abs=0.03)
    plain, certain = (chosen(sure, np.array([0.9996]), Sampling(certainty=one))[0] for one in (0.0, 0.5))
    assert plain == certain


@given(
    some.lists(some.floats(-30, 30, width=32), min_size=2, max_size=12),
    some.floats(0, 1, exclude_max=True),
    some.sampled_from([Sampling(), Sampling(temperature=0.7), Sampling(top_k=3, min_p=0.1), Sampling(certainty=0.5)]),
)
def test_one_is_chosen_as_among_many(logits: list[float], uniform: float, sampling: Sampling) -> None:
    row = np.array(logits, np.float32)
    assert chosen_one(row, uniform, sampling) == chosen(row[None], np.array([uniform]), sampling)[0]


def test_logarithms_of_shares() -> None:
    np.testing.assert_allclose(log_shares(LOGITS[None] + 5, np.array([2])), [np.log(0.2)], atol=1e-6)


def test_uniforms_belong_to_seed_cell_and_number() -> None:
    config = small_config()
    shapes, colours = uniforms(3, np.array([5, 9]), config, "a")
    assert (shapes.shape, colours.shape) == ((2, 16, 5), (2, 16, 16))
    for seed, number, cell, same in ((3, 9, "a", True), (4, 9, "a", False), (3, 8, "a", False), (3, 9, "b", False)):
        one, pixels = uniforms(seed, np.array([number]), config, cell)
        assert bool((one[0] == shapes[1]).all() and (pixels[0] == colours[1]).all()) is same


@pytest.mark.parametrize(
    "wrong", [{"temperature": -1}, {"temperature": float("nan")}, {"top_k": 999}, {"min_p": 2}, {"guidance": 99}]
)
def test_settings_have_bounds(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=f"--{next(iter(wrong)).replace('_', '-')} must be from"):
        Sampling(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("temperature", [0.0, 5e-324, 1e-50, 1e-9, 1e-6, 1e-4])
def test_next_to_no_temperature_takes_the_likeliest(temperature: float) -> None:
    logits = np.array([[0.0, 3.0, 1.0], [-1e9, -2.0, -1.0]], np.float32)
    for certainty in (0.0, 1.0):
        rule = Sampling(temperature=temperature, certainty=certainty)
        assert chosen(logits, np.array([0.01, 0.99]), rule).tolist() == [1, 2]
