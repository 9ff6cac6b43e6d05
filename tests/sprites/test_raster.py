from __future__ import annotations

import numpy as np
import pytest
import torch
from sprites.small_corpora import tiny_config

from pixelreef.core.seeds import rng
from pixelreef.sprites.choose import Sampling, uniforms
from pixelreef.sprites.lessons import batch_of
from pixelreef.sprites.raster import Raster
from pixelreef.sprites.task import Task

CONFIG = tiny_config(height=4, width=8, colours=5, factors={"kind": ("a", "b")})
FACTORS = np.array([[0], [1], [2]])


def asked(seed: int) -> Task:
    return Task(FACTORS, *uniforms(seed, np.arange(len(FACTORS)), CONFIG))


@pytest.fixture
def model() -> Raster:
    torch.manual_seed(0)
    found = Raster(CONFIG)
    for one in found.parameters():
        torch.nn.init.normal_(one, std=0.3)
    return found


def test_probabilities_add_up_to_one(model: Raster) -> None:
    """Over all colours of the last pixel, the others being the same."""
    grids = np.repeat(rng(0, "grid").integers(0, 5, (1, 4, 8)), 5, axis=0).astype(np.uint8)
    grids[:, -1, -1] = range(5)
    with torch.inference_mode():
        found = model(batch_of(grids, np.zeros((5, 1), np.intp), CONFIG)).pixels[:, -1, -1]
    assert float(found.exp().sum()) == pytest.approx(1, abs=1e-5)


def test_a_pixel_knows_only_what_came_before(model: Raster) -> None:
    grids = np.repeat(rng(0, "grid").integers(0, 5, (1, 4, 8)), 2, axis=0).astype(np.uint8)
    grids[1, 2, 3] = (grids[1, 2, 3] + 1) % 5
    with torch.inference_mode():
        one, two = model(batch_of(grids, np.zeros((2, 1), np.intp), CONFIG)).pixels
    before = 2 * 8 + 3
    torch.testing.assert_close(one.flatten()[:before], two.flatten()[:before])
    assert not torch.allclose(one.flatten()[before + 1 :], two.flatten()[before + 1 :])


@pytest.mark.parametrize("guidance", [1.0, 2.0])
def test_what_is_drawn_is_what_was_likeliest(model: Raster, guidance: float) -> None:
    """At temperature 0 each pixel is the likeliest by the uncached probabilities, guided or not."""
    drawn = model.draw(asked(0), Sampling(temperature=0, guidance=guidance))
    assert drawn.shape == (3, 4, 8)
    untold = np.full((1, 1), 2)
    for row, factors in zip(drawn, FACTORS[:, None], strict=True):
        for place in range(0, 32, 5):
            options = np.repeat(row[None], 5, axis=0)
            options.reshape(5, -1)[:, place] = range(5)
            with torch.inference_mode():
                told, bare = (
                    model(batch_of(options, np.repeat(of, 5, axis=0), CONFIG)).pixels.flatten(1)[:, place]
                    for of in (factors, untold)
                )
            assert int((bare + guidance * (told - bare)).argmax()) == int(row.flatten()[place])


def test_the_same_seed_draws_the_same(model: Raster) -> None:
    assert np.array_equal(model.draw(asked(3)), model.draw(asked(3)))
    assert not np.array_equal(model.draw(asked(3)), model.draw(asked(4)))
