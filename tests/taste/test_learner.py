"""The learner that counts: against plain dictionaries, and as a distribution that can be drawn from."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.taste.contexts import REACH, SHAPES, Shape, framed
from pixelreef.taste.learner import Counts, learn, marginal_bits

Cells = NDArray[np.uint8]
COLOURS = 4


def sprites(count: int = 12) -> Cells:
    """Stripes with a little noise: something to learn, and something not."""
    random = rng(0, "stripes")
    stripes = (np.arange(6)[:, None] + np.zeros((1, 5))) // 2 % 3
    noise = random.integers(0, COLOURS, (count, 6, 5))
    return np.where(random.random((count, 6, 5)) < 0.2, noise, stripes).astype(np.uint8)


def context(cells: Cells, shape: Shape, y: int, x: int) -> tuple[object, ...]:
    height, width = cells.shape
    field = (y * shape.fields // height, x * shape.fields // width)
    near = [(y - up, x - left) for up, left in shape.neighbours]
    return (field, *(int(cells[v, u]) if v >= 0 and 0 <= u < width else None for v, u in near))


def plain_bits(fitted: Cells, tried: Cells) -> float:
    """Witten and Bell's rule with dictionaries, one sprite tried."""
    tables = []
    for shape in SHAPES:
        table: defaultdict[tuple[object, ...], Counter[int]] = defaultdict(Counter)
        for one in fitted:
            for y, x in np.ndindex(one.shape):
                table[context(one, shape, y, x)][int(one[y, x])] += 1
        tables.append(table)
    cost = 0.0
    for y, x in np.ndindex(tried.shape):
        likely = 1 / COLOURS
        for shape, table in zip(SHAPES, tables, strict=True):
            if counts := table.get(context(tried, shape, y, x)):
                n, kinds = sum(counts.values()), len(counts)
                likely = (counts[int(tried[y, x])] + kinds * likely) / (n + kinds)
        cost -= math.log2(likely)
    return cost / tried.size


def test_bits_equal_plain_dictionaries_for_seen_and_unseen() -> None:
    cells = sprites()
    fitted = np.arange(len(cells)) < 8
    bits = Counts(cells, COLOURS).bits(fitted)
    for number in (0, 7, 8, 11):
        assert bits[number] == pytest.approx(plain_bits(cells[:8], cells[number]))


def test_what_draws_is_what_counts() -> None:
    cells = sprites()
    fitted = np.arange(len(cells)) < 8
    learner, frames = learn(cells[:8], COLOURS), framed(cells[8:], COLOURS)
    cost = np.zeros(4)
    for y, x in np.ndindex(6, 5):
        likely = learner.likely(frames, y, x)
        assert likely.sum(axis=1) == pytest.approx(1)
        cost -= np.log2(likely[np.arange(4), frames[:, y + REACH, x + REACH].astype(int)])
    assert cost / 30 == pytest.approx(Counts(cells, COLOURS).bits(fitted)[8:])


def test_drawing_keeps_to_what_was_counted() -> None:
    learner = learn(sprites(200), COLOURS)
    drawn = learner.sample(300, seed=3)
    assert drawn.shape == (300, 6, 5)
    assert np.array_equal(drawn, learner.sample(300, seed=3))
    assert not np.array_equal(drawn, learner.sample(300, seed=4))
    counted = np.bincount(sprites(200).ravel(), minlength=COLOURS) / (200 * 30)
    assert np.bincount(drawn.ravel(), minlength=COLOURS) / drawn.size == pytest.approx(counted, abs=0.05)


def test_noise_saves_nothing_and_one_sprite_costs_next_to_nothing() -> None:
    noise = rng(0, "n").integers(0, COLOURS, (40, 8, 8)).astype(np.uint8)
    fitted = np.arange(40) < 20
    assert Counts(noise, COLOURS).bits(fitted)[20:].mean() > marginal_bits(noise, COLOURS, fitted)[20:].mean()
    same = np.repeat(noise[:1], 40, axis=0)
    assert Counts(same, COLOURS).bits(fitted).max() < 0.4


def test_marginal_bits_by_hand() -> None:
    cells = np.array([[[0, 0, 0]], [[1, 0, 0]]], np.uint8)
    found = marginal_bits(cells, 2, np.array([True, False]))  # 3.5 of 4 are 0, half of one is 1
    assert found.tolist() == pytest.approx([-math.log2(3.5 / 4), (-2 * math.log2(3.5 / 4) - math.log2(0.5 / 4)) / 3])
