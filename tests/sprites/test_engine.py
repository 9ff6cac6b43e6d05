"""The engine against torch, against itself one by one, and against what it promises about given pixels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from sprite_models import TWO, arrays, perturbed, small_config, task

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Engine, Grids, Likelihood
from pixelreef.sprites.given import random_given
from pixelreef.sprites.network import Batch, Reef
from pixelreef.sprites.plan import Bits, Plan, plan_from_given
from pixelreef.sprites.twin import Twin

SHAPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "wide": {"height": 8, "width": 24},
    "no factors": {"factors": {}},
    "one factor": {"factors": {"kind": ("a", "b")}},
    "ramps": {"ramps": ((0, 0), *((1 + place // 4, place % 4) for place in range(8)))},
    "another ground": {"ground": 5},
    "small patches": {"patch": 2, "window": 3},
    "large patches, wide window": {"patch": 8, "window": 15},
}
RULES = {
    "plain": Sampling(),
    "guided": Sampling(guidance=2.5),
    "cool": Sampling(temperature=0.6, top_k=4, min_p=0.05),
    "certain": Sampling(certainty=0.7, guidance=1.5),
    "likeliest": Sampling(temperature=0),
}
shapes = pytest.mark.parametrize("shape", SHAPES)
shapes_and_rules = pytest.mark.parametrize(
    ("shape", "rule"),
    [*((shape, "guided") for shape in SHAPES), *(("plain", rule) for rule in RULES if rule != "guided")],
)


def masks(config: Config, count: int, seed: int = 0) -> list[Bits]:
    random = rng(seed, "masks")
    grid = random.integers(0, config.colours, (config.height, config.width)) * (random.random((config.height, 1)) < 0.6)
    return [random_given(random, grid, config) for _ in range(count)]


def some_grids(config: Config, count: int, seed: int = 0) -> Grids:
    """About half of the patches empty."""
    random = rng(seed, "grids")
    full = random.integers(0, config.colours, (count, config.height, config.width))
    busy = random.random((count, config.rows, config.columns)) < 0.5
    return np.where(busy.repeat(config.patch, 1).repeat(config.patch, 2), full, config.ground).astype(np.uint8)


def torch_likelihood(reef: Reef, grids: Grids, factors: Any, plan: Plan, given: Bits) -> Likelihood:
    count = len(grids)
    batch = Batch(
        torch.from_numpy(grids.astype(np.int64)),
        torch.from_numpy(factors),
        torch.tensor(plan.order).expand(count, -1),
        torch.from_numpy(given).expand(count, -1, -1),
        torch.tensor(plan.shown, dtype=torch.long).expand(count, -1),
    )
    with torch.inference_mode():
        found = reef(batch)
    return Likelihood(found.flags.numpy(), found.pixels.numpy())


@shapes
def test_log_probabilities_are_those_of_torch(shape: str) -> None:
    config = small_config(**SHAPES[shape])
    reef = perturbed(config)
    engine, asked, grids = Engine(config, arrays(reef)), task(config, 6), some_grids(config, 6)
    for given in [np.zeros((config.height, config.width), np.bool_), *masks(config, 8)]:
        plan = plan_from_given(given, config)
        ours = engine.likelihood(grids, asked.factors, given)
        theirs = torch_likelihood(reef, grids, asked.factors, plan, given)
        np.testing.assert_allclose(ours.flags, theirs.flags, atol=1e-4)
        np.testing.assert_allclose(ours.pixels, theirs.pixels, atol=1e-4)
        assert (ours.pixels[:, given] == 0).all()
        assert (ours.total < 0).all() or given.all()


def test_any_order_of_patches_has_its_own_probability() -> None:
    config = small_config()
    reef = perturbed(config)
    engine, asked, grids = Engine(config, arrays(reef)), task(config, 4), some_grids(config, 4)
    nothing = np.zeros((16, 16), np.bool_)
    totals = []
    for seed in range(4):
        plan = Plan(tuple(rng(seed, "order").permutation(config.patches).tolist()))
        ours = engine.likelihood(grids, asked.factors, plan=plan)
        theirs = torch_likelihood(reef, grids, asked.factors, plan, nothing)
        np.testing.assert_allclose(ours.flags, theirs.flags, atol=1e-4)
        np.testing.assert_allclose(ours.pixels, theirs.pixels, atol=1e-4)
        totals.append(ours.total)
    assert np.ptp(totals, axis=0).min() > 0.01


def test_a_plan_need_not_begin_with_what_is_given() -> None:
    config = small_config()
    reef = perturbed(config)
    engine, asked, grids = Engine(config, arrays(reef)), task(config, 3), some_grids(config, 3)
    given = np.zeros((16, 16), np.bool_)
    given[4:8, 4:12] = given[9, 9] = True
    plan = Plan(tuple(range(config.patches)), (10,))
    ours = engine.likelihood(grids, asked.factors, given, plan)
    theirs = torch_likelihood(reef, grids, asked.factors, plan, given)
    np.testing.assert_allclose(ours.flags, theirs.flags, atol=1e-4)
    np.testing.assert_allclose(ours.pixels, theirs.pixels, atol=1e-4)


def test_probabilities_of_all_pictures_add_up_to_one() -> None:
    """Four pixels of two colours in one patch: every picture can be asked for."""
    config = small_config(height=2, width=2, patch=2, colours=2, window=3)
    engine = Engine(config, arrays(perturbed(config)))
    every = np.array([[number >> place & 1 for place in range(4)] for number in range(16)], np.uint8).reshape(16, 2, 2)
    factors = np.zeros((16, 2), np.intp)
    assert np.exp(engine.likelihood(every, factors).total).sum() == pytest.approx(1, abs=1e-5)
    given = np.array([[False, True], [False, False]])
    for colour in (0, 1):
        some = every[every[:, 0, 1] == colour]
        found = engine.likelihood(some, factors[: len(some)], given)
        assert np.exp(found.total).sum() == pytest.approx(1, abs=1e-5)
    filled = np.zeros((16, 2, 2), np.bool_)
    filled[:, 1, 0] = True
    some = every[:, 1, 0] == 1
    found = engine.likelihood(every[some], factors[some], filled=filled[some])
    assert np.exp(found.total).sum() == pytest.approx(1, abs=1e-5)


@shapes_and_rules
def test_the_likelihood_told_is_the_sum_of_the_steps(shape: str, rule: str) -> None:
    config = small_config(**SHAPES[shape])
    engine, asked = Engine(config, arrays(perturbed(config)), threads=1), task(config, 5)
    for given in (None, masks(config, 1)[0]):
        part = replace(asked, grids=some_grids(config, 5), given=given)
        (drawn,) = engine.finished(part, RULES[rule])
        np.testing.assert_allclose(
            drawn.likelihood, engine.likelihood(drawn.grids, asked.factors, given).total, atol=1e-3, rtol=1e-5
        )


@shapes_and_rules
def test_one_by_one_and_through_torch_the_sprites_are_the_same(shape: str, rule: str) -> None:
    config = small_config(**SHAPES[shape])
    reef = perturbed(config)
    engine, asked = Engine(config, arrays(reef), threads=1), task(config, 8)
    for given in (None, masks(config, 3)[2]):
        part = replace(asked, grids=some_grids(config, 8), given=given)
        together = engine.draw(part, RULES[rule])
        alone = np.concatenate([engine.draw(part.part(slice(row, row + 1)), RULES[rule]) for row in range(8)])
        twin = Twin(reef).draw(part, RULES[rule]).grids
        assert len(np.unique(together, axis=0)) > 1 or rule == "likeliest"
        assert same(together, alone) >= 7
        assert same(together, twin) >= 7


def same(some: Grids, others: Grids) -> int:
    return int((some == others).all(axis=(1, 2)).sum())


@pytest.mark.parametrize("rule", ["plain", "guided"])
def test_cached_and_uncached_are_the_same(rule: str) -> None:
    config = small_config(height=8, width=12)
    reef = perturbed(config)
    engine = Engine(config, arrays(reef), threads=1)
    for given in (None, *masks(config, 3)):
        part = task(config, 4, grids=some_grids(config, 4), given=given)
        one, other = (Twin(reef).draw(part, RULES[rule], cached=cached) for cached in (True, False))
        (ours,) = engine.finished(part, RULES[rule])
        assert same(one.grids, other.grids) == same(one.grids, ours.grids) == 4
        np.testing.assert_allclose(one.likelihood, other.likelihood, atol=1e-3)
        np.testing.assert_allclose(one.likelihood, ours.likelihood, atol=1e-3)


def completed(count: int) -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)), threads=1)
    for number, given in enumerate(masks(config, count)):
        part = task(config, 4, first=4 * number, grids=some_grids(config, 4, number), given=given)
        drawn = engine.draw(part)
        assert part.grids is not None
        assert (drawn[:, given] == part.grids[:, given]).all()
        assert drawn.max() < config.colours


def test_completing_never_changes_a_given_pixel() -> None:
    completed(60)


@pytest.mark.slow
def test_completing_never_changes_a_given_pixel_in_ten_thousand_masks() -> None:
    completed(10_000)


@pytest.mark.slow
def test_of_a_thousand_seeds_990_are_the_same_alone_in_a_batch_and_in_torch() -> None:
    config = Config(factors=TWO)
    reef = perturbed(config)
    engine = Engine(config, arrays(reef), threads=1)
    alone = batched = 0
    for start in range(0, 1000, 50):
        part = task(config, 50, first=start)
        twin = Twin(reef).draw(part).grids
        together = engine.draw(task(config, 64, first=start))[:50]
        single = np.concatenate([engine.draw(part.part(slice(row, row + 1))) for row in range(50)])
        alone += same(together, single)
        batched += same(together, twin)
    assert alone >= 990
    assert batched >= 990


@pytest.mark.parametrize(("y", "x", "what"), [(3, 3, "later in its patch"), (14, 13, "in a later patch")])
def test_a_given_pixel_counts_wherever_it_lies(y: int, x: int, what: str) -> None:
    """The first pixel of all: its distribution changes with what is given behind it."""
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)))
    given = np.zeros((16, 16), np.bool_)
    given[y, x] = True
    grids = np.zeros((2 * config.colours, 16, 16), np.uint8)
    grids[:, 1, 1] = 1  # so that the first patch is not empty
    grids[:, 0, 0] = np.tile(np.arange(config.colours), 2)
    grids[: config.colours, y, x], grids[config.colours :, y, x] = 3, 7
    found = engine.likelihood(grids, np.zeros((len(grids), 2), np.intp), given).pixels[:, 0, 0]
    one, other = np.exp(found.reshape(2, -1))
    assert one.sum() == pytest.approx(1, abs=1e-5)
    assert np.abs(one - other).max() > 1e-3, what


def test_a_silhouette_stays_as_it_is() -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)), threads=1)
    y, x = np.mgrid[:16, :16]
    body = (y - 8) ** 2 + (x - 7) ** 2 < 30
    filled = np.broadcast_to(body, (6, 16, 16)).copy()
    part = task(config, 6, grids=np.zeros((6, 16, 16), np.uint8), given=~body, filled=filled)
    for rule in RULES.values():
        (drawn,) = engine.finished(part, rule)
        assert ((drawn.grids != config.ground) == body).all()
        alone = np.concatenate([engine.draw(part.part(slice(row, row + 1)), rule) for row in range(6)])
        assert same(drawn.grids, alone) >= 5
        found = engine.likelihood(drawn.grids, part.factors, ~body, filled=filled)
        np.testing.assert_allclose(drawn.likelihood, found.total, atol=1e-3)


def test_sprites_come_as_they_finish_and_threads_change_nothing() -> None:
    config = small_config()
    model = arrays(perturbed(config))
    asked = task(config, 150)
    one, two = Engine(config, model, threads=1), Engine(config, model, threads=2)
    chunks = list(one.finished(asked, RULES["guided"]))
    assert [(chunk.start, len(chunk.grids)) for chunk in chunks] == [(0, 64), (64, 64), (128, 22)]
    grids = np.concatenate([chunk.grids for chunk in two.finished(asked, RULES["guided"])])
    assert same(grids, np.concatenate([chunk.grids for chunk in chunks])) >= 148
    first = next(two.finished(asked))  # the rest is given up
    assert first.start == 0


def test_memory_is_bounded_by_drawing_fewer_at_once() -> None:
    config = small_config(height=64, width=64, patch=1, window=3)
    engine = Engine(config, arrays(perturbed(config)), threads=2)
    assert engine.chunk(1000, plan_from_given(np.zeros((64, 64), np.bool_), config), Sampling(guidance=2)) < 64


def test_nothing_to_draw_is_no_fault() -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)))
    assert engine.draw(task(config, 0)).shape == (0, 16, 16)
    whole = some_grids(config, 5)
    given = np.ones((16, 16), np.bool_)
    (drawn,) = Engine(config, arrays(perturbed(config)), threads=1).finished(task(config, 5, grids=whole, given=given))
    assert same(drawn.grids, whole) == 5
    assert drawn.likelihood.tolist() == [0] * 5
    assert engine.likelihood(whole, task(config, 5).factors, given).total.tolist() == [0] * 5


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"given": np.ones((16, 8), np.bool_)}, "given to draw with must have the shape"),
        ({"given": np.ones((16, 16), np.bool_)}, "must hold the colours of the given pixels"),
        ({"given": np.ones((16, 16), np.bool_), "grids": np.full((2, 16, 16), 9, np.uint8)}, "be colours from 0 to 8"),
        ({"factors": np.full((2, 2), 4)}, "factor category must be a place from 0 to 2"),
    ],
)
def test_what_does_not_fit_is_said(wrong: dict[str, Any], message: str) -> None:
    config = small_config()
    with pytest.raises(InputError, match=message):
        Engine(config, arrays(perturbed(config))).draw(replace(task(config, 2), **wrong))


def test_weights_beyond_all_bounds_are_refused() -> None:
    config = small_config()
    huge = {name: np.full_like(value, 6e4) for name, value in arrays(perturbed(config)).items()}
    with pytest.raises(InputError, match="weights must give every sprite a probability"):
        Engine(config, huge, threads=1).draw(task(config, 2))
