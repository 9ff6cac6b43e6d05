from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from pixelreef.sprites.layers import EPSILON, Block, Cache, Layer, Norm


def plainly(block: Block, x: Tensor) -> Tensor:
    """What a block does, with the gradients that autograd finds."""
    normed = functional.rms_norm(x, (x.shape[-1],), block.norm.gain, EPSILON)
    return x + functional.relu(normed @ block.up.weight.T).square() @ block.down.weight.T


def test_gradients_by_hand_are_those_of_autograd() -> None:
    torch.manual_seed(0)
    block = Block(6, 10).double()
    torch.nn.init.normal_(block.down.weight)
    torch.nn.init.normal_(block.norm.gain)
    x = torch.randn(2, 3, 6, dtype=torch.float64, requires_grad=True)
    torch.testing.assert_close(block(x), plainly(block, x), rtol=1e-9, atol=1e-9)
    assert torch.autograd.gradcheck(block, (x,))
    ours = torch.autograd.grad(block(x).square().sum(), [x, *block.parameters()])
    theirs = torch.autograd.grad(plainly(block, x).square().sum(), [x, *block.parameters()])
    for left, right in zip(ours, theirs, strict=True):
        torch.testing.assert_close(left, right, rtol=1e-9, atol=1e-9)


def test_a_norm_is_by_the_root_of_the_mean_square() -> None:
    norm, x = Norm(4), torch.tensor([[3.0, 4.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    torch.testing.assert_close(norm(x), functional.rms_norm(x, (4,), norm.gain, EPSILON))


def test_cached_steps_are_the_uncached_ones() -> None:
    torch.manual_seed(0)
    layer = Layer(24, 2)
    for one in layer.parameters():
        torch.nn.init.normal_(one, std=0.3)
    x = torch.randn(2, 7, 24)
    with torch.inference_mode():
        cache = Cache(2, layer, 7)
        parts = [layer(x[:, at : at + n], cache=cache) for at, n in ((0, 3), (3, 1), (4, 1), (5, 1), (6, 1))]
        torch.testing.assert_close(torch.cat(parts, dim=1), layer(x))
