"""Drawing one sprite: the same steps as `drawing`, on one row, or with guidance on two.

Products of a vector and a matrix run at the speed of memory, and every call of numpy costs as much as a small one of
them: here there are as few as can be, and what is seen around a pixel is added up from a table (`Pixels.table`).
Empty patches come in runs, and several steps take hardly longer than one: behind an empty patch the states of a few
more are worked out as if those were empty too, and forgotten from the first on that is not.
"""

from __future__ import annotations

import numpy as np

from pixelreef.sprites.choose import Reals, Sampling, chosen_flag, chosen_one, log_flags, log_shares
from pixelreef.sprites.dense import NEVER
from pixelreef.sprites.model import Model
from pixelreef.sprites.pixels import Sight
from pixelreef.sprites.plan import Plan
from pixelreef.sprites.task import Grids, Sums, Task

AHEAD = 6  # steps worked out at once


class Single:
    """One sprite on its way."""

    def __init__(self, model: Model, task: Task, sampling: Sampling, plan: Plan, sight: Sight, table: Reals) -> None:
        self.model, self.sampling, self.plan, self.sight, self.table = model, sampling, plan, sight, table
        self.config = config = model.config
        self.flags, self.colours = task.flags[0].tolist(), task.colours[0].tolist()
        self.given = task.mask(config)
        self.filled = None if task.filled is None else task.filled[0]
        reach = config.window // 2
        self.wide = config.width + 2 * reach  # of a padded picture
        self.corner = reach * self.wide + reach
        padded = np.pad(model.codes(task)[0].astype(np.intp), reach, constant_values=config.outside)
        self.padded = padded.reshape(-1)
        self.codes = padded[None, reach:-reach, reach:-reach]  # a view
        self.told = model.told(task.factors)
        if sampling.guides(config):
            self.told = np.concatenate([self.told, model.told(model.untold[None])])
        self.caches = model.trunk.caches(len(self.told), len(plan.shown) + config.patches)
        self.likelihood = 0.0

    def run(self) -> tuple[Grids, Sums]:
        """Draw everything."""
        model, plan = self.model, self.plan
        first = model.steps(self.codes, plan, plan.known + 1)
        states = model.trunk.after(first + self.told[:, None], self.caches)[:, -1]
        ahead: list[Reals] = []
        empty = self._patch(plan.order[plan.known], states)
        for step in range(plan.known + 1, len(plan.order)):
            if not empty:
                self._forget(ahead)
                states = model.trunk.after_few(model.step(self.codes, plan, step) + self.told, self.caches)
            else:
                ahead = ahead or self._ahead(step)
                states = ahead.pop(0)
            empty = self._patch(plan.order[step], states)
        return self.codes.astype(np.uint8), np.array([self.likelihood])

    def _ahead(self, step: int) -> list[Reals]:
        """The states of this step and some more, if all patches from the one before on are empty."""
        order = np.array(self.plan.order[step - 1 : step + AHEAD])
        steps = self.model.bare[order[:-1]] + self.model.next_places[order[1:]]
        return list(self.model.trunk.after(steps + self.told[:, None], self.caches).swapaxes(0, 1))

    def _forget(self, ahead: list[Reals]) -> None:
        """Steps that were taken ahead in vain."""
        for cache in self.caches:
            cache.length -= len(ahead)
        ahead.clear()

    def _patch(self, patch: int, states: Reals) -> bool:
        """Draw one patch; whether it is empty."""
        box, ground = self.model.box(patch), self.config.ground
        shut = self.given[box]
        cut = self.codes[0][box]
        coloured = bool((cut[shut] != ground).any()) or (self.filled is not None and bool(self.filled[box].any()))
        if not coloured:
            odds = self.model.empty_odds(states)
            empty = chosen_flag(float(self._mixed(odds)), self.flags[patch], self.sampling)
            self.likelihood += float(log_flags(np.asarray(odds[0]), np.array(empty)))
            if empty:
                cut[...] = ground
                return True
        self._pixels(patch, states, not coloured)
        return False

    def _pixels(self, patch: int, states: Reals, bare: bool) -> None:
        """Draw the open pixels of a patch; `bare`: it has no colour yet."""
        pixels, ground = self.model.pixels, self.config.ground
        inputs = pixels.inputs(states, self.sight.constant[patch])
        rows, columns = self.model.box(patch)
        places = np.flatnonzero(~self.given[rows, columns].ravel()).tolist()
        table, taken = self.table, self.padded.take
        logits = np.empty((len(places), self.config.colours), np.float32)
        choices = np.empty(len(places), np.intp)
        for number, inside in enumerate(places):
            y, x = rows.start + inside // self.config.patch, columns.start + inside % self.config.patch
            at = y * self.wide + x
            seen = table.take(taken(self.sight.places[inside] + at) + self.sight.rows[inside], axis=0)
            inner = inputs[inside]
            inner += np.add.reduce(seen, axis=0)
            odds = pixels.logits_few(inner)
            mixed = self._mixed(odds)
            if (bare and inside == places[-1]) or (self.filled is not None and self.filled[y, x]):
                odds[0, ground] = mixed[ground] = NEVER
            colour = chosen_one(mixed, self.colours[y][x], self.sampling)
            self.padded[at + self.corner] = colour
            bare &= colour == ground
            logits[number], choices[number] = odds[0], colour
        self.likelihood += float(log_shares(logits, choices).sum(dtype=np.float64))

    def _mixed(self, odds: Reals) -> Reals:
        """With guidance."""
        if len(odds) == 1:
            return np.asarray(odds[0])
        return np.asarray(odds[1] + np.float32(self.sampling.guidance) * (odds[0] - odds[1]))
