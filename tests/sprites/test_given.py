from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.core.seeds import rng
from pixelreef.sprites.config import Config
from pixelreef.sprites.given import EDGED, KINDS, STREWN, batch_kinds, random_given
from pixelreef.sprites.plan import plan_from_given

CONFIG = Config(height=12, width=8, colours=4)


@given(st.integers(0, 2**32))
def test_something_is_always_left_to_draw(seed: int) -> None:
    random = rng(seed, "given")
    grid = random.integers(0, 4, (12, 8))
    found = random_given(random, grid, CONFIG)
    assert found.shape == (12, 8)
    assert found.dtype == np.bool_
    assert not found.all()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_gives_some_pixels_and_leaves_some(kind: object) -> None:
    grid = np.zeros((12, 8), np.intp)
    grid[3:9, 2:6] = 1
    shares = [float(kind(rng(seed, "kind"), grid, CONFIG).mean()) for seed in range(50)]  # type: ignore[operator]
    assert 0.05 < np.mean(shares) < 0.95


def test_an_empty_sprite_is_never_wholly_given() -> None:
    """Its outside is all of it."""
    grid = np.zeros((12, 8), np.intp)
    assert not any(random_given(rng(seed, "blank"), grid, CONFIG).all() for seed in range(100))


def test_over_batches_every_kind_comes_as_often() -> None:
    drawn = [batch_kinds(rng(seed, "batch")) for seed in range(2000)]
    shares = {kind: sum(1 / len(kinds) for kinds in drawn if kind in kinds) / len(drawn) for kind in KINDS}
    assert list(shares.values()) == pytest.approx([1 / 7] * 7, abs=0.02)


def test_along_an_edge_few_patches_are_partly_given() -> None:
    config = Config(colours=4)
    grid = np.zeros((32, 32), np.intp)
    grid[8:24, 9:23] = 1
    shown = {
        kinds: [
            len(plan_from_given(random_given(rng(seed, "x"), grid, config, kinds), config).shown) for seed in range(60)
        ]
        for kinds in (EDGED, STREWN)
    }
    assert np.mean(shown[EDGED]) < 15 < 30 < np.mean(shown[STREWN])
