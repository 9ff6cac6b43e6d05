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
from pixelreef.sprites.choose import PLAIN, Sampling
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Engine, Grids, Likelihood
from pixelreef.sprites.given import random_given
from pixelreef.sprites.network import Batch, Reef
from pixelreef.sprites.task import Codes
from pixelreef.sprites.twin import Twin

SHAPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "wide": {"height": 8, "width": 24},
    "no factors": {"factors": {}},
    "one factor": {"factors": {"kind": ("a", "b")}},
    "ramps": {"ramps": ((0, 0), *((1 + place // 4, place % 4) for place in range(8)))},
    "another ground": {"ground": 5},
    "small patches": {"patch": 2, "window": 3},
    "single pixels": {"height": 5, "width": 7, "patch": 1, "window": 3},
    "odd patches": {"height": 9, "width": 6, "patch": 3},
    "large patches, wide window": {"patch": 8, "window": 15},
}
RULES = {
    "plain": PLAIN,
    "usual": Sampling(),
    "steady": Sampling(temperature=0.9, guidance=1, steadiness=0.5),
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


def some_known(grids: Grids, config: Config, seed: int = 0) -> Codes:
    """Of each picture another part: colours, and of some pixels that they are filled."""
    random = rng(seed, "known")
    known = np.full(grids.shape, config.unknown)
    for codes, grid in zip(known, grids, strict=True):
        given = random_given(random, config)
        codes[given] = grid[given]
        filled = (random.random(grid.shape) < 0.1) & (grid != config.ground) & ~given
        codes[filled] = config.filled
    return known


def some_grids(config: Config, count: int, seed: int = 0) -> Grids:
    """About half of the patches empty."""
    random = rng(seed, "grids")
    full = random.integers(0, config.colours, (count, config.height, config.width))
    busy = random.random((count, config.rows, config.columns)) < 0.5
    return np.where(busy.repeat(config.patch, 1).repeat(config.patch, 2), full, config.ground).astype(np.uint8)


def torch_likelihood(reef: Reef, grids: Grids, factors: Any, known: Codes | None) -> Likelihood:
    shown = None if known is None else torch.from_numpy(known.astype(np.int64))
    with torch.inference_mode():
        found = reef(Batch(torch.from_numpy(grids.astype(np.int64)), torch.from_numpy(factors), shown))
    return Likelihood(found.shape.numpy(), found.pixels.numpy())


@shapes
def test_log_probabilities_are_those_of_torch(shape: str) -> None:
    config = small_config(**SHAPES[shape])
    reef = perturbed(config)
    engine, asked, grids = Engine(config, arrays(reef)), task(config, 6), some_grids(config, 6)
    for known in [None, *(some_known(grids, config, seed) for seed in range(8))]:
        ours = engine.likelihood(grids, asked.factors, known)
        theirs = torch_likelihood(reef, grids, asked.factors, known)
        np.testing.assert_allclose(ours.shape, theirs.shape, atol=1e-4)
        np.testing.assert_allclose(ours.pixels, theirs.pixels, atol=1e-4)
        assert (ours.total < 0).all()
        if known is not None:
            assert (ours.pixels[known < config.colours] == 0).all()


def test_probabilities_of_all_pictures_add_up_to_one() -> None:
    """Two patches of four pixels in three colours, of which some are known: every picture can be asked for."""
    config = small_config(height=2, width=4, patch=2, colours=3, window=3)
    engine = Engine(config, arrays(perturbed(config)))
    numbers = np.arange(3**8)[:, None] // 3 ** np.arange(8) % 3
    every = numbers.reshape(-1, 2, 4).astype(np.uint8)
    u, f = config.unknown, config.filled
    for known in (
        [[u, u, u, u], [u, u, u, u]],
        [[0, u, u, u], [u, u, 2, u]],
        [[f, u, 1, u], [u, 0, 1, u]],
        [[f, f, 0, 0], [f, f, 0, u]],
        [[0, 0, f, f], [0, u, f, u]],
    ):
        codes = np.array(known)
        fits = np.where(codes == f, every != 0, (codes == u) | (every == codes)).all(axis=(1, 2))
        some = every[fits]
        factors = np.zeros((len(some), 2), np.intp)
        found = engine.likelihood(some, factors, np.broadcast_to(codes, some.shape))
        assert np.exp(found.total).sum() == pytest.approx(1, abs=1e-5)


@shapes_and_rules
def test_the_likelihood_told_is_the_sum_of_the_steps(shape: str, rule: str) -> None:
    config = small_config(**SHAPES[shape])
    engine, asked = Engine(config, arrays(perturbed(config)), threads=1), task(config, 5)
    for known in (None, some_known(some_grids(config, 5), config)):
        (drawn,) = engine.finished(replace(asked, known=known), RULES[rule])
        found = engine.likelihood(drawn.grids, asked.factors, known).total
        np.testing.assert_allclose(drawn.likelihood, found, atol=1e-3, rtol=1e-5)


@shapes_and_rules
def test_one_by_one_and_through_torch_the_sprites_are_the_same(shape: str, rule: str) -> None:
    config = small_config(**SHAPES[shape])
    reef = perturbed(config)
    engine, asked = Engine(config, arrays(reef), threads=1), task(config, 8)
    few = np.arange(8)[:, None] % 3 != np.arange(config.colours) % 3
    for known, allowed in ((None, None), (some_known(some_grids(config, 8), config, 2), None), (None, few)):
        part = replace(asked, known=known, allowed=allowed)
        together = next(engine.finished(part, RULES[rule]))
        alone = [next(engine.finished(part.part(slice(row, row + 1)), RULES[rule])) for row in range(8)]
        twin = Twin(reef).draw(part, RULES[rule])
        assert len(np.unique(together.grids, axis=0)) > 1 or rule == "likeliest"
        assert same(together.grids, np.concatenate([one.grids for one in alone])) >= 7
        assert same(together.grids, twin.grids) >= 7
        if same(together.grids, twin.grids) == 8:
            np.testing.assert_allclose(together.likelihood, twin.likelihood, atol=1e-3, rtol=1e-5)
        likely = np.concatenate([one.likelihood for one in alone])
        assert np.isclose(likely, together.likelihood, atol=1e-3, rtol=1e-5).sum() >= 7


@pytest.mark.parametrize("rule", RULES)
def test_only_allowed_colours_are_drawn_and_the_likelihood_is_the_models(rule: str) -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)), threads=1)
    allowed = np.zeros((8, config.colours), np.bool_)
    for row, colours in enumerate(allowed):
        colours[[1 + row % 3, 5]] = True
    asked = task(config, 8, allowed=allowed)
    (drawn,) = engine.finished(asked, RULES[rule])
    for row, grid in enumerate(drawn.grids):
        assert set(np.unique(grid)) <= {config.ground, 1 + row % 3, 5}
    assert same(drawn.grids, engine.draw(replace(asked, allowed=None), RULES[rule])) < 8
    found = engine.likelihood(drawn.grids, asked.factors).total
    np.testing.assert_allclose(drawn.likelihood, found, atol=1e-3, rtol=1e-5)
    allowed[3] = np.arange(config.colours) == config.ground
    with pytest.raises(InputError, match="colours to draw with must be more than the ground alone"):
        engine.draw(asked)
    with pytest.raises(InputError, match="allowed to draw with must have the shape"):
        engine.draw(replace(asked, allowed=allowed[:, :3]))


@shapes_and_rules
def test_what_is_begun_goes_on_to_the_sprite_that_it_was_taken_from(shape: str, rule: str) -> None:
    config = small_config(**SHAPES[shape])
    engine, asked = Engine(config, arrays(perturbed(config)), threads=1), task(config, 8)
    (whole,) = engine.finished(asked, RULES[rule])
    begun = np.full(whole.grids.shape, config.unknown)
    for row, codes in enumerate(begun):
        stop = row % (config.rows + 1) * config.patch
        codes[:stop] = whole.grids[row, :stop]
    part = replace(asked, begun=begun)
    (together,) = engine.finished(part, RULES[rule])
    alone = [next(engine.finished(part.part(slice(row, row + 1)), RULES[rule])) for row in range(8)]
    assert same(together.grids, whole.grids) == 8
    assert same(together.grids, np.concatenate([one.grids for one in alone])) >= 7
    likely = np.concatenate([one.likelihood for one in alone])
    assert np.isclose(likely, together.likelihood, atol=1e-3, rtol=1e-5).sum() >= 7
    steps = engine.likelihood(together.grids, asked.factors)
    left = begun[:, :: config.patch, :: config.patch].reshape(8, -1) == config.unknown
    told = (steps.shape * left).sum(axis=1) + (steps.pixels * (begun == config.unknown)).sum(axis=(1, 2))
    np.testing.assert_allclose(together.likelihood, told, atol=1e-3, rtol=1e-4)


def test_another_beginning_is_gone_on_from_and_stays() -> None:
    config = small_config()
    engine, asked = Engine(config, arrays(perturbed(config)), threads=1), task(config, 8)
    begun = np.full((8, config.height, config.width), config.unknown)
    begun[4:, : 2 * config.patch] = some_grids(config, 4)[:, : 2 * config.patch]
    drawn = engine.draw(replace(asked, begun=begun))
    assert (drawn[4:, : 2 * config.patch] == begun[4:, : 2 * config.patch]).all()
    plain = engine.draw(asked)
    assert same(drawn[:4], plain[:4]) == 4
    assert same(drawn[4:, 2 * config.patch :], plain[4:, 2 * config.patch :]) == 0
    with pytest.raises(InputError, match="what is begun must be whole patches"):
        engine.draw(replace(asked, begun=np.roll(begun, 1, axis=1)))
    with pytest.raises(InputError, match="what is begun must be colours from 0 to"):
        engine.draw(replace(asked, begun=np.full(begun.shape, config.filled)))
    with pytest.raises(InputError, match="begun to draw with must have the shape"):
        engine.draw(replace(asked, begun=begun[:4]))
    with pytest.raises(InputError, match="be begun by itself"):
        Twin(perturbed(config)).draw(replace(asked, begun=begun))


def same(some: Grids, others: Grids) -> int:
    return int((some == others).all(axis=(1, 2)).sum())


def completed(count: int) -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)), threads=1)
    for number in range(count // 8):
        known = some_known(some_grids(config, 8, number), config, number)
        drawn = engine.draw(task(config, 8, first=8 * number, known=known))
        given = known < config.colours
        assert (drawn[given] == known[given]).all()
        assert (drawn[known == config.filled] != config.ground).all()
        assert drawn.max() < config.colours


def test_completing_never_changes_a_given_pixel() -> None:
    completed(80)


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
    """The first pixel of all: its distribution, shape and colour, changes with a colour that is given behind it."""
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)))
    grids = np.zeros((2 * config.colours, 16, 16), np.uint8)
    grids[:, 1, 1] = grids[:, 3, 3] = 1
    grids[:, 0, 0] = np.tile(np.arange(config.colours), 2)
    grids[: config.colours, y, x], grids[config.colours :, y, x] = 3, 7
    known = grids.astype(np.intp)
    known[:, 0, 0] = config.unknown
    known[:, 14, 13] = np.where(known[:, 14, 13] == 0, config.unknown, known[:, 14, 13])
    grids[:, 14, 13] = np.where(grids[:, 14, 13] == 0, 1, grids[:, 14, 13])
    found = engine.likelihood(grids, np.zeros((len(grids), 2), np.intp), known)
    one, other = (found.shape[:, 0] + found.pixels[:, 0, 0]).reshape(2, -1)
    assert np.exp(one).sum() == pytest.approx(1, abs=1e-5)
    assert np.abs(np.exp(one) - np.exp(other)).max() > 1e-3, what
    assert np.abs(found.shape[0, 0] - found.shape[config.colours, 0]) > 1e-4, what


def test_a_silhouette_stays_as_it_is() -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)), threads=1)
    y, x = np.mgrid[:16, :16]
    body = (y - 8) ** 2 + (x - 7) ** 2 < 30
    part = task(config, 6, known=np.broadcast_to(np.where(body, config.filled, config.ground), (6, 16, 16)))
    for rule in RULES.values():
        (drawn,) = engine.finished(part, rule)
        assert ((drawn.grids != config.ground) == body).all()
        alone = np.concatenate([engine.draw(part.part(slice(row, row + 1)), rule) for row in range(6)])
        assert same(drawn.grids, alone) >= 5
        found = engine.likelihood(drawn.grids, part.factors, part.known)
        assert (found.shape == 0).all()
        np.testing.assert_allclose(drawn.likelihood, found.total, atol=1e-3)


def test_what_narrows_colours_leaves_shapes() -> None:
    config = small_config()
    engine, asked = Engine(config, arrays(perturbed(config)), threads=1), task(config, 8)
    plain, narrow = (engine.draw(asked, rule) for rule in (Sampling(), Sampling(top_k=1, min_p=0.5, certainty=1)))
    assert ((plain != config.ground) == (narrow != config.ground)).all()
    assert same(plain, narrow) == 0


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
    assert engine.chunk(1000, Sampling(guidance=2)) < 64


def test_nothing_to_draw_is_no_fault() -> None:
    config = small_config()
    engine = Engine(config, arrays(perturbed(config)))
    assert engine.draw(task(config, 0)).shape == (0, 16, 16)
    whole = some_grids(config, 5)
    (drawn,) = Engine(config, arrays(perturbed(config)), threads=1).finished(task(config, 5, known=whole))
    assert same(drawn.grids, whole) == 5
    assert drawn.likelihood.tolist() == [0] * 5
    assert engine.likelihood(whole, task(config, 5).factors, whole).total.tolist() == [0] * 5


def test_a_picture_that_cannot_have_come_about_has_no_probability() -> None:
    config = small_config()
    engine, grids, factors = Engine(config, arrays(perturbed(config))), some_grids(config, 2), task(config, 2).factors
    for code in (config.filled, 3):
        with pytest.raises(InputError, match="pictures must be as is known of them"):
            engine.likelihood(np.zeros_like(grids), factors, np.full(grids.shape, code))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"known": np.zeros((2, 16, 8), np.intp)}, "known to draw with must have the shape"),
        ({"known": np.full((2, 16, 16), 11)}, "given pixels must be colours from 0 to 8"),
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
