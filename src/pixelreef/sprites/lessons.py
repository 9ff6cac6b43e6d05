"""Lessons: what a model is shown at each step, decided by the seed and the number of the step alone.

So there is no position and no random state to keep: a run that is resumed at a step sees what it would have seen. Each
sprite of a batch has its own stream, so that several processes see together what one would have seen.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.sprites.augment import NOTHING, Augmentation
from pixelreef.sprites.config import Config
from pixelreef.sprites.given import random_given
from pixelreef.sprites.lecture import Material, Whole
from pixelreef.sprites.network import Batch
from pixelreef.sprites.recipe import Recipe, check_devices


class Lessons:
    """The batches of one process of `world`; every process has its own part of each batch."""

    def __init__(
        self,
        material: Material,
        config: Config,
        recipe: Recipe,
        augmentation: Augmentation = NOTHING,
        rank: int = 0,
        world: int = 1,
    ) -> None:
        check_devices(recipe, world)
        self.material, self.config, self.recipe, self.augmentation = material, config, recipe, augmentation
        self.rank, self.size = rank, recipe.batch // world
        self._epoch: tuple[int, Whole] = (-1, np.zeros(0, np.intp))

    def at(self, step: int) -> Batch:
        """The batch of a step."""
        first = step * self.recipe.batch + self.rank * self.size
        numbers = range(first, first + self.size)
        places = np.array([self._place(number) for number in numbers])
        streams = [rng(self.recipe.seed, "lesson", number) for number in numbers]
        factors = self.material.factors[places].copy()
        untold = np.array([random.random() < self.recipe.untold for random in streams])
        factors[untold] = [len(values) for values in self.config.factors.values()]
        grids = np.stack(
            [
                self.augmentation.apply(self.material.grids[place], random)
                for place, random in zip(places, streams, strict=True)
            ]
        )
        return batch_of(grids, factors, self.config, self._known(grids, streams))

    def _known(self, grids: NDArray[np.uint8], streams: list[np.random.Generator]) -> NDArray[np.int64] | None:
        """What is shown beforehand of each sprite; nothing of the plain ones."""
        if self.recipe.shape == "raster":
            return None
        known = np.full(grids.shape, self.config.unknown, np.int64)
        for codes, grid, random in zip(known, grids, streams, strict=True):
            if random.random() >= self.recipe.plain:
                given = random_given(random, self.config)
                codes[given] = grid[given]
        return known

    def _place(self, number: int) -> int:
        """The place of the number-th sprite of the run: every sprite once an epoch."""
        count = len(self.material.grids)
        epoch, place = divmod(number, count)
        if self._epoch[0] != epoch:
            self._epoch = (epoch, rng(self.recipe.seed, "epoch", epoch).permutation(count))
        return int(self._epoch[1][place])


def batch_of(grids: NDArray[np.uint8], factors: Whole, config: Config, known: NDArray[np.int64] | None = None) -> Batch:
    """As a model takes it."""
    shown = None if known is None or (known == config.unknown).all() else torch.from_numpy(known)
    return Batch(torch.from_numpy(grids.astype(np.int64)), torch.from_numpy(factors.astype(np.int64)), shown)
