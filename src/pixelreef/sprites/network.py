"""The `reef` model in torch: a causal transformer over patches, and a small network for the pixels inside.

A step of the trunk takes the patch before, its place, the place of the next one and the factors. From its state comes
first whether the next patch is empty: about half of a sprite's patches are, and then nothing more is asked. Otherwise
its pixels are drawn row by row, each from the state and from the codes in a window around it: what is known there,
whichever way it came to be known, and `unknown` elsewhere. So given pixels need no further device: those near by are
in the window, and those further off in the trunk, which has seen them before the first step (`plan`).

The probability of a picture is exact: a patch that is not empty can't become so with its last pixel.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn import functional

from pixelreef.sprites.config import Config
from pixelreef.sprites.layers import Block, Layer, Norm, begun, table

NEVER = -1e9  # a log-odds that no sampling survives, and that float32 adds without becoming NaN


class Batch(NamedTuple):
    """Pictures to be drawn, with the order and what is given."""

    codes: Tensor
    """(B, height, width) colours."""
    factors: Tensor
    """(B, factors) places of values; the number of values where a factor is not told."""
    order: Tensor
    """(B, patches)."""
    given: Tensor | None = None
    """(B, height, width) bool; None: nothing."""
    shown: Tensor | None = None
    """(B, k) patches partly given, −1 where there are fewer."""


class Likelihood(NamedTuple):
    """Natural logarithms of the probabilities of what was drawn; 0 for what was given."""

    flags: Tensor
    """(B, patches): empty or not, by patch."""
    pixels: Tensor
    """(B, height, width)."""

    @property
    def total(self) -> Tensor:
        """(B,)."""
        return self.flags.sum(dim=1) + self.pixels.sum(dim=(1, 2))


class Reef(nn.Module):
    """Patches by a transformer, pixels by a window."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        wide, pixel = config.trunk_width, config.pixel_width
        self.colour = table(config.colours + 2, config.colour_width)
        if config.ramps is not None:
            self.ramp = table(1 + max(ramp for ramp, _ in config.ramps), config.colour_width)
            self.step = table(1 + max(step for _, step in config.ramps), config.colour_width)
            self.register_buffer("ramps", torch.tensor(config.ramps), persistent=False)
        self.patch = nn.Linear(config.pixels * config.colour_width, wide, bias=False)
        self.row, self.column = table(config.rows, wide), table(config.columns, wide)
        self.next_row, self.next_column = table(config.rows, wide), table(config.columns, wide)
        self.begin, self.shown = table(1, wide), table(1, wide)
        self.factors = nn.ParameterList([table(len(values) + 1, wide) for values in config.factors.values()])
        self.layers = nn.ModuleList([Layer(wide, config.heads) for _ in range(config.trunk_layers)])
        self.norm = Norm(wide)
        self.empty = nn.Linear(wide, 1)
        self.state = nn.Linear(wide, pixel, bias=False)
        self.place, self.gain = table(config.pixels, pixel), nn.Parameter(torch.zeros(config.pixels, pixel))
        self.window = nn.Linear(config.window**2 * config.colour_width, pixel, bias=False)
        self.blocks = nn.ModuleList([Block(pixel, config.pixel_hidden) for _ in range(config.pixel_layers)])
        self.pixel_norm = Norm(pixel)
        self.out = nn.Linear(pixel, config.colours)
        self.apply(begun)

    def colour_table(self) -> Tensor:
        """(codes, colour width)."""
        if self.config.ramps is None:
            return self.colour
        shared = self.ramp[self.ramps[:, 0]] + self.step[self.ramps[:, 1]]  # type: ignore[index]
        return self.colour + functional.pad(shared, (0, 0, 0, 2))

    def forward(self, batch: Batch) -> Likelihood:
        """The probability of every picture in its order."""
        cut = self.cut(batch.codes)
        known = torch.zeros_like(cut, dtype=torch.bool) if batch.given is None else self.cut(batch.given)
        states = self.norm(self.trunk(batch, cut, known))
        by_patch = torch.empty_like(states)
        by_patch.scatter_(1, batch.order[..., None].expand_as(states), states)
        ground = cut == self.config.ground
        empty = ground.all(dim=2)
        asked = ~known.all(dim=2) & (ground | ~known).all(dim=2)  # a given colour says that it is not empty
        odds = self.empty(by_patch)[..., 0]
        flags = torch.where(asked, functional.logsigmoid(torch.where(empty, odds, -odds)), 0.0)
        drawn = ~empty & ~known.all(dim=2)
        pixels = torch.zeros(cut.shape, dtype=states.dtype, device=cut.device)
        if drawn.any():
            logits = self.pixel_logits(by_patch[drawn], self.surroundings(batch, known, drawn))
            logits = self.never_empty(logits, cut[drawn], known[drawn])
            chosen = functional.log_softmax(logits, dim=-1).gather(2, cut[drawn][..., None])[..., 0]
            pixels[drawn] = chosen.masked_fill(known[drawn], 0.0)
        return Likelihood(flags, self.grid(pixels))

    def trunk(self, batch: Batch, cut: Tensor, known: Tensor) -> Tensor:
        """(B, patches, width): the state before each step of the order."""
        colours, places = self.colour_table(), self.places()
        content = self.patch(functional.embedding(cut, colours).flatten(2)) + places
        order = batch.order[..., None].expand(-1, -1, content.shape[2])
        before = torch.cat([self.begin.expand(len(cut), 1, -1), content.gather(1, order)[:, :-1]], dim=1)
        told = self.told(batch.factors)[:, None]
        steps = before + self.next_places()[batch.order] + told
        if batch.shown is None or batch.shown.shape[1] == 0:
            mask = None
        else:
            steps, mask = self._with_shown(batch.shown, steps, cut, known, told)
        for layer in self.layers:
            steps = layer(steps, mask)
        return steps[:, -cut.shape[1] :]

    def _with_shown(
        self, shown: Tensor, steps: Tensor, cut: Tensor, known: Tensor, told: Tensor
    ) -> tuple[Tensor, Tensor]:
        """The steps behind the patches shown, and which of all these may be looked at."""
        there = shown >= 0
        places = shown.clamp(min=0)
        codes = torch.where(known, cut, self.config.unknown)
        codes = codes.gather(1, places[..., None].expand(-1, -1, codes.shape[2]))
        first = self.patch(functional.embedding(codes, self.colour_table()).flatten(2))
        first = first + self.places()[places] + self.shown + told
        both = torch.cat([first, steps], dim=1)
        length = both.shape[1]
        mask = torch.ones(length, length, dtype=torch.bool, device=both.device).tril()
        seen = functional.pad(there, (0, steps.shape[1]), value=True)
        # A step without a single one to look at would be NaN, so those that stand for nothing look at themselves.
        return both, (mask & seen[:, None, None, :]) | torch.eye(length, dtype=torch.bool, device=both.device)

    def surroundings(self, batch: Batch, known: Tensor, drawn: Tensor) -> Tensor:
        """(n, pixels, window²) codes around every pixel of the patches to be drawn, `unknown` where not yet known."""
        config = self.config
        reach, side = config.window // 2, config.patch
        rank = torch.empty_like(batch.order)
        device = rank.device
        rank.scatter_(1, batch.order, torch.arange(config.patches, device=device).expand_as(batch.order))
        ranks = rank[..., None] * config.pixels + torch.arange(config.pixels, device=device)
        ranks = self.grid(ranks.masked_fill(known, -1))
        codes = functional.pad(batch.codes, (reach,) * 4, value=config.outside)
        ranks = functional.pad(ranks, (reach,) * 4, value=-1)
        span = side + 2 * reach
        codes, ranks = (one.unfold(1, span, side).unfold(2, span, side).flatten(1, 2)[drawn] for one in (codes, ranks))
        own = ranks[:, reach : reach + side, reach : reach + side, None, None]
        codes, ranks = (one.unfold(1, config.window, 1).unfold(2, config.window, 1) for one in (codes, ranks))
        seen = torch.where(ranks < own, codes, config.unknown)
        return seen.flatten(3).flatten(1, 2)

    def pixel_logits(self, states: Tensor, seen: Tensor) -> Tensor:
        """(n, pixels, colours) from states (n, width) and codes (n, pixels, window²).

        What a window says is the sum of one row for each of its pixels, by place and code. These rows are worked out
        once a step, less those of `unknown`, so that only known pixels have to be added up.
        """
        config, (count, pixels, places) = self.config, seen.shape
        by_place = self.window.weight.view(config.pixel_width, places, config.colour_width)
        rows = torch.einsum("ck,wpk->pcw", self.colour_table(), by_place)
        nothing = rows[:, config.unknown]
        known = seen != config.unknown
        ends = functional.pad(known.sum(dim=2).flatten().cumsum(0), (1, 0))
        chosen = (seen + torch.arange(places, device=seen.device) * rows.shape[1])[known]
        around = _Summed.apply((rows - nothing[:, None]).flatten(0, 1), chosen, ends)  # type: ignore[no-untyped-call]
        inner = around.view(count, pixels, -1) + self.state(states)[:, None] * (1 + self.gain)
        inner = inner + (self.place + nothing.sum(dim=0))
        for block in self.blocks:
            inner = block(inner)
        logits: Tensor = self.out(self.pixel_norm(inner))
        return logits

    def never_empty(self, logits: Tensor, cut: Tensor, known: Tensor) -> Tensor:
        """Without the ground where the last open pixel would make the patch empty."""
        coloured = (cut != self.config.ground).long()
        open_after = (~known).flip(1).cumsum(1).flip(1) - (~known).long()
        ahead = torch.where(known, coloured, 0).sum(dim=1, keepdim=True)  # given, wherever it lies
        drawn = torch.where(known, 0, coloured)
        before = drawn.cumsum(1) - drawn
        bare = (open_after == 0) & ~known & (ahead + before == 0)
        ground = torch.arange(self.config.colours, device=logits.device) == self.config.ground
        return logits.masked_fill(bare[..., None] & ground, NEVER)

    def told(self, factors: Tensor) -> Tensor:
        """(B, width): what the factors say."""
        total = self.begin.new_zeros(len(factors), self.config.trunk_width)
        for place, values in enumerate(self.factors):
            total = total + values[factors[:, place]]
        return total

    def places(self) -> Tensor:
        """(patches, width)."""
        return (self.row[:, None] + self.column).flatten(0, 1)

    def next_places(self) -> Tensor:
        """(patches, width)."""
        return (self.next_row[:, None] + self.next_column).flatten(0, 1)

    def cut(self, grid: Tensor) -> Tensor:
        """(B, height, width) → (B, patches, pixels)."""
        config = self.config
        cut = grid.reshape(-1, config.rows, config.patch, config.columns, config.patch)
        return cut.transpose(2, 3).reshape(-1, config.patches, config.pixels)

    def grid(self, cut: Tensor) -> Tensor:
        """(B, patches, pixels) → (B, height, width)."""
        config = self.config
        grid = cut.reshape(-1, config.rows, config.columns, config.patch, config.patch)
        return grid.transpose(2, 3).reshape(-1, config.height, config.width)


class _Summed(Function):
    """(n, width): for each row the sum of its rows of a table; row i has those of places[ends[i] : ends[i + 1]]."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, places: Tensor, ends: Tensor) -> Tensor:
        ctx.save_for_backward(places, ends)
        ctx.length = len(table)
        return functional.embedding_bag(places, table, ends[:-1], mode="sum")

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        """The same the other way round: for each row of the table the sum of the rows that used it."""
        places, ends = ctx.saved_tensors
        users = torch.arange(len(ends) - 1, device=ends.device).repeat_interleave(ends.diff())
        counts = places.bincount(minlength=ctx.length)
        starts = counts.cumsum(0) - counts
        users = users[places.argsort(stable=True)]
        return functional.embedding_bag(users, gradients[0], starts, mode="sum"), None, None
