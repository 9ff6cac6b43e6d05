"""Drawing one sprite: the same steps as `drawing`, on vectors. With guidance two of them, one after the other.

A product of one vector and a matrix runs at the speed of memory, and calls of numpy on arrays of one row would cost
as much again as the arithmetic.
"""

from __future__ import annotations

import numpy as np

from pixelreef.sprites.choose import Reals, Sampling, chosen_flag, chosen_one, log_flags, log_shares
from pixelreef.sprites.dense import NEVER
from pixelreef.sprites.model import Model
from pixelreef.sprites.pixels import Sight
from pixelreef.sprites.plan import Plan
from pixelreef.sprites.task import Grids, Sums, Task


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
        told = [model.told(task.factors)[0]]
        if sampling.guides(config):
            told.append(model.told(model.untold[None])[0])
        self.streams = [(one, model.trunk.caches(1, len(plan.shown) + config.patches)) for one in told]
        self.likelihood = 0.0

    def run(self) -> tuple[Grids, Sums]:
        """Draw everything."""
        model, plan = self.model, self.plan
        first = model.steps(self.codes, plan, plan.known + 1)
        states = [model.trunk.after(first + told, caches)[0, -1] for told, caches in self.streams]
        for step in range(plan.known, len(plan.order)):
            if step > plan.known:
                x = model.step(self.codes, plan, step)[0]
                states = [model.trunk.after_one(x + told, caches) for told, caches in self.streams]
            self._patch(plan.order[step], states)
        return self.codes.astype(np.uint8), np.array([self.likelihood])

    def _patch(self, patch: int, states: list[Reals]) -> None:
        box, ground = self.model.box(patch), self.config.ground
        shut = self.given[box]
        cut = self.codes[0][box]
        coloured = bool((cut[shut] != ground).any()) or (self.filled is not None and bool(self.filled[box].any()))
        if not coloured:
            odds = [self.model.empty_odds(state) for state in states]
            empty = chosen_flag(float(self._mixed(odds)), self.flags[patch], self.sampling)
            self.likelihood += float(log_flags(odds[0], np.array(empty)))
            if empty:
                cut[...] = ground
                return
        self._pixels(patch, states, not coloured)

    def _pixels(self, patch: int, states: list[Reals], bare: bool) -> None:
        """Draw the open pixels of a patch; `bare`: it has no colour yet."""
        pixels, ground = self.model.pixels, self.config.ground
        inputs = [pixels.inputs(state[None], self.sight.constant[patch])[:, 0] for state in states]
        rows, columns = self.model.box(patch)
        places = np.flatnonzero(~self.given[rows, columns].ravel()).tolist()
        table, taken = self.table, self.padded.take
        logits = np.empty((len(places), self.config.colours), np.float32)
        choices = np.empty(len(places), np.intp)
        for number, inside in enumerate(places):
            y, x = rows.start + inside // self.config.patch, columns.start + inside % self.config.patch
            at = y * self.wide + x
            seen = table.take(taken(self.sight.places[inside] + at) + self.sight.rows[inside], axis=0)
            window = np.add.reduce(seen, axis=0)
            odds = []
            for one in inputs:
                inner = one[inside]
                inner += window
                odds.append(pixels.logits_one(inner))
            mixed = self._mixed(odds)
            if (bare and inside == places[-1]) or (self.filled is not None and self.filled[y, x]):
                odds[0][ground] = mixed[ground] = NEVER
            colour = chosen_one(mixed, self.colours[y][x], self.sampling)
            self.padded[at + self.corner] = colour
            bare &= colour == ground
            logits[number], choices[number] = odds[0], colour
        self.likelihood += float(log_shares(logits, choices).sum(dtype=np.float64))

    def _mixed(self, odds: list[Reals]) -> Reals:
        """With guidance."""
        if len(odds) == 1:
            return odds[0]
        return np.asarray(odds[1] + np.float32(self.sampling.guidance) * (odds[0] - odds[1]))
