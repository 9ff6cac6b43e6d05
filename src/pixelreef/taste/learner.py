"""A learner without torch: what colour comes next, counted in contexts of pixels already drawn.

The shapes of `contexts` stand from coarse to fine; each mixes what it has counted with what the one before it thinks,
by Witten and Bell's rule: where a context was seen n times and u different colours came next,

    p(colour) = (count(colour) + u · p_before(colour)) / (n + u)

so a context that was rarely seen, or is followed by anything, says little. The first is uniform over the palette.

    Counts(cells, 64).bits(fitted)     what each sprite costs after counting over some of them
    learn(cells, 64).sample(16, seed)  sprites that the counts draw
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.seeds import rng
from pixelreef.taste.contexts import REACH, SHAPES, Codes, Shape, context_at, contexts, followed, framed

Bits = NDArray[np.bool_]
Integers = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Numbered:
    """The contexts of one shape over all pixels, numbered through, and so the pairs of context and next colour."""

    context: Integers
    """(N, H·W)"""
    pair: Integers
    """(N, H·W)"""
    context_of: Integers
    """(pairs,)"""


class Counts:
    """Some sprites, ready to be counted over again and again: contexts are sorted once."""

    def __init__(self, cells: Cells, colours: int) -> None:
        self.colours = colours
        frames, target = framed(cells, colours), cells.reshape(len(cells), -1).astype(np.uint64)
        self._shapes = [_numbered(contexts(frames, shape).reshape(target.shape), target) for shape in SHAPES]

    def bits(self, fitted: Bits) -> Floats:
        """(N,): bits per pixel that each sprite costs when the `fitted` ones (N,) were counted."""
        likely = np.full(self._shapes[0].pair.shape, 1 / self.colours)
        for shape in self._shapes:
            pairs = np.bincount(shape.pair[fitted].ravel(), minlength=len(shape.context_of))
            kinds = np.bincount(shape.context_of[pairs > 0], minlength=int(shape.context_of.max()) + 1)
            seen = np.bincount(shape.context_of, pairs, minlength=len(kinds))
            told = 1 / np.maximum(seen + kinds, 1)
            before = np.where(kinds > 0, kinds * told, 1.0)  # an unseen context leaves everything to the one before
            likely = (pairs * told[shape.context_of])[shape.pair] + before[shape.context] * likely
        return np.asarray(-np.log2(likely).mean(axis=1))


def _numbered(context: Codes, target: Codes) -> _Numbered:
    _, pair = np.unique(followed(context, target), return_inverse=True)
    _, number = np.unique(context, return_inverse=True)
    pair, number = pair.reshape(context.shape), number.reshape(context.shape)
    context_of = np.zeros(int(pair.max()) + 1, np.intp)
    context_of[pair] = number
    return _Numbered(number, pair, context_of)


def marginal_bits(cells: Cells, colours: int, fitted: Bits) -> Floats:
    """(N,): bits per pixel by the shares of colours alone in the fitted sprites."""
    counts = np.bincount(cells[fitted].ravel(), minlength=colours) + 0.5  # Krichevsky and Trofimov's half
    cost = -np.log2(counts / counts.sum())
    return np.asarray(cost[cells].reshape(len(cells), -1).mean(axis=1))


@dataclass(frozen=True, eq=False)
class _Table:
    """What one shape has counted: contexts in order, and for each a run of the colours that came next."""

    contexts: Codes
    starts: Integers
    """(contexts + 1,): where each run starts."""
    colours: Integers
    counts: Floats
    seen: Floats
    """(contexts,): how often each was seen."""


@dataclass(frozen=True, eq=False)
class Learner:
    """Counts over sprites of one size, ready to draw."""

    colours: int
    size: tuple[int, int]
    """(height, width)"""
    tables: Sequence[_Table]

    def sample(self, n: int, seed: int) -> Cells:
        """(n, H, W): sprites drawn pixel by pixel, all n at once. The same seed gives the same sprites."""
        height, width = self.size
        random = rng(seed, "learner")
        frames = framed(np.zeros((n, height, width), np.uint8), self.colours)
        for y in range(height):
            chances = random.random((width, n, 1))
            for x in range(width):
                ladder = np.cumsum(self.likely(frames, y, x), axis=1)
                drawn = (ladder < chances[x] * ladder[:, -1:]).sum(axis=1)
                frames[:, y + REACH, x + REACH] = np.minimum(drawn, self.colours - 1)
        return np.ascontiguousarray(frames[:, REACH:, REACH:-REACH].astype(np.uint8))

    def likely(self, frames: Codes, y: int, x: int) -> Floats:
        """(n, colours): how likely each colour is at one place of framed sprites."""
        found = np.full((len(frames), self.colours), 1 / self.colours)
        for shape, table in zip(SHAPES, self.tables, strict=True):
            _told(table, context_at(frames, shape, y, x), found)
        return found


def _told(table: _Table, context: Codes, likely: Floats) -> None:
    """Mix what one shape says into what the ones before it said."""
    place = np.minimum(np.searchsorted(table.contexts, context), len(table.contexts) - 1)
    row = np.flatnonzero(table.contexts[place] == context)
    place = place[row]
    start, kinds = table.starts[place], table.starts[place + 1] - table.starts[place]
    total = table.seen[place] + kinds
    likely[row] *= (kinds / total)[:, None]
    run = np.repeat(start - np.cumsum(kinds) + kinds, kinds) + np.arange(kinds.sum())
    likely[np.repeat(row, kinds), table.colours[run]] += table.counts[run] / np.repeat(total, kinds)


def learn(cells: Cells, colours: int) -> Learner:
    """Count over sprites (N, H, W) whose indices are below `colours`."""
    frames, target = framed(cells, colours), cells.ravel().astype(np.uint64)
    tables = [_table(frames, shape, target) for shape in SHAPES]
    return Learner(colours, (cells.shape[1], cells.shape[2]), tables)


def _table(frames: Codes, shape: Shape, target: Codes) -> _Table:
    context = contexts(frames, shape).ravel()
    kinds, number, seen = np.unique(context, return_inverse=True, return_counts=True)
    colours = int(target.max()) + 1
    pairs, counts = np.unique(number.astype(np.int64) * colours + target.astype(np.int64), return_counts=True)
    starts = np.searchsorted(pairs, np.arange(len(kinds) + 1) * colours)
    return _Table(kinds, starts, pairs % colours, counts.astype(float), seen.astype(float))
