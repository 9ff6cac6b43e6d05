"""What both shapes of network are made of: norms, dense blocks and layers of attention, in torch.

Gradients of the squared ramp and of the norm are worked out by hand: what autograd would do in five passes over memory
takes two. Both shapes train with it, so that equal minutes are equal.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn import functional

EPSILON = 1e-5


class _SquaredRamp(Function):
    """max(x, 0)²."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ramp = x.relu()
        ctx.save_for_backward(ramp)
        return ramp * ramp

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        ramp: Tensor = ctx.saved_tensors[0]
        return (gradients[0] * ramp).mul_(2)


class _RootMeanSquare(Function):
    """x / √(mean x² + ε) · gain, along the last side."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, gain: Tensor) -> Tensor:
        length: Tensor = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        scale = length.square_().div_(x.shape[-1]).add_(EPSILON).rsqrt_()
        normed = x * scale
        ctx.save_for_backward(normed, gain, scale)
        return normed * gain

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        normed, gain, scale = ctx.saved_tensors
        (gradient,), wide = gradients, len(gain)
        product = (gradient * normed).view(-1, wide)
        along = (product @ gain).view(scale.shape).div_(wide)
        inner = (gradient * gain).addcmul_(normed, along, value=-1).mul_(scale)
        return inner, product.sum(dim=0)


class Norm(nn.Module):
    """By the root of the mean square, with a gain."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(wide))

    def forward(self, x: Tensor) -> Tensor:
        return _RootMeanSquare.apply(x, self.gain)  # type: ignore[no-any-return, no-untyped-call]


class Thinned(nn.Module):
    """A part of a network of whose results a share is left out at random, while training."""

    share = 0.0

    def thinned(self, added: Tensor) -> Tensor:
        """What is left."""
        return functional.dropout(added, self.share) if self.training and self.share else added


class Block(Thinned):
    """Two dense layers around a squared ramp, added to what comes in."""

    def __init__(self, wide: int, hidden: int) -> None:
        super().__init__()
        self.norm = Norm(wide)
        self.up = nn.Linear(wide, hidden, bias=False)
        self.down = nn.Linear(hidden, wide, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        added: Tensor = self.down(_SquaredRamp.apply(self.up(self.norm(x))))  # type: ignore[no-untyped-call]
        return x + self.thinned(added)


class Layer(Thinned):
    """Attention, then a block."""

    def __init__(self, wide: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = Norm(wide)
        self.qkv = nn.Linear(wide, 3 * wide, bias=False)
        self.mixed = nn.Linear(wide, wide, bias=False)
        self.block = Block(wide, 4 * wide)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: Cache | None = None) -> Tensor:
        """Of new steps (B, steps, width) behind the cached ones, which they join; causal where no mask says else."""
        batch, length, wide = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if cache is not None:
            k, v = cache.with_new(k, v)
        causal = mask is None and length > 1
        seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        out: Tensor = self.block(x + self.thinned(self.mixed(seen.transpose(1, 2).reshape(batch, length, wide))))
        return out


class Cache:
    """Keys and values of all steps so far of one layer, in room that is taken once."""

    def __init__(self, rows: int, layer: Layer, length: int) -> None:
        wide = layer.mixed.in_features
        self.keys, self.values = torch.empty(2, rows, layer.heads, length, wide // layer.heads)
        self.length = 0

    def with_new(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Those of the steps so far, (B, heads, steps, width), with new ones behind."""
        before, self.length = self.length, self.length + keys.shape[2]
        self.keys[:, :, before : self.length], self.values[:, :, before : self.length] = keys, values
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]


def parameters_of(model: nn.Module) -> int:
    """How many numbers there are to learn."""
    return sum(one.numel() for one in model.parameters())


def table(count: int, wide: int) -> nn.Parameter:
    """One row for each of some things, small at first."""
    return nn.Parameter(torch.randn(count, wide) * 0.02)


def begun(module: nn.Module) -> None:
    """Small weights everywhere; nothing added by a layer or block at first."""
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=module.in_features**-0.5)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    if isinstance(module, Layer):
        nn.init.zeros_(module.mixed.weight)
    if isinstance(module, Block):
        nn.init.zeros_(module.down.weight)
