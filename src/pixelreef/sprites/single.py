"""Drawing one sprite: the same steps as `drawing`, on one row, or with guidance on two.

Products of a vector and a matrix run at the speed of memory, and every call of numpy costs as much as a small one of
them: here there are as few as can be, and what is seen around a unit is added up from a table (`Painter.table`).
Empty patches come in runs, and several steps take hardly longer than one: behind an empty patch the states of a few
more are worked out as if those were empty too, and forgotten from the first on that is not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pixelreef.sprites.choose import Reals, Sampling, chosen_one, log_shares
from pixelreef.sprites.config import EMPTY, MIXED, NEVER, Config
from pixelreef.sprites.cut import Bits, grid_from_patches, patches_from_grid
from pixelreef.sprites.dense import Whole
from pixelreef.sprites.model import Codes, Model, Painter
from pixelreef.sprites.task import Grids, Likelihood, Task

AHEAD = 6  # steps worked out at once


class Single:
    """One sprite on its way."""

    def __init__(self, model: Model, task: Task, sampling: Sampling) -> None:
        self.model, self.task, self.config = model, task, model.config
        self.sampling, self.of_shapes = sampling, sampling.of_shapes
        self.guided = sampling.guides(self.config)
        self.shapes = task.shapes[0].tolist()
        self.uniform = patches_from_grid(task.colours, self.config)[0].tolist()
        self.barred = None if task.allowed is None else ~task.allowed[0]
        self.begun = _begun(task, self.config)
        self.kinds, self.rows = _Choices(), _Choices()
        self.pixels_likely = np.zeros((self.config.patches, self.config.pixels), np.float32)

    def run(self) -> tuple[Grids, Likelihood]:
        """Draw everything."""
        config, known = self.config, self.task.known
        if known is None:
            known = np.full((1, config.height, config.width), config.unknown)
        shape = _Sheet(self.model.shape, known, self._told(self.model.shape))
        for patch, states in shape.steps(known == config.unknown):
            self._shape(shape, patch, states)
        found = shape.map()
        colours = _Sheet(self.model.colours, found, self._told(self.model.colours))
        for patch, states in colours.steps(found == config.filled):
            self._colours(colours, patch, states)
        shape_likely = self.kinds.likely(config.patches) + self.rows.likely(config.patches)
        likely = Likelihood(shape_likely[None], grid_from_patches(self.pixels_likely[None], config))
        return colours.map().astype(np.uint8), likely

    def _told(self, painter: Painter) -> Reals:
        factors = self.task.factors
        return painter.told(np.concatenate([factors, self.model.untold[None]]) if self.guided else factors)

    def _shape(self, sheet: _Sheet, patch: int, states: Reals) -> None:
        model, config = self.model, self.config
        pixels = sheet.painter.pixels[patch]
        if patch in self.begun:
            sheet.codes[pixels] = np.where(self.begun[patch] == config.ground, config.ground, config.filled)
            return
        known = sheet.codes[pixels]
        open_ = known == config.unknown
        plain = bool(open_.all()) and config.pixels > 1
        odds = states @ model.kind + model.kind_bias
        if not plain:
            odds[:, model.barred_kinds(known)] = NEVER
        kind = chosen_one(self._mixed(odds), self.shapes[patch][0], self.of_shapes)
        self.kinds.add(patch, odds[0], kind)
        if kind != MIXED:
            sheet.codes[pixels[open_]] = config.ground if kind == EMPTY else config.filled
            return
        inner = sheet.inner(states)
        side = config.patch
        for place in range(side):
            row = slice(place * side, (place + 1) * side)
            if open_[row].any():
                odds = sheet.odds(patch, place, inner[place])
                if not plain or place == side - 1:
                    odds[:, model.barred_rows(known[None], sheet.codes[pixels][None], place)[0]] = NEVER
                pattern = chosen_one(self._mixed(odds), self.shapes[patch][1 + place], self.of_shapes)
                self.rows.add(patch, odds[0], pattern)
                codes = np.where(model.filled[pattern], config.filled, config.ground)
                sheet.codes[pixels[row][open_[row]]] = codes[open_[row]]

    def _colours(self, sheet: _Sheet, patch: int, states: Reals) -> None:
        ground, pixels, uniform = self.config.ground, sheet.painter.pixels[patch], self.uniform[patch]
        if patch in self.begun:
            sheet.codes[pixels] = self.begun[patch]
            return
        places = np.flatnonzero(sheet.codes[pixels] == self.config.filled).tolist()
        inner = sheet.inner(states)
        kept = np.empty((len(places), self.config.colours), np.float32)
        choices = np.empty(len(places), np.intp)
        for number, place in enumerate(places):
            odds = sheet.odds(patch, place, inner[place])
            odds[:, ground] = NEVER
            mixed = self._mixed(odds)
            if self.barred is not None:
                mixed = np.where(self.barred, NEVER, mixed)
            colour = chosen_one(mixed, uniform[place], self.sampling)
            sheet.codes[pixels[place]] = colour
            kept[number], choices[number] = odds[0], colour
        self.pixels_likely[patch, places] = log_shares(kept, choices)

    def _mixed(self, odds: Reals) -> Reals:
        """With guidance."""
        if not self.guided:
            return np.asarray(odds[0])
        return np.asarray(odds[1] + np.float32(self.sampling.guidance) * (odds[0] - odds[1]))


def _begun(task: Task, config: Config) -> dict[int, Codes]:
    """Patch → (pixels,) colours, of those that are begun."""
    if task.begun is None:
        return {}
    cut = patches_from_grid(task.begun, config)[0]
    return {patch: codes for patch, codes in enumerate(cut) if codes[0] != config.unknown}


class _Choices:
    """What was chosen for shapes, to be told how likely it was all at once."""

    def __init__(self) -> None:
        self.patches: list[int] = []
        self.odds: list[Reals] = []
        self.choices: list[int] = []

    def add(self, patch: int, odds: Reals, choice: int) -> None:
        """One choice in a patch, from log-odds (options,)."""
        self.patches.append(patch)
        self.odds.append(odds)
        self.choices.append(choice)

    def likely(self, patches: int) -> Reals:
        """(patches,): the logarithms of their probabilities, added up."""
        total = np.zeros(patches, np.float32)
        if self.patches:
            np.add.at(total, self.patches, log_shares(np.stack(self.odds), np.array(self.choices)))
        return total


class _Sheet:
    """The map of one sprite while a painter draws on it."""

    def __init__(self, painter: Painter, known: Codes, told: Reals) -> None:
        assert painter.table is not None
        self.painter, self.known, self.told, self.table = painter, known, told, painter.table
        self.codes = painter.padded(known)
        self.rows = np.arange(len(painter.offsets)) * len(painter.colour)

    def map(self) -> Whole:
        """(1, height, width)."""
        cut = self.codes[self.painter.pixels][None]
        return grid_from_patches(cut, self.painter.config)

    def steps(self, open_: Bits) -> Iterator[tuple[int, Reals]]:
        """The patches with anything open, and the states to draw them from."""
        painter, config = self.painter, self.painter.config
        asked = np.asarray(patches_from_grid(open_, config).any(axis=2))
        order = np.flatnonzero(asked[0])
        nexts = painter.next_places[order]
        hints = painter.hints(self.known, asked)
        if hints is not None:
            nexts += hints[0, order]
        empty = painter.content(np.full((len(order), config.pixels), config.ground), order)
        behind_empty = empty[:-1] + nexts[1:]
        caches = painter.trunk.caches(len(self.told), len(order))
        ahead: list[Reals] = []
        taken = painter.begin
        for step, patch in enumerate(order.tolist()):
            if step:
                before = self.codes[painter.pixels[order[step - 1]]]
                if (before == config.ground).all():
                    if not ahead:
                        x = behind_empty[step - 1 : step - 1 + AHEAD] + self.told[:, None]
                        ahead = list(painter.trunk.after(x, caches).swapaxes(0, 1))
                    yield patch, ahead.pop(0)
                    continue
                taken = painter.content(before[None], order[step - 1 : step])
                for cache in caches:
                    cache.length -= len(ahead)
                ahead.clear()
            yield patch, painter.trunk.after_few(taken + nexts[step] + self.told, caches)

    def inner(self, states: Reals) -> Reals:
        """(units, rows, inner width): all that comes in but for the window."""
        inner = (states @ self.painter.state)[None] * self.painter.gain[:, None]
        inner += self.painter.place[:, None]
        return np.asarray(inner)

    def odds(self, patch: int, place: int, inner: Reals) -> Reals:
        """(rows, classes) of a unit."""
        seen = self.codes.take(self.painter.corners[patch, place] + self.painter.offsets)
        seen += self.rows
        inner += np.add.reduce(self.table.take(seen, axis=0), axis=0)
        return self.painter.log_odds_few(inner)
