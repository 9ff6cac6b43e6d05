"""The engine's twin in torch: samples a `reef` model with torch's arithmetic, the same uniforms and the same choice.

It is there to be compared with, not to be fast: `Twin(reef).draw(task)` keeps the keys and values of all steps before;
with `cached=False` it keeps nothing, and asks the model that is trained anew for every pixel.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from pixelreef.sprites.choose import Sampling, chosen, log_flags, log_shares
from pixelreef.sprites.dense import NEVER, Reals
from pixelreef.sprites.layers import Cache
from pixelreef.sprites.network import Batch, Reef
from pixelreef.sprites.plan import Bits, grid_from_patches, patches_from_grid, plan_from_given
from pixelreef.sprites.task import Drawn, Task
from pixelreef.sprites.weights import Weights


def reef_from_weights(weights: Weights) -> Reef:
    """The torch model with the numbers of a file: stored in float16, computed in float32."""
    reef = Reef(weights.config)
    reef.load_state_dict({name: torch.tensor(value) for name, value in weights.arrays.items()})
    return reef.eval()


class Twin:
    """A torch model ready to draw."""

    def __init__(self, reef: Reef) -> None:
        self.reef, self.config = reef, reef.config

    @torch.inference_mode()
    def draw(self, task: Task, sampling: Sampling | None = None, *, cached: bool = True) -> Drawn:
        """Draw everything, in one batch."""
        task.check(self.config)
        kind = _Cached if cached else _Uncached
        return kind(self.reef, task, sampling or Sampling()).run()


class _Drawing:
    """One batch on its way; where states and log-odds come from is for others to say."""

    def __init__(self, reef: Reef, task: Task, sampling: Sampling) -> None:
        self.reef, self.task, self.sampling, self.config = reef, task, sampling, reef.config
        self.given = task.mask(self.config)
        self.plan = plan_from_given(self.given, self.config)
        codes = np.full((len(task), self.config.height, self.config.width), self.config.unknown, np.int64)
        if task.grids is not None:
            codes[:, self.given] = task.grids[:, self.given]
        self.cut, self.known = patches_from_grid(codes, self.config), patches_from_grid(self.given, self.config)
        self.likelihood = np.zeros(len(task))

    def states(self, step: int, factors: Tensor, told: bool) -> Tensor:
        """(n, width): what the patch of this step is drawn from."""
        raise NotImplementedError

    def odds(self, states: Tensor, patch: int, inside: int) -> Tensor:
        """(n, colours)."""
        raise NotImplementedError

    def run(self) -> Drawn:
        for step, patch in enumerate(self.plan.order):
            both = [self.states(step, factors, told) for told, factors in self._factors()]
            if step >= self.plan.known:
                self._patch(patch, both)
        grids = grid_from_patches(self.cut, self.config)
        return Drawn(0, grids.astype(np.uint8), self.likelihood)

    def _factors(self) -> list[tuple[bool, Tensor]]:
        told = torch.from_numpy(self.task.factors.astype(np.int64))
        untold = torch.tensor([len(values) for values in self.config.factors.values()]).expand_as(told)
        return [(True, told), (False, untold)] if self.sampling.guides(self.config) else [(True, told)]

    def _mixed(self, odds: list[Reals]) -> Reals:
        if len(odds) == 1:
            return odds[0].copy()
        return np.asarray(odds[1] + np.float32(self.sampling.guidance) * (odds[0] - odds[1]))

    def _patch(self, patch: int, states: list[Tensor]) -> None:
        ground, shut = self.config.ground, self.known[patch]
        must = self._must()[:, patch]
        coloured = (self.cut[:, patch, shut] != ground).any(axis=1) | must.any(axis=1)
        odds = [self.reef.empty(one)[:, 0].numpy() for one in states]
        mixed = self._mixed(odds)
        empty = chosen(np.stack([mixed, 0 * mixed], axis=1), self.task.flags[:, patch], self.sampling) == 0
        empty &= ~coloured
        self.likelihood += np.where(coloured, 0, log_flags(odds[0], empty))
        uniform = patches_from_grid(self.task.colours, self.config)[:, patch]
        for inside in np.flatnonzero(~shut):
            self._pixel(patch, int(inside), states, uniform[:, inside], empty, must[:, inside])

    def _pixel(
        self, patch: int, inside: int, states: list[Tensor], uniform: np.ndarray, empty: Bits, must: Bits
    ) -> None:
        ground, last = self.config.ground, int(np.flatnonzero(~self.known[patch])[-1])
        odds = [self.odds(one, patch, inside).numpy().copy() for one in states]
        mixed = self._mixed(odds)
        others = np.delete(self.cut[:, patch], inside, axis=1)
        barred = must | (inside == last) & (others == ground).all(axis=1) & ~self._must()[:, patch].any(axis=1)
        odds[0][barred, ground] = mixed[barred, ground] = NEVER
        colours = np.where(empty, ground, chosen(mixed, uniform, self.sampling))
        self.cut[:, patch, inside] = colours
        self.likelihood += np.where(empty, 0, log_shares(odds[0], colours))

    def _must(self) -> Bits:
        """(n, patches, pixels): what can't be ground."""
        if self.task.filled is None:
            return np.zeros(self.cut.shape, np.bool_)
        return patches_from_grid(self.task.filled, self.config)


class _Uncached(_Drawing):
    """Everything anew through the functions that training uses."""

    def states(self, step: int, factors: Tensor, told: bool) -> Tensor:
        steps = self.reef.trunk(self._batch(factors), torch.from_numpy(self.cut), self._known())
        return torch.as_tensor(self.reef.norm(steps)[:, step])

    def odds(self, states: Tensor, patch: int, inside: int) -> Tensor:
        drawn = torch.zeros(self.cut.shape[:2], dtype=torch.bool)
        drawn[:, patch] = True
        batch = self._batch(torch.from_numpy(self.task.factors.astype(np.int64)))
        seen = self.reef.surroundings(batch, self._known(), drawn)
        return self.reef.pixel_logits(states, seen)[:, inside]

    def _known(self) -> Tensor:
        return torch.from_numpy(np.broadcast_to(self.known, self.cut.shape).copy())

    def _batch(self, factors: Tensor) -> Batch:
        count = len(self.cut)
        grids = torch.from_numpy(grid_from_patches(self.cut, self.config))
        order = torch.tensor(self.plan.order).expand(count, -1)
        given = torch.from_numpy(self.given).expand(count, -1, -1)
        shown = torch.tensor(self.plan.shown, dtype=torch.long).expand(count, -1)
        return Batch(grids, factors, order, given, shown)


class _Cached(_Drawing):
    """With keys and values of all steps before, and the window of one pixel at a time."""

    def __init__(self, reef: Reef, task: Task, sampling: Sampling) -> None:
        super().__init__(reef, task, sampling)
        self.caches: dict[bool, list[Cache]] = {}

    def states(self, step: int, factors: Tensor, told: bool) -> Tensor:
        reef, plan = self.reef, self.plan
        said = reef.told(factors)
        if step == 0:
            length = len(plan.shown) + len(plan.order)
            self.caches[told] = [Cache(len(factors), layer, length) for layer in reef.layers]  # type: ignore[arg-type]
            for patch in plan.shown:
                self._step(self._content(patch) + reef.shown + said, told)
        before = self._content(plan.order[step - 1]) if step else reef.begin
        return torch.as_tensor(reef.norm(self._step(before + reef.next_places()[plan.order[step]] + said, told)))

    def _content(self, patch: int) -> Tensor:
        colours = functional.embedding(torch.from_numpy(self.cut[:, patch]), self.reef.colour_table())
        return torch.as_tensor(self.reef.patch(colours.flatten(1)) + self.reef.places()[patch])

    def _step(self, x: Tensor, told: bool) -> Tensor:
        steps = x[:, None]
        for layer, cache in zip(self.reef.layers, self.caches[told], strict=True):
            steps = layer(steps, cache=cache)
        return steps[:, 0]

    def odds(self, states: Tensor, patch: int, inside: int) -> Tensor:
        reef, config = self.reef, self.config
        reach = config.window // 2
        grids = grid_from_patches(self.cut, config)
        padded = np.pad(grids, ((0, 0), (reach, reach), (reach, reach)), constant_values=config.outside)
        y, x = (config.patch * place for place in divmod(patch, config.columns))
        y, x = y + inside // config.patch, x + inside % config.patch
        seen = torch.from_numpy(padded[:, y : y + config.window, x : x + config.window].reshape(len(grids), -1))
        inner = reef.window(functional.embedding(seen, reef.colour_table()).flatten(1))
        inner = inner + reef.state(states) * (1 + reef.gain[inside]) + reef.place[inside]
        for block in reef.blocks:
            inner = block(inner)
        return torch.as_tensor(reef.out(reef.pixel_norm(inner)))
