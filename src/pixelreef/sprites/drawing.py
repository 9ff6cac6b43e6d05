"""Drawing a batch: sprites in step, first their shapes, then their colours, a patch at a time, a unit at a time.

Each sprite has patches of its own to draw, as many as it has anything unknown in; in step k all those are on their way
that have a k-th one. With guidance every sprite has two rows one behind the other, told its factors and not; their
windows are the same and are multiplied once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pixelreef.sprites.choose import Reals, Sampling, Uniforms, chosen, log_shares
from pixelreef.sprites.config import EMPTY, FULL, MIXED, NEVER
from pixelreef.sprites.cut import Bits, grid_from_patches, patches_from_grid
from pixelreef.sprites.dense import Whole
from pixelreef.sprites.model import Codes, Model, Painter
from pixelreef.sprites.task import Grids, Likelihood, Task


class Drawing:
    """One batch on its way."""

    def __init__(self, model: Model, task: Task, sampling: Sampling, truth: Grids | None = None) -> None:
        """With `truth` (n, height, width) nothing is chosen, and it is seen how likely that is."""
        self.model, self.task, self.config = model, task, model.config
        self.sampling, self.of_shapes = sampling, sampling.of_shapes
        self.guided = sampling.guides(self.config)
        self.truth = None if truth is None else patches_from_grid(truth, self.config)
        size = (len(task), self.config.patches, self.config.pixels)
        self.shape_likely, self.pixels_likely = np.zeros(size[:2], np.float32), np.zeros(size, np.float32)
        self.uniform = patches_from_grid(task.colours, self.config)
        self.begun = None if task.begun is None else patches_from_grid(task.begun, self.config)

    def run(self) -> tuple[Grids, Likelihood]:
        """Draw everything."""
        config = self.config
        known = self.task.known
        if known is None:
            known = np.full((len(self.task), config.height, config.width), config.unknown)
        shape = Canvas(self.model.shape, known, known == config.unknown)
        for at, states in self._steps(shape):
            self._shape(shape, *self._open(shape, at, states, config.filled))
        found = shape.map()
        colours = Canvas(self.model.colours, found, found == config.filled)
        for at, states in self._steps(colours):
            self._colours(colours, *self._open(colours, at, states))
        likely = Likelihood(self.shape_likely, grid_from_patches(self.pixels_likely, config))
        return colours.map().astype(np.uint8), likely

    def _steps(self, canvas: Canvas) -> Iterator[tuple[Places, Reals]]:
        """For each step the patches that are drawn in it, and the states to draw them from."""
        painter, times = canvas.painter, 2 if self.guided else 1
        told = painter.told(self.task.factors)[:, None]
        if self.guided:
            nothing = np.broadcast_to(painter.told(self.model.untold[None]), told.shape)
            told = np.concatenate([told, nothing], axis=1)
        caches = painter.trunk.caches(times * len(told), canvas.steps)
        for step in range(canvas.steps):
            at = canvas.places(step)
            x = canvas.taken_in(step, at)[:, None] + told[at.rows]
            yield at, painter.trunk.after(x.reshape(times * len(x), 1, -1), caches)[:, 0]

    def _open(self, canvas: Canvas, at: Places, states: Reals, body: int | None = None) -> tuple[Places, Reals]:
        """Put down what is begun, `body` for all but ground where it is told; what is left to draw."""
        if self.begun is None:
            return at, states
        codes = self.begun[at.rows, at.patches]
        begun = codes[:, 0] != self.config.unknown
        if body is not None:
            codes = np.where(codes == self.config.ground, codes, body)
        row, inside = np.nonzero(np.broadcast_to(begun[:, None], codes.shape))
        canvas.put(at.some(row), inside, codes[row, inside])
        left = np.flatnonzero(~begun)
        return at.some(left), self._of(states, left)

    def _shape(self, canvas: Canvas, at: Places, states: Reals) -> None:
        """Draw the shape of one patch of every sprite."""
        model, config = self.model, self.config
        known = canvas.patch_codes(at)
        barred = model.barred_kinds(known)
        odds = model.kind_odds(states, barred.repeat(2, axis=0) if self.guided else barred)
        truth = None if self.truth is None else _kinds(self.truth[at.rows, at.patches], config.ground)
        kinds, likely = self._choose(odds, self.task.shapes[at.rows, at.patches, 0], truth, self.of_shapes)
        self.shape_likely[at.rows, at.patches] += likely
        for kind, code in ((EMPTY, config.ground), (FULL, config.filled)):
            whole, inside = np.nonzero((known == config.unknown) & (kinds == kind)[:, None])
            canvas.put(at.some(whole), inside, code)
        mixed = np.flatnonzero(kinds == MIXED)
        if len(mixed):
            self._rows(canvas, at.some(mixed), canvas.inner(self._of(states, mixed)), known[mixed])

    def _rows(self, canvas: Canvas, at: Places, inner: Reals, known: Codes) -> None:
        """Draw mixed patches row by row."""
        model, config, side = self.model, self.config, self.config.patch
        for place in range(side):
            pixels = np.arange(place * side, (place + 1) * side)
            open_ = np.flatnonzero((known[:, pixels] == config.unknown).any(axis=1))
            if not len(open_):
                continue
            here, before = at.some(open_), known[open_]
            odds = self._odds(canvas, here, place, self._of(inner, open_))
            barred = model.barred_rows(before, canvas.patch_codes(here), place)
            odds[barred.repeat(2, axis=0) if self.guided else barred] = NEVER
            truth = None
            if self.truth is not None:
                truth = (self.truth[here.rows, here.patches][:, pixels] != config.ground) @ model.bits
            uniform = self.task.shapes[here.rows, here.patches, 1 + place]
            patterns, likely = self._choose(odds, uniform, truth, self.of_shapes)
            self.shape_likely[here.rows, here.patches] += likely
            codes = np.where(model.filled[patterns], config.filled, config.ground)
            row, inside = np.nonzero(before[:, pixels] == config.unknown)
            canvas.put(here.some(row), pixels[inside], codes[row, inside])

    def _colours(self, canvas: Canvas, at: Places, states: Reals) -> None:
        """Draw the colours of one patch of every sprite."""
        config = self.config
        open_ = canvas.patch_codes(at) == config.filled
        inner = canvas.inner(states)
        for place in range(config.pixels):
            some = np.flatnonzero(open_[:, place])
            if not len(some):
                continue
            here = at.some(some)
            odds = self._odds(canvas, here, place, self._of(inner, some))
            odds[:, config.ground] = NEVER
            truth = None if self.truth is None else self.truth[here.rows, here.patches, place]
            uniform = self.uniform[here.rows, here.patches, place]
            colours, likely = self._choose(odds, uniform, truth, self.sampling, self._barred(here))
            self.pixels_likely[here.rows, here.patches, place] = likely
            canvas.put(here, np.full(len(some), place), colours)

    def _odds(self, canvas: Canvas, at: Places, place: int, inner: Reals) -> Reals:
        """(rows, classes) of unit `place` of some patches."""
        around = canvas.window(at, place)
        x = inner * canvas.painter.gain[place]
        x += around.repeat(2, axis=0) if self.guided else around
        x += canvas.painter.place[place]
        return canvas.painter.log_odds(x)

    def _barred(self, at: Places) -> Bits | None:
        """(n, colours) that may not be drawn."""
        return None if self.task.allowed is None else ~self.task.allowed[at.rows]

    def _choose(
        self, odds: Reals, uniform: Uniforms, truth: Codes | None, sampling: Sampling, barred: Bits | None = None
    ) -> tuple[Whole, Reals]:
        """(n,) choices and the logarithms of their probabilities, from log-odds of one or two rows each."""
        told = odds[::2] if self.guided else odds
        if truth is not None:
            choice = truth.astype(np.intp)
        else:
            mixed = odds
            if self.guided:
                untold = odds[1::2]
                mixed = untold + np.float32(sampling.guidance) * (told - untold)
            choice = chosen(mixed if barred is None else np.where(barred, NEVER, mixed), uniform, sampling)
        return choice, log_shares(told, choice)

    def _of(self, values: Reals, some: Whole) -> Reals:
        """The rows of some sprites."""
        if len(some) * (2 if self.guided else 1) == len(values):
            return values
        return values[np.stack([2 * some, 2 * some + 1], axis=1).ravel()] if self.guided else values[some]


class Places:
    """Some patches, at most one of each sprite."""

    def __init__(self, rows: Whole, patches: Whole) -> None:
        self.rows, self.patches = rows, patches

    def some(self, which: Whole) -> Places:
        """Of these."""
        return Places(self.rows[which], self.patches[which])


class Canvas:
    """The maps of all sprites while one painter draws on them."""

    def __init__(self, painter: Painter, known: Codes, open_: Bits) -> None:
        self.painter, config = painter, painter.config
        asked = np.asarray(patches_from_grid(open_, config).any(axis=2))
        counts = asked.sum(axis=1)
        self.steps = int(counts.max(initial=0))
        self.by_count = np.argsort(-counts, kind="stable")
        self.counts = counts[self.by_count]
        self.order = np.argsort(~asked, axis=1, kind="stable")
        self.hints = painter.hints(known, asked)
        self.codes = painter.padded(known)
        self.around = painter.colour[self.codes]

    def map(self) -> Codes:
        """(n, height, width)."""
        reach, painter = self.painter.reach, self.painter
        padded = self.codes.reshape(-1, painter.size // painter.across, painter.across)
        return np.ascontiguousarray(
            padded[:, reach : reach + painter.config.height, reach : reach + painter.config.width]
        )

    def places(self, step: int) -> Places:
        """What is drawn in a step; those with most patches first."""
        rows = self.by_count[: int((self.counts > step).sum())]
        return Places(rows, self.order[rows, step])

    def taken_in(self, step: int, at: Places) -> Reals:
        """(n, width): what the trunk takes in to draw these, but for the factors."""
        painter = self.painter
        if step:
            before = Places(at.rows, self.order[at.rows, step - 1])
            x = painter.content(self.patch_codes(before), before.patches)
        else:
            x = np.broadcast_to(painter.begin, (len(at.rows), len(painter.begin)))
        x = x + painter.next_places[at.patches]
        return np.asarray(x if self.hints is None else x + self.hints[at.rows, at.patches])

    def inner(self, states: Reals) -> Reals:
        """(rows, inner width): what the trunk says to units."""
        return np.asarray(states @ self.painter.state)

    def patch_codes(self, at: Places) -> Whole:
        """(n, pixels)."""
        return self.codes.take(self.painter.pixels[at.patches] + (at.rows * self.painter.size)[:, None])

    def window(self, at: Places, place: int) -> Reals:
        """(n, inner width): what is seen around a unit adds."""
        corners = self.painter.corners[at.patches, place] + at.rows * self.painter.size
        seen = self.around.take(corners[:, None] + self.painter.offsets, axis=0)
        return np.asarray(seen.reshape(len(corners), -1) @ self.painter.window)

    def put(self, at: Places, inside: Whole, codes: Codes | int) -> None:
        """Draw one pixel of each of some patches."""
        places = self.painter.pixels[at.patches, inside] + at.rows * self.painter.size
        self.codes[places] = codes
        self.around[places] = self.painter.colour[codes]


def _kinds(cut: Codes, ground: int) -> Whole:
    """(n,) of patches (n, pixels)."""
    filled = (cut != ground).sum(axis=1)
    return np.where(filled == 0, EMPTY, np.where(filled == cut.shape[1], FULL, MIXED))
