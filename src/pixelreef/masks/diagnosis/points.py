"""Points: 100 times the primary figure of one mask, mean IoU over the union, and what a repair brings back of them.

A repair is a question: had the mask been moved, renamed or recoloured so, how would it score? Search needs many such
answers, so truth and prediction are first brought to the labels that occur, and can be looked at on a coarser grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.masks.classes import Classes
from pixelreef.metrics.overlap import Labels, confusion

Table = NDArray[np.int64]


def table_of(truth: Labels, predicted: Labels, classes: Classes) -> Table:
    """(classes, classes + 1) pixels of each truth class under each predicted label, unknown last."""
    return confusion(truth, predicted, len(classes), [classes.void]).matrix


def overlaps(table: Table) -> Floats:
    """(classes, labels): the IoU of every truth class with every predicted label; 0 where both are empty."""
    both = table.sum(axis=1)[:, None] + table.sum(axis=0) - table
    return np.asarray(np.divide(table, both, out=np.zeros(table.shape), where=both > 0))


def points(table: Table) -> float:
    """100 · mean IoU over the union.

    Range: 0 to 100. Direction: higher is better. Empty: 0 when no pixel was compared.

    >>> points(np.array([[3, 1, 0], [0, 4, 0]]))
    77.5
    """
    count = len(table)
    hits = table.diagonal()
    union = table.sum(axis=1) + table[:, :count].sum(axis=0) - hits
    there = int(np.count_nonzero(union))
    return 100 * float((hits / np.maximum(union, 1)).sum()) / max(there, 1)


@dataclass(frozen=True, eq=False)
class Match:
    """Truth and prediction in the labels that occur, from 0: `count` of them, then unknown; void truth is −1."""

    truth: NDArray[np.int16]
    predicted: NDArray[np.int16]
    count: int

    def reduced(self, side: int) -> Match:
        """Of at most `side` pixels a side, by the nearest pixel."""
        step = -(-max(self.truth.shape) // side)
        if step <= 1:
            return self
        start = step // 2
        return Match(self.truth[start::step, start::step], self.predicted[start::step, start::step], self.count)

    def score(self, predicted: Labels) -> float:
        """The points of another prediction of this truth."""
        columns = self.count + 1
        codes = self.rows + predicted
        table = np.bincount(codes.ravel(), minlength=columns * columns).reshape(columns, columns)
        return points(table[1:])

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The row of each pixel in the table, as a place in it: void first, then the labels."""
        return (self.truth.astype(np.intp) + 1) * (self.count + 1)


def match(truth: Labels, predicted: Labels, classes: Classes) -> Match:
    """Both with the labels that occur, numbered anew."""
    counts = np.bincount(truth.ravel(), minlength=classes.void + 1)[: len(classes)]
    counts = counts + np.bincount(predicted.ravel(), minlength=classes.void + 1)[: len(classes)]
    there = np.flatnonzero(counts)
    short = np.full(classes.void + 1, len(there), np.int16)
    short[there] = np.arange(len(there))
    ours = short.copy()
    ours[classes.void] = -1
    return Match(ours[truth], short[predicted], len(there))
