"""The `raster` model in torch: one token per pixel, row by row. The baseline, faithful to the public trial.

The factors come first, one token each, then the pixels; sampling keeps keys and values of every step.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from pixelreef.sprites.choose import Sampling, chosen, uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.network import Batch, Likelihood, Norm, Block, _begun, _table


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
        self.layers = nn.ModuleList([CachedLayer(wide, config.heads) for _ in range(config.trunk_layers)])
        self.norm = Norm(wide)
        self.out = nn.Linear(wide, config.colours)
        self.apply(_begun)

    def forward(self, batch: Batch) -> Likelihood:
        """The probability of every picture; the order is fixed, and nothing can be given."""
        codes = batch.codes.flatten(1)
        pixels = self.colour[codes] + self.places()
        first = self.begin.expand(len(codes), 1, -1)
        steps = torch.cat([self._told(batch.factors), first, pixels[:, :-1]], dim=1)
        for layer in self.layers:
            steps = layer(steps, None)
        logits = self.out(self.norm(steps[:, -codes.shape[1] :]))
        found = functional.log_softmax(logits, dim=-1).gather(2, codes[..., None])[..., 0]
        return Likelihood(torch.zeros(len(codes), 1), found.view_as(batch.codes))

    def places(self) -> Tensor:
        """(pixels, width)."""
        return (self.row[:, None] + self.column).flatten(0, 1)

    def _told(self, factors: Tensor) -> Tensor:
        """(B, factors, width)."""
        told = [table[factors[:, place]] for place, table in enumerate(self.factors)]
        return torch.stack(told, dim=1) if told else torch.zeros(len(factors), 0, self.config.trunk_width)

    @torch.inference_mode()
    def draw(self, factors: Tensor, seed: int, sampling: Sampling | None = None) -> NDArray[np.uint8]:
        """(n, height, width) colours for factors (n, factors), with the cache of all steps before."""
        rule, config = sampling or Sampling(), self.config
        guided = rule.guidance != 1 and bool(config.factors)
        _, drawn = uniforms(seed, np.arange(len(factors)), config)
        drawn = drawn.reshape(len(factors), -1)
        if guided:
            nothing = torch.tensor([len(values) for values in config.factors.values()])
            factors = torch.cat([factors, nothing.expand_as(factors)])
        caches: list[tuple[Tensor, Tensor] | None] = [None] * len(self.layers)
        step = torch.cat([self._told(factors), self.begin.expand(len(factors), 1, -1)], dim=1)
        places, colours = self.places(), []
        for pixel in range(config.height * config.width):
            for number, layer in enumerate(self.layers):
                step, caches[number] = layer.after(step, caches[number])
            logits = self.out(self.norm(step[:, -1]))
            if guided:
                told, untold = logits.chunk(2)
                logits = untold + rule.guidance * (told - untold)
            colours.append(chosen(logits.numpy(), drawn[:, pixel], rule))
            code = torch.from_numpy(np.concatenate([colours[-1], colours[-1]]) if guided else colours[-1])
            step = (self.colour[code] + places[pixel])[:, None]
        return np.stack(colours, axis=1).reshape(-1, config.height, config.width).astype(np.uint8)


class CachedLayer(nn.Module):
    """As in the `reef` model's trunk, with a cache."""

    def __init__(self, wide: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = Norm(wide)
        self.qkv = nn.Linear(wide, 3 * wide, bias=False)
        self.mixed = nn.Linear(wide, wide, bias=False)
        self.block = Block(wide, 4 * wide)

    def forward(self, x: Tensor, _: Tensor | None) -> Tensor:
        return self.after(x, None)[0]

    def after(self, x: Tensor, cache: tuple[Tensor, Tensor] | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """What comes out of new steps behind the cached ones, and the longer cache."""
        batch, length, wide = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if cache is not None:
            k, v = (torch.cat([old, new], dim=2) for old, new in zip(cache, (k, v), strict=True))
        seen = functional.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
        x = x + self.mixed(seen.transpose(1, 2).reshape(batch, length, wide))
        return self.block(x), (k, v)
