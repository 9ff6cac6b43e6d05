from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from pixelreef.tune.deck import Deck, looked_at
from pixelreef.tune.recipe import Recipe
from pixelreef.tune.standing import rate_at
from pixelreef.tune.tokenised import Tokenised


def pairs(count: int, encoding: str = "rows") -> list[Tokenised]:
    return [Tokenised(np.array([number, 0]), 1, encoding) for number in range(count)]


def names(found: list[Tokenised]) -> list[int]:
    return [int(one.ids[0]) for one in found]


def test_every_pair_comes_once_an_epoch_in_another_order() -> None:
    deck = Deck(pairs(10), Recipe.of(None, batch=4, at_once=2, epochs=2))
    assert deck.steps == 5
    seen = [name for step in range(5) for name in names(deck.batch(step))]
    assert sorted(seen[:10]) == sorted(seen[10:]) == list(range(10))
    assert seen[:10] != seen[10:]
    assert names(Deck(pairs(10), Recipe.of(None, batch=4, at_once=2)).batch(3)) == seen[12:16]  # from the step alone


@pytest.mark.parametrize("world", [1, 2, 4])
def test_processes_share_the_parts_of_a_batch(world: int) -> None:
    deck = Deck(pairs(10), Recipe.of(None, batch=8, at_once=2))
    parts = [part for rank in range(world) for part in deck.parts(3, rank, world)]
    assert sorted(seed for seed, _ in parts) == sorted(seed for seed, _ in deck.parts(3, 0, 1))
    assert Counter(name for _, part in parts for name in names(part)) == Counter(names(deck.batch(3)))


def test_what_is_looked_at_is_some_of_each_encoding() -> None:
    found = looked_at([*pairs(9), *pairs(2, "runs")], Recipe.of(None, looked=3))
    assert Counter(one.encoding for one in found) == {"rows": 3, "runs": 2}
    assert names(found) == names(looked_at([*pairs(9), *pairs(2, "runs")], Recipe.of(None, looked=3)))


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(step, 100, 0.05) for step in range(100)]
    assert rates[4] == 1.0
    assert rates[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert all(one >= two for one, two in pairwise(rates[5:]))
    assert 0 < rates[-1] < 0.001
