"""Drawing a batch: sprites of one plan in step, a patch at a time, a pixel at a time.

Where a patch is empty nothing more is asked for that sprite. With guidance every sprite has two rows, the first half
told their factors and the second not; their windows are the same and are multiplied once.
"""

from __future__ import annotations

import numpy as np

from pixelreef.sprites.choose import Reals, Sampling, chosen, log_flags, log_shares
from pixelreef.sprites.dense import NEVER, Whole
from pixelreef.sprites.model import Model
from pixelreef.sprites.pixels import Sight
from pixelreef.sprites.plan import Bits, Plan
from pixelreef.sprites.task import Grids, Sums, Task


class Drawing:
    """One batch on its way."""

    def __init__(self, model: Model, task: Task, sampling: Sampling, plan: Plan, sight: Sight) -> None:
        self.model, self.task, self.sampling, self.plan, self.sight = model, task, sampling, plan, sight
        self.config = config = model.config
        self.count, self.given = len(task), task.mask(config)
        self.codes = model.codes(task)
        reach = config.window // 2
        self.wide = config.width + 2 * reach  # of a padded picture
        padded = np.pad(self.codes, ((0, 0), (reach, reach), (reach, reach)), constant_values=config.outside)
        self.size = padded[0].size
        self.around = model.pixels.colour[padded.reshape(-1)]  # (n · padded pixels, colour width)
        self.told = model.told(task.factors)
        self.guided = sampling.guides(config)
        if self.guided:
            self.told = np.concatenate([self.told, model.told(np.broadcast_to(model.untold, task.factors.shape))])
        self.caches = model.trunk.caches(len(self.told), len(plan.shown) + config.patches)
        self.likelihood = np.zeros(self.count)

    def run(self) -> tuple[Grids, Sums]:
        """Draw everything."""
        known = self.plan.known
        first = self.model.steps(self.codes, self.plan, known + 1)
        states = self._states(first)
        for step in range(known, len(self.plan.order)):
            if step > known:
                states = self._states(self.model.step(self.codes, self.plan, step)[:, None])
            self._patch(self.plan.order[step], states)
        return self.codes.astype(np.uint8), self.likelihood

    def _states(self, steps: Reals) -> Reals:
        """(rows, width): the states after the last of some more steps (n, steps, width)."""
        x = np.concatenate([steps, steps]) if self.guided else steps
        return self.model.trunk.after(x + self.told[:, None], self.caches)[:, -1]

    def _patch(self, patch: int, states: Reals) -> None:
        """Draw one patch of every sprite."""
        box = self.model.box(patch)
        ground, open_ = self.config.ground, ~self.given[box].ravel()
        cut = self.codes[:, box[0], box[1]].reshape(self.count, -1)
        coloured = (cut[:, ~open_] != ground).any(axis=1)
        if self.task.filled is not None:
            coloured |= self.task.filled[:, box[0], box[1]].any(axis=(1, 2))
        odds = self.model.empty_odds(states)
        mixed = self._mixed(odds)
        empty = chosen(np.stack([mixed, np.zeros_like(mixed)], axis=1), self.task.flags[:, patch], self.sampling) == 0
        empty &= ~coloured
        self.likelihood += np.where(coloured, 0, log_flags(odds[: self.count], empty))
        places = np.flatnonzero(open_)
        self._empty(np.flatnonzero(empty), patch)
        if not empty.all():
            busy = np.flatnonzero(~empty)
            self._pixels(patch, self._rows(states, busy), busy, ~coloured[busy], places)

    def _pixels(self, patch: int, states: Reals, busy: Whole, bare: Bits, places: Whole) -> None:
        """Draw the open pixels of a patch in the sprites where it is not empty; `bare`: those without a colour yet."""
        ground, filled = self.config.ground, self.task.filled
        inputs = self.model.pixels.inputs(states, self.sight.constant[patch])
        logits = np.empty((len(places), len(busy), self.config.colours), np.float32)
        choices = np.empty((len(places), len(busy)), np.intp)
        for number, inside in enumerate(places):
            y, x = self._place(patch, inside)
            inner = inputs[inside]
            around = self._window(busy, y, x, inside)
            inner += np.concatenate([around, around]) if self.guided else around
            odds = self.model.pixels.logits(inner)
            barred = bare if inside == places[-1] else None
            if filled is not None:
                barred = filled[busy, y, x] if barred is None else barred | filled[busy, y, x]
            mixed = self._mixed(odds)
            if barred is not None:
                odds[: len(busy)][barred, ground] = mixed[barred, ground] = NEVER
            colours = chosen(mixed, self.task.colours[busy, y, x], self.sampling)
            self._put(busy, y, x, colours)
            bare &= colours == ground
            logits[number], choices[number] = odds[: len(busy)], colours
        self.likelihood[busy] += log_shares(logits, choices).sum(axis=0, dtype=np.float64)

    def _place(self, patch: int, inside: int) -> tuple[int, int]:
        rows, columns = self.model.box(patch)
        down, right = divmod(int(inside), self.config.patch)
        return rows.start + down, columns.start + right

    def _rows(self, states: Reals, busy: Whole) -> Reals:
        if len(busy) == self.count:
            return states
        return states[np.concatenate([busy, busy + self.count])] if self.guided else states[busy]

    def _mixed(self, logits: Reals) -> Reals:
        """One row a sprite, with guidance."""
        if not self.guided:
            return logits
        told, untold = np.split(logits, 2)
        return np.asarray(untold + np.float32(self.sampling.guidance) * (told - untold))

    def _window(self, busy: Whole, y: int, x: int, inside: int) -> Reals:
        """(n, width): what is seen around a pixel adds."""
        corners = busy * self.size + (y * self.wide + x)
        seen = self.around.take(corners[:, None] + self.sight.places[inside], axis=0)
        return np.asarray(seen.reshape(len(busy), -1) @ self.sight.matrices[inside])

    def _put(self, which: Whole, y: int, x: int, colours: Whole) -> None:
        reach = self.config.window // 2
        self.codes[which, y, x] = colours
        self.around[which * self.size + ((y + reach) * self.wide + x + reach)] = self.model.pixels.colour[colours]

    def _empty(self, which: Whole, patch: int) -> None:
        """Ground in all of a patch; what is given of it is ground already."""
        reach, ground = self.config.window // 2, self.config.ground
        rows, columns = self.model.box(patch)
        self.codes[which, rows, columns] = ground
        padded = self.around.reshape(self.count, -1, self.wide, self.config.colour_width)
        rows, columns = (slice(one.start + reach, one.stop + reach) for one in (rows, columns))
        padded[which, rows, columns] = self.model.pixels.colour[ground]
