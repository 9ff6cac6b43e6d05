"""A painter in torch: a causal transformer over patches, and a small network for what is inside them.

It is shown what is known of a picture beforehand, wherever it lies, and draws the rest: patches row by row, and in each
its units, which are rows of the patch or single pixels. Before each patch the trunk takes in the patch drawn before,
the place of the next one, the factors, and what is known around that place and in the whole picture. A unit is drawn
from the trunk's state and from the codes in a window around it: those drawn, and of all others what was known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.nn import functional

from pixelreef.sprites.config import NEAR, NEVER, WHOLE, Config, Sizes
from pixelreef.sprites.layers import Block, Layer, Norm, begun, table

_GROUP = 16  # sprites with about as many steps that go through the trunk together
_CHUNK = 128  # patches whose insides fit into a cache together


class Units(NamedTuple):
    """Units to be drawn, of many pictures, patch after patch."""

    picture: Tensor
    """(u,)."""
    patch: Tensor
    """(u,)."""
    place: Tensor
    """(u,): which of the patch."""
    choice: Tensor
    """(u,): what they become."""
    barred: Tensor
    """(u, classes): what they can't become; or (1, classes)."""


class Painter(nn.Module):
    """Draws on what is known. Maps are (B, height, width) codes."""

    ramps: Tensor
    corners: Tensor
    offsets: Tensor
    ranks: Tensor

    def __init__(self, config: Config, sizes: Sizes) -> None:
        super().__init__()
        self.config, self.sizes = config, sizes
        wide, inner, units = sizes.wide, sizes.inner, config.pixels // sizes.unit
        self.colour = table(config.codes, sizes.colour)
        if config.ramps is not None:
            self.ramp = table(1 + max(ramp for ramp, _ in config.ramps), sizes.colour)
            self.step = table(1 + max(step for _, step in config.ramps), sizes.colour)
            self.register_buffer("ramps", torch.tensor(config.ramps), persistent=False)
        self.patch = nn.Linear(config.pixels * sizes.colour, wide, bias=False)
        self.row, self.column = table(config.rows, wide), table(config.columns, wide)
        self.next_row, self.next_column = table(config.rows, wide), table(config.columns, wide)
        self.begin = table(1, wide)
        self.factors = nn.ParameterList([table(len(values) + 1, wide) for values in config.factors.values()])
        self.near_colour, self.whole_colour = table(config.codes, NEAR), table(config.codes, WHOLE)
        self.near = nn.Linear(9 * config.pixels * NEAR, wide, bias=False)
        squares = config.height * config.width // config.coarse**2
        self.whole = nn.Linear(squares * WHOLE, wide, bias=False)
        self.layers = nn.ModuleList([Layer(wide, sizes.heads) for _ in range(sizes.layers)])
        self.norm = Norm(wide)
        self.state = nn.Linear(wide, inner, bias=False)
        self.place, self.gain = table(units, inner), nn.Parameter(torch.zeros(units, inner))
        self.window = nn.Linear(sizes.span[0] * sizes.span[1] * sizes.colour, inner, bias=False)
        self.blocks = nn.ModuleList([Block(inner, sizes.hidden) for _ in range(sizes.inner_layers)])
        self.inner_norm = Norm(inner)
        self.out = nn.Linear(inner, sizes.classes)
        self.apply(begun)
        for name, value in _places(config, sizes).items():
            self.register_buffer(name, value, persistent=False)

    def colour_table(self) -> Tensor:
        """(codes, colour width)."""
        if self.config.ramps is None:
            return self.colour
        shared = self.ramp[self.ramps[:, 0]] + self.step[self.ramps[:, 1]]
        return self.colour + functional.pad(shared, (0, 0, 0, self.config.codes - self.config.colours))

    def states(self, known: Tensor, final: Tensor, factors: Tensor, asked: Tensor) -> Tensor:
        """(B, patches, width): the state before each patch that is asked for (B, patches), 0 at the others."""
        order = asked.sum(dim=1).argsort(stable=True)
        groups = torch.split(order, _GROUP)
        found = [self._states(known[part], final[part], factors[part], asked[part]) for part in groups]
        return torch.cat(found)[order.argsort()]

    def _states(self, known: Tensor, final: Tensor, factors: Tensor, asked: Tensor) -> Tensor:
        steps = max(1, int(asked.sum(dim=1).max()))
        order = (~asked).long().argsort(dim=1, stable=True)[:, :steps]
        content = self.content(cut(final, self.config)) + self.places()
        each = order[..., None].expand(-1, -1, self.sizes.wide)
        before = torch.cat([self.begin.expand(len(known), 1, -1), content.gather(1, each)[:, :-1]], dim=1)
        x = before + self.next_places()[order] + self.told(factors)[:, None]
        hints = self.hints(known)
        if hints is not None:
            x = x + hints.gather(1, each)
        for layer in self.layers:
            x = layer(x)
        x = torch.as_tensor(self.norm(x)) * asked.gather(1, order)[..., None]
        return x.new_zeros(len(known), self.config.patches, x.shape[2]).scatter(1, each, x)

    def content(self, codes: Tensor) -> Tensor:
        """(…, width): patches (…, pixels) as the trunk takes them in, without their places."""
        return torch.as_tensor(self.patch(functional.embedding(codes, self.colour_table()).flatten(-2)))

    def hints(self, known: Tensor) -> Tensor | None:
        """(B, patches, width): what is known around each patch, and in the whole; None where nothing is."""
        config, side = self.config, self.config.patch
        if bool((known == config.unknown).all()):
            return None
        padded = functional.pad(known, (side,) * 4, value=config.unknown)
        around = padded.unfold(1, 3 * side, side).unfold(2, 3 * side, side).reshape(len(known), config.patches, -1)
        near = self.near(functional.embedding(around, self.near_colour - self.near_colour[config.unknown]).flatten(2))
        seen = functional.embedding(known, self.whole_colour - self.whole_colour[config.unknown])
        squares = (config.height // config.coarse, config.coarse, config.width // config.coarse, config.coarse, WHOLE)
        whole = self.whole(seen.view(-1, *squares).mean(dim=(2, 4)).flatten(1))
        return torch.as_tensor(near + whole[:, None])

    def inside(self, states: Tensor, known: Tensor, final: Tensor, units: Units) -> Tensor:
        """(u,): the logarithm of the probability of every unit's choice. Its gradient is that of their sum."""
        spread = self.config.patches * units.picture + units.patch
        patches, local = torch.unique_consecutive(spread, return_inverse=True)
        inner = self.state(states.flatten(0, 1)[patches])
        seen = self.surroundings(known, final, units)
        edges = torch.arange(0, len(patches) + _CHUNK, _CHUNK, device=local.device).clamp(max=len(patches))
        ends = torch.searchsorted(local, edges).tolist()
        chunks = [
            _Chunk(slice(a, b), slice(c, d))
            for a, b, c, d in zip(ends, ends[1:], edges.tolist(), edges[1:].tolist(), strict=False)
        ]
        work = _Work(self, local, seen, units, chunks, torch.is_grad_enabled() and inner.requires_grad)
        return torch.as_tensor(_InChunks.apply(work, inner, *self._inside()))  # type: ignore[no-untyped-call]

    def _inside(self) -> list[nn.Parameter]:
        """What `log_shares` learns from."""
        tables = [self.colour, *([self.ramp, self.step] if self.config.ramps is not None else [])]
        modules = [self.window, self.blocks, self.inner_norm, self.out]
        return [*tables, self.place, self.gain, *(one for module in modules for one in module.parameters())]

    def surroundings(self, known: Tensor, final: Tensor, units: Units) -> Tensor:
        """(u, window) codes around units: what is drawn before them, and of all else what was known."""
        reach, config = self.sizes.window // 2, self.config
        pad = (reach,) * 4
        after = functional.pad(final, pad, value=config.outside)
        before = functional.pad(known, pad, value=config.outside)
        own = units.patch * len(self.place) + units.place
        at = self.corners[own][:, None] + self.offsets
        drawn = self.ranks[at] < own[:, None]
        at += (units.picture * after[0].numel())[:, None]
        return torch.where(drawn, after.flatten()[at], before.flatten()[at])

    def log_odds(self, inner: Tensor, seen: Tensor, place: Tensor, barred: Tensor) -> Tensor:
        """(u, classes) from what the trunk says (u, inner width) and codes (u, window) of units at their places."""
        around = self.window(_Codes.apply(self.colour_table(), seen))  # type: ignore[no-untyped-call]
        x = torch.addcmul(around + rows(self.place, place), inner, 1 + rows(self.gain, place))
        for block in self.blocks:
            x = block(x)
        odds: Tensor = self.out(self.inner_norm(x))
        return odds.masked_fill(barred, NEVER)

    def told(self, factors: Tensor) -> Tensor:
        """(B, width): what the factors say."""
        total = self.begin.new_zeros(len(factors), self.sizes.wide)
        for place, values in enumerate(self.factors):
            total = total + values[factors[:, place]]
        return total

    def places(self) -> Tensor:
        """(patches, width)."""
        return (self.row[:, None] + self.column).flatten(0, 1)

    def next_places(self) -> Tensor:
        """(patches, width)."""
        return (self.next_row[:, None] + self.next_column).flatten(0, 1)


def cut(grid: Tensor, config: Config) -> Tensor:
    """(B, height, width) → (B, patches, pixels)."""
    parts = grid.reshape(-1, config.rows, config.patch, config.columns, config.patch)
    return parts.transpose(2, 3).reshape(-1, config.patches, config.pixels)


def joined(parts: Tensor, config: Config) -> Tensor:
    """(B, patches, pixels) → (B, height, width)."""
    grid = parts.reshape(-1, config.rows, config.columns, config.patch, config.patch)
    return grid.transpose(2, 3).reshape(-1, config.height, config.width)


def rows(values: Tensor, places: Tensor) -> Tensor:
    """values[places] of a small table."""
    return torch.as_tensor(_Rows.apply(values, places))  # type: ignore[no-untyped-call]


def _places(config: Config, sizes: Sizes) -> dict[str, Tensor]:
    """Where units and their windows lie in a padded picture.

    `corners` (patches · units,): the first place of a unit's window; `offsets` (window,): from there to all its places;
    `ranks` (padded pixels,): when each is drawn; never outside.
    """
    reach, side = sizes.window // 2, config.patch
    numbers = torch.arange(config.patches * config.pixels // sizes.unit)
    of_pixels = numbers.repeat_interleave(sizes.unit).view(1, config.patches, config.pixels)
    ranks = functional.pad(joined(of_pixels, config)[0], (reach,) * 4, value=len(numbers))
    across = config.width + 2 * reach
    patch, unit = (
        numbers.div(config.pixels // sizes.unit, rounding_mode="floor"),
        numbers % (config.pixels // sizes.unit),
    )
    first = unit * sizes.unit
    y = patch.div(config.columns, rounding_mode="floor") * side + first.div(side, rounding_mode="floor")
    x = patch % config.columns * side + first % side
    down, right = torch.arange(sizes.span[0]), torch.arange(sizes.span[1])
    return {
        "corners": y * across + x,
        "offsets": (down[:, None] * across + right).flatten(),
        "ranks": ranks.flatten(),
    }


class _Chunk(NamedTuple):
    units: slice
    patches: slice


class _Work(NamedTuple):
    painter: Painter
    local: Tensor
    """(u,): the number of a unit's patch among all that have units."""
    seen: Tensor
    units: Units
    chunks: list[_Chunk]
    learning: bool

    def log_shares(self, chunk: _Chunk, inner: Tensor) -> Tensor:
        units, at = self.units, chunk.units
        barred = units.barred if len(units.barred) == 1 else units.barred[at]
        own = rows(inner, self.local[at] - chunk.patches.start)
        odds = self.painter.log_odds(own, self.seen[at], units.place[at], barred)
        return -functional.cross_entropy(odds, units.choice[at], reduction="none")


class _InChunks(Function):
    """Patches a few at a time, forwards and backwards, so that what lies between stays in the cache."""

    @staticmethod
    def forward(ctx: Any, work: _Work, inner: Tensor, *parameters: Tensor) -> Tensor:
        learning = work.learning
        found = inner.new_empty(len(work.local))
        sums = [torch.zeros_like(one) for one in (inner, *parameters)] if learning else []
        for chunk in work.chunks:
            with torch.set_grad_enabled(learning):
                part = inner[chunk.patches].detach().requires_grad_(learning)
                likely = work.log_shares(chunk, part)
            found[chunk.units] = likely.detach()
            if learning:
                mine, *others = torch.autograd.grad(likely, [part, *parameters], torch.ones_like(likely))
                sums[0][chunk.patches] = mine
                for total, one in zip(sums[1:], others, strict=True):
                    total.add_(one)
        ctx.save_for_backward(*sums)
        return found

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Of the sum of all: every unit must count alike."""
        weight = gradients[0].flatten()[:1]
        if not bool((gradients[0] == weight).all()):
            raise RuntimeError("units can be learnt from as a sum alone")
        return None, *(one * weight for one in ctx.saved_tensors)


class _Rows(Function):
    """Rows of a small table; gradients by a product, which is faster than adding up one by one."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, places: Tensor) -> Tensor:
        ctx.save_for_backward(places)
        ctx.length = len(values)
        return values.index_select(0, places)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (places,) = ctx.saved_tensors
        hot = functional.one_hot(places, ctx.length).to(gradients[0].dtype)
        return hot.T @ gradients[0], None


class _Codes(Function):
    """(n, window · width): the rows of a table for codes (n, window); gradients by counting, column after column."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, codes: Tensor) -> Tensor:
        ctx.save_for_backward(codes)
        ctx.length = len(values)
        return functional.embedding(codes, values).flatten(1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (codes,) = ctx.saved_tensors
        flat = codes.flatten()
        gradient = gradients[0].view(len(flat), -1)
        if gradient.device.type != "cpu":
            return gradient.new_zeros(ctx.length, gradient.shape[1]).index_add_(0, flat, gradient), None
        sums = [torch.bincount(flat, one, ctx.length) for one in gradient.unbind(dim=1)]
        return torch.stack(sums, dim=1).to(gradient.dtype), None
