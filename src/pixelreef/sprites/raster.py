"""The `raster` model in torch: one token per pixel, row by row. The baseline, faithful to the public trial.

The factors come first, one token each, then the pixels; sampling keeps keys and values of every step. Dense layers and
norms are those of the `reef` model, here with gradients worked out by hand (`passed`): what autograd would do in five
passes over memory takes two, and both shapes train with it, so that equal minutes are equal.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn import functional

from pixelreef.core.palette import Palette
from pixelreef.core.strict_json import json_from_text
from pixelreef.errors import FileError, InputError
from pixelreef.sprites.choose import Sampling, chosen, uniforms
from pixelreef.sprites.config import Config, config_from_document
from pixelreef.sprites.network import Batch, Block, Layer, Likelihood, Norm
from pixelreef.sprites.weights import MAX_BYTES

EPSILON = 1e-5


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


def normed(norm: Norm, x: Tensor) -> Tensor:
    """What a norm makes of x."""
    return _RootMeanSquare.apply(x, norm.gain)  # type: ignore[no-any-return, no-untyped-call]


def passed(block: Block, x: Tensor) -> Tensor:
    """What a block makes of x."""
    hidden = _SquaredRamp.apply(block.up(normed(block.norm, x)))  # type: ignore[no-untyped-call]
    added: Tensor = block.down(hidden)
    return x + added


def attended(layer: Layer, x: Tensor, mask: Tensor | None = None, cache: Cache | None = None) -> Tensor:
    """What a layer makes of new steps (B, steps, width) behind the cached ones, which they join."""
    batch, length, wide = x.shape
    q, k, v = layer.qkv(normed(layer.norm, x)).view(batch, length, 3, layer.heads, -1).permute(2, 0, 3, 1, 4)
    if cache is not None:
        k, v = cache.with_new(k, v)
    causal = mask is None and length > 1
    seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
    return passed(layer.block, x + layer.mixed(seen.transpose(1, 2).reshape(batch, length, wide)))


class Raster(nn.Module):
    """A causal transformer over pixels."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        wide = config.trunk_width
        self.colour = _table(config.colours, wide)
        self.row, self.column = _table(config.height, wide), _table(config.width, wide)
        self.begin = _table(1, wide)
        self.factors = nn.ParameterList([_table(len(values) + 1, wide) for values in config.factors.values()])
        self.layers = nn.ModuleList([Layer(wide, config.heads) for _ in range(config.trunk_layers)])
        self.norm = Norm(wide)
        self.out = nn.Linear(wide, config.colours)
        self.apply(_begun)

    def forward(self, batch: Batch) -> Likelihood:
        """The probability of every picture; the order is fixed, and nothing can be given."""
        codes = batch.codes.flatten(1)
        pixels = self.colour[codes] + self.places()
        steps = torch.cat([self._first(batch.factors), pixels[:, :-1]], dim=1)
        for layer in self.layers:
            steps = attended(layer, steps)  # type: ignore[arg-type]
        logits = self.out(normed(self.norm, steps[:, -codes.shape[1] :]))
        found = -functional.cross_entropy(logits.flatten(0, 1), codes.flatten(), reduction="none")
        return Likelihood(found.new_zeros(len(codes), 1), found.view_as(batch.codes))

    def places(self) -> Tensor:
        """(pixels, width)."""
        return (self.row[:, None] + self.column).flatten(0, 1)

    def _first(self, factors: Tensor) -> Tensor:
        """(B, factors + 1, width): what comes before the first pixel."""
        told = [table[factors[:, place]] for place, table in enumerate(self.factors)]
        return torch.stack([*told, self.begin.expand(len(factors), -1)], dim=1)

    @torch.inference_mode()
    def draw(self, factors: Tensor, seed: int, sampling: Sampling | None = None) -> NDArray[np.uint8]:
        """(n, height, width) colours for factors (n, factors), with the cache of all steps before."""
        rule, config = sampling or Sampling(), self.config
        drawn = uniforms(seed, np.arange(len(factors)), config)[1].reshape(len(factors), -1)
        guided = rule.guidance != 1 and bool(config.factors)
        if guided:
            nothing = torch.tensor([len(values) for values in config.factors.values()])
            factors = torch.cat([factors, nothing.expand_as(factors)])
        step, places = self._first(factors), self.places()
        length = step.shape[1] + config.height * config.width
        caches = [Cache(len(factors), layer, length) for layer in self.layers]  # type: ignore[arg-type]
        colours: list[NDArray[np.intp]] = []
        for pixel in range(config.height * config.width):
            for layer, cache in zip(self.layers, caches, strict=True):
                step = attended(layer, step, cache=cache)  # type: ignore[arg-type]
            logits = self.out(normed(self.norm, step[:, -1]))
            if guided:
                told, untold = logits.chunk(2)
                logits = untold + rule.guidance * (told - untold)
            colours.append(chosen(logits.numpy(), drawn[:, pixel], rule))
            code = torch.from_numpy(np.tile(colours[-1], 2 if guided else 1))
            step = (self.colour[code] + places[pixel])[:, None]
        return np.stack(colours, axis=1).reshape(-1, config.height, config.width).astype(np.uint8)


def read_raster(path: str | os.PathLike[str]) -> tuple[Raster, Palette]:
    """A `raster` model and its palette from the file that a run leaves; untrusted, as every file is."""
    from safetensors import SafetensorError, safe_open

    what = f"weights {os.fspath(path)!r}"
    if not os.path.isfile(path) or os.path.getsize(path) > MAX_BYTES:
        raise FileError(what, f"be a file of at most {MAX_BYTES:,} bytes", "none, or a larger one", verbatim=True)
    try:
        with safe_open(path, "pt") as file:
            text = (file.metadata() or {}).get("pixelreef", "")
            stored = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118  (no mapping)
        document: Any = json_from_text(text, what)
        with torch.device("meta"):  # takes no memory, whatever sizes the file claims
            model = Raster(config_from_document(document["config"]))
        model.load_state_dict(stored, assign=True)
        palette = Palette.from_hex(document["palette"]["colours"], document["palette"]["transparent"])
    except (SafetensorError, RuntimeError, KeyError, TypeError, AttributeError, InputError) as error:
        raise FileError(what, "be those of a raster model", str(error).splitlines()[0]) from None
    return model, palette


def _table(count: int, wide: int) -> nn.Parameter:
    return nn.Parameter(torch.randn(count, wide) * 0.02)


def _begun(module: nn.Module) -> None:
    """Small weights everywhere; nothing added by a layer at first."""
    if isinstance(module, nn.Linear):
        nn.init.normal_(module.weight, std=module.in_features**-0.5)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    if isinstance(module, Layer):
        nn.init.zeros_(module.mixed.weight)
    if isinstance(module, Block):
        nn.init.zeros_(module.down.weight)
