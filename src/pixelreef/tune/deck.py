"""Which pairs a step teaches, decided by the seed and the number of the step alone.

So there is no position to keep: a run that is resumed at a step sees what it would have seen. Every pair comes once an
epoch, in an order of that epoch's own. A batch is dealt out in parts that are in memory together; which process has
which part changes nothing of the sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pixelreef.core.seeds import derive, rng
from pixelreef.tune.recipe import Recipe
from pixelreef.tune.tokenised import Tokenised


class Deck:
    """The batches of a run."""

    def __init__(self, pairs: Sequence[Tokenised], recipe: Recipe) -> None:
        self.pairs, self.recipe = pairs, recipe
        self._epoch: tuple[int, list[int]] = (-1, [])

    @property
    def epoch_steps(self) -> int:
        """Steps in which every pair comes about once."""
        return math.ceil(len(self.pairs) / self.recipe.batch)

    @property
    def steps(self) -> int:
        """Of the whole run."""
        return self.recipe.steps or math.ceil(self.recipe.epochs * len(self.pairs) / self.recipe.batch)

    def batch(self, step: int) -> list[Tokenised]:
        """All pairs of a step."""
        size = self.recipe.batch
        return [self.pairs[self._place(number)] for number in range(step * size, (step + 1) * size)]

    def parts(self, step: int, rank: int, world: int) -> list[tuple[int, list[Tokenised]]]:
        """(seed of its dropout, pairs) of the parts that one process of `world` has."""
        batch, size, groups = self.batch(step), self.recipe.at_once, self.recipe.groups
        return [
            (derive(self.recipe.seed, "tune", "dropout", step * groups + at) >> 1, batch[at * size : (at + 1) * size])
            for at in range(rank, groups, world)
        ]

    def _place(self, number: int) -> int:
        epoch, at = divmod(number, len(self.pairs))
        if self._epoch[0] != epoch:
            order = rng(self.recipe.seed, "tune", "epoch", epoch).permutation(len(self.pairs))
            self._epoch = (epoch, order.tolist())
        return self._epoch[1][at]


def looked_at(pairs: Sequence[Tokenised], recipe: Recipe) -> list[Tokenised]:
    """Some of the pairs held back, of each encoding so many, always the same."""
    found: list[Tokenised] = []
    for name in dict.fromkeys(pair.encoding for pair in pairs):
        mine = [pair for pair in pairs if pair.encoding == name]
        order = rng(recipe.seed, "tune", "looked", name).permutation(len(mine))
        found += [mine[int(place)] for place in np.sort(order[: recipe.looked])]
    return found
