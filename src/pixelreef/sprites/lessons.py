"""Lessons: what a model is shown at each step, decided by the seed and the number of the step alone.

So there is no position and no random state to keep: a run that is resumed at a step sees what it would have seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.given import random_given
from pixelreef.sprites.network import Batch
from pixelreef.sprites.plan import plan_from_given
from pixelreef.sprites.recipe import Recipe


@dataclass(frozen=True, eq=False)
class Pupils:
    """The sprites of a corpus, as a model takes them."""

    grids: NDArray[np.uint8]
    """(n, height, width)."""
    factors: NDArray[np.intp]
    """(n, factors) places of values; the number of values where one is not known."""

    def __post_init__(self) -> None:
        if not len(self.grids):
            raise InputError("corpus", "hold sprites to learn from", 0)


class Lessons:
    """The batches of one process of `world`; every process has its own part of each batch."""

    def __init__(self, sprites: Pupils, config: Config, recipe: Recipe, rank: int = 0, world: int = 1) -> None:
        if recipe.batch % world:
            raise InputError("batch of the recipe", f"be a multiple of {world} devices", recipe.batch)
        self.sprites, self.config, self.recipe = sprites, config, recipe
        self.rank, self.size = rank, recipe.batch // world
        self._epoch: tuple[int, NDArray[np.intp]] = (-1, np.zeros(0, np.intp))

    def at(self, step: int) -> Batch:
        """The batch of a step."""
        random = rng(self.recipe.seed, "lesson", step, self.rank)
        first = step * self.recipe.batch + self.rank * self.size
        places = np.array([self._place(first + number) for number in range(self.size)])
        grids = self.sprites.grids[places].astype(np.int64)
        factors = self.sprites.factors[places].copy()
        if self.recipe.flip:
            turned = random.random(self.size) < 0.5
            grids[turned] = grids[turned, :, ::-1]
        untold = random.random(self.size) < self.recipe.untold
        factors[untold] = [len(values) for values in self.config.factors.values()]
        # One kind for the whole batch, the same in all processes: a batch of plain ones has no patches to show.
        plain = rng(self.recipe.seed, "kind", step).random() < self.recipe.plain
        if plain or self.recipe.shape == "raster":
            return plain_batch(grids, factors, self.config)
        return batch_with_given(grids, factors, np.stack([random_given(random, g, self.config) for g in grids]), self.config)

    def _place(self, number: int) -> int:
        """The place of the number-th sprite of the run: every sprite once an epoch."""
        count = len(self.sprites.grids)
        epoch, place = divmod(number, count)
        if self._epoch[0] != epoch:
            self._epoch = (epoch, rng(self.recipe.seed, "epoch", epoch).permutation(count))
        return int(self._epoch[1][place])


def plain_batch(grids: NDArray[np.int64], factors: NDArray[np.intp], config: Config) -> Batch:
    """Row by row, nothing given."""
    order = torch.arange(config.patches).expand(len(grids), -1)
    return Batch(torch.from_numpy(grids), torch.from_numpy(factors.astype(np.int64)), order)


def batch_with_given(
    grids: NDArray[np.int64], factors: NDArray[np.intp], given: NDArray[np.bool_], config: Config
) -> Batch:
    """Each sprite with its own mask of given pixels, (n, height, width)."""
    plans = [plan_from_given(one, config) for one in given]
    longest = max(len(plan.shown) for plan in plans)
    shown = np.full((len(plans), longest), -1, np.int64)
    for row, plan in zip(shown, plans, strict=True):
        row[: len(plan.shown)] = plan.shown
    return Batch(
        torch.from_numpy(grids),
        torch.from_numpy(factors.astype(np.int64)),
        torch.tensor([plan.order for plan in plans]),
        torch.from_numpy(given),
        torch.from_numpy(shown),
    )
