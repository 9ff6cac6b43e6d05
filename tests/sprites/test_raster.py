from __future__ import annotations

import numpy as np
import pytest
import torch
from sprites.small_corpora import tiny_config
from torch.nn import functional

from pixelreef.core.seeds import rng
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.lessons import plain_batch
from pixelreef.sprites.network import Block, Norm
from pixelreef.sprites.raster import Cache, Raster, attended, normed, passed

CONFIG = tiny_config(height=4, width=8, colours=5, factors={"kind": ("a", "b")})
FACTORS = np.array([[0], [1], [2]])


@pytest.fixture
def model() -> Raster:
    torch.manual_seed(0)
    found = Raster(CONFIG)
    for one in found.parameters():
        torch.nn.init.normal_(one, std=0.3)
    return found


def test_gradients_by_hand_are_those_of_autograd() -> None:
    torch.manual_seed(0)
    block = Block(6, 10).double()
    torch.nn.init.normal_(block.down.weight)
    torch.nn.init.normal_(block.norm.gain)
    x = torch.randn(2, 3, 6, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(passed(block, x), block(x), rtol=1e-9, atol=1e-9)
    assert torch.autograd.gradcheck(lambda one: passed(block, one), (x,))
    ours = torch.autograd.grad(passed(block, x).square().sum(), [x, *block.parameters()])
    theirs = torch.autograd.grad(block(x).square().sum(), [x, *block.parameters()])
    for left, right in zip(ours, theirs, strict=True):
        torch.testing.assert_close(left, right, rtol=1e-9, atol=1e-9)


def test_a_norm_is_by_the_root_of_the_mean_square() -> None:
    norm, x = Norm(4), torch.tensor([[3.0, 4.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    expected = functional.rms_norm(x, (4,), norm.gain, 1e-5)
    torch.testing.assert_close(normed(norm, x), expected)


def test_probabilities_add_up_to_one(model: Raster) -> None:
    """Over all colours of the last pixel, the others being the same."""
    grids = np.repeat(rng(0, "grid").integers(0, 5, (1, 4, 8)), 5, axis=0).astype(np.uint8)
    grids[:, -1, -1] = range(5)
    with torch.inference_mode():
        found = model(plain_batch(grids, np.zeros((5, 1), np.intp), CONFIG)).pixels[:, -1, -1]
    assert float(found.exp().sum()) == pytest.approx(1, abs=1e-5)


def test_a_pixel_knows_only_what_came_before(model: Raster) -> None:
    grids = np.repeat(rng(0, "grid").integers(0, 5, (1, 4, 8)), 2, axis=0).astype(np.uint8)
    grids[1, 2, 3] = (grids[1, 2, 3] + 1) % 5
    with torch.inference_mode():
        one, two = model(plain_batch(grids, np.zeros((2, 1), np.intp), CONFIG)).pixels
    before = 2 * 8 + 3
    torch.testing.assert_close(one.flatten()[:before], two.flatten()[:before])
    assert not torch.allclose(one.flatten()[before + 1 :], two.flatten()[before + 1 :])


def test_cached_steps_are_the_uncached_ones(model: Raster) -> None:
    layer = model.layers[0]
    x = torch.randn(2, 7, CONFIG.trunk_width)
    with torch.inference_mode():
        cache = Cache(2, layer, 7)  # type: ignore[arg-type]
        parts = [attended(layer, x[:, at : at + n], cache=cache) for at, n in ((0, 3), (3, 1), (4, 1), (5, 1), (6, 1))]  # type: ignore[arg-type]
        torch.testing.assert_close(torch.cat(parts, dim=1), attended(layer, x))  # type: ignore[arg-type]


@pytest.mark.parametrize("guidance", [1.0, 2.0])
def test_what_is_drawn_is_what_was_likeliest(model: Raster, guidance: float) -> None:
    """At temperature 0 each pixel is the likeliest by the uncached probabilities, guided or not."""
    drawn = model.draw(torch.from_numpy(FACTORS), 0, Sampling(temperature=0, guidance=guidance))
    assert drawn.shape == (3, 4, 8)
    untold = np.full((1, 1), 2)
    for row, factors in zip(drawn, FACTORS[:, None], strict=True):
        for place in range(0, 32, 5):
            options = np.repeat(row[None], 5, axis=0)
            options.reshape(5, -1)[:, place] = range(5)
            with torch.inference_mode():
                told, bare = (
                    model(plain_batch(options, np.repeat(of, 5, axis=0), CONFIG)).pixels.flatten(1)[:, place]
                    for of in (factors, untold)
                )
            assert int((bare + guidance * (told - bare)).argmax()) == int(row.flatten()[place])


def test_the_same_seed_draws_the_same(model: Raster) -> None:
    factors = torch.from_numpy(FACTORS)
    assert np.array_equal(model.draw(factors, 3), model.draw(factors, 3))
    assert not np.array_equal(model.draw(factors, 3), model.draw(factors, 4))
