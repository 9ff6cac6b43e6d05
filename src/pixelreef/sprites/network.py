"""The `reef` model in torch: one painter for shapes and, on the finished shape, one for colours.

A shape is which pixels are not ground. For each patch it is first asked whether it is empty, full or mixed, then in a
mixed one row by row which pixels are filled. The painter of colours sees the whole shape, so shading and outlines need
not be guessed ahead; it draws filled pixels alone. Given pixels need no further device: both painters are shown what is
known, and what contradicts it is barred.

The probability of a picture is exact: a mixed patch becomes neither empty nor full with its last row.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from pixelreef.sprites.config import EMPTY, FULL, MIXED, NEVER, Config
from pixelreef.sprites.painter import Painter, Units, cut, joined


class Batch(NamedTuple):
    """Pictures to be drawn."""

    codes: Tensor
    """(B, height, width) colours."""
    factors: Tensor
    """(B, factors) places of values; the number of values where a factor is not told."""
    known: Tensor | None = None
    """(B, height, width) codes: colours that are given, `filled`, or `unknown`; None: nothing is known."""


class Likelihood(NamedTuple):
    """Natural logarithms of the probabilities of what was drawn; 0 for what was known."""

    shape: Tensor
    """(B, patches)."""
    pixels: Tensor
    """(B, height, width): of colours."""

    @property
    def total(self) -> Tensor:
        """(B,)."""
        return self.shape.sum(dim=1) + self.pixels.sum(dim=(1, 2))


class Reef(nn.Module):
    """Shapes, then colours."""

    bits: Tensor

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        self.shape, self.colours = (Painter(config, sizes) for sizes in config.painters.values())
        self.kind = nn.Linear(config.shape_width, 3)
        nn.init.zeros_(self.kind.bias)
        self.register_buffer("bits", 2 ** torch.arange(config.patch), persistent=False)

    def forward(self, batch: Batch) -> Likelihood:
        """The probability of every picture."""
        config = self.config
        known = torch.full_like(batch.codes, config.unknown) if batch.known is None else batch.known
        shape = torch.where(batch.codes == config.ground, batch.codes, config.filled)
        shape = torch.where(known == config.unknown, shape, known)
        return Likelihood(
            self._shape_likelihood(known, shape, batch.factors),
            self._colour_likelihood(shape, batch.codes, batch.factors),
        )

    def _shape_likelihood(self, known: Tensor, shape: Tensor, factors: Tensor) -> Tensor:
        config = self.config
        before, after = cut(known, config), cut(shape, config)
        asked = (before == config.unknown).any(dim=2)
        states = self.shape.states(known, shape, factors, asked)
        kinds = kinds_of(after, config)
        odds = self.kind(states).masked_fill(barred_kinds(before, config), NEVER)
        likely = -functional.cross_entropy(odds.flatten(0, 1), kinds.flatten(), reduction="none").view_as(asked)
        likely = torch.where(asked, likely, 0.0)
        units = self.rows(before, after, asked & (kinds == MIXED))
        if len(units.picture):
            rows = self.shape.inside(states, known, shape, units)
            place = config.patches * units.picture + units.patch
            likely = likely.flatten().index_add(0, place, rows).view_as(asked)
        return likely

    def rows(self, before: Tensor, after: Tensor, mixed: Tensor) -> Units:
        """The rows to be drawn in mixed patches (B, patches), of cut maps (B, patches, pixels)."""
        config = self.config
        unknown, ground, filled, number = (
            one.view(*one.shape[:2], config.patch, config.patch)
            for one in (before == config.unknown, before == config.ground, before != config.ground, after)
        )
        open_ = unknown.any(dim=3)
        picture, patch, place = (open_ & mixed[..., None]).nonzero(as_tuple=True)
        drawn = number != config.ground
        counts = drawn.sum(dim=3)
        others = counts.sum(dim=2, keepdim=True) - counts
        last = open_ & (open_.flip(2).cumsum(dim=2).flip(2) == 1)
        bare, solid = last & (others == 0), last & (others == config.pixels - config.patch)
        must, mustnt = ((one & ~unknown).long() @ self.bits for one in (filled, ground))
        every = torch.arange(2**config.patch, device=before.device)
        at = (picture, patch, place)
        must, mustnt = must[at][:, None], mustnt[at][:, None]
        barred = (every & must != must) | (every & mustnt != 0)
        barred |= bare[at][:, None] & (every == 0) | solid[at][:, None] & (every == len(every) - 1)
        return Units(picture, patch, place, (drawn.long() @ self.bits)[at], barred)

    def _colour_likelihood(self, shape: Tensor, codes: Tensor, factors: Tensor) -> Tensor:
        config = self.config
        open_ = cut(shape, config) == config.filled
        picture, patch, place = open_.nonzero(as_tuple=True)
        pixels = self.kind.weight.new_zeros(open_.shape)
        if len(picture):
            states = self.colours.states(shape, codes, factors, open_.any(dim=2))
            ground = (torch.arange(config.colours, device=codes.device) == config.ground)[None]
            units = Units(picture, patch, place, cut(codes, config)[open_], ground)
            pixels[open_] = self.colours.inside(states, shape, codes, units)
        return joined(pixels, config)


def kinds_of(shape: Tensor, config: Config) -> Tensor:
    """(…,): which kind patches (…, pixels) are."""
    filled = (shape != config.ground).sum(dim=-1)
    return torch.where(filled == 0, EMPTY, torch.where(filled == config.pixels, FULL, MIXED))


def barred_kinds(known: Tensor, config: Config) -> Tensor:
    """(…, 3): which kinds patches (…, pixels) can't be."""
    ground, seen = known == config.ground, known != config.unknown
    empty = (seen & ~ground).any(dim=-1)
    mixed = torch.full_like(empty, config.pixels == 1)
    return torch.stack([empty, ground.any(dim=-1), mixed], dim=-1)
