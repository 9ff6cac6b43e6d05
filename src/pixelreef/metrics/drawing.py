"""Single measures of a drawing: the published ones with their defects mended, and rows against columns.

What is mended, for all of them: each is defined for a palette of one colour; a cell outside the palette raises nothing;
colours too close to tell apart count once; the background is the most common colour of the outermost cells, not index
0; every row and column is looked at, the last ones too.

They describe, and claim nothing: noise has the highest entropy, a blank drawing the highest agreement. The scores that
claim quality are in `headline` and `craft`.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.metrics.measure import NULLS, measure
from pixelreef.metrics.tally import Integers, Tally

_NOISE = ("uniform noise", "palette noise", "shuffled pixels")
_SAME_CELLS = ("palette noise", "shuffled rows", "shuffled pixels")


@measure("palette_validity", direction="higher", topped_by=NULLS)
def palette_validity(tally: Tally) -> Floats:
    """The share of cells that are an index of the palette.

    Range: 0 to 1. Direction: higher is better. Empty: there is no drawing without cells.

    >>> rgb = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    >>> palette_validity(Tally(np.array([[[0, 1], [2, 9]]], np.uint8), rgb, np.array([2]))).tolist()
    [0.5]
    """
    return np.asarray(1 - tally.strays.mean(axis=(1, 2)))


@measure("colour_efficiency", direction="higher", topped_by=("uniform noise", *_SAME_CELLS))
def colour_efficiency(tally: Tally) -> Floats:
    """The share of the palette's entries that are used and are a colour of their own.

    Of entries too close to tell apart one counts. Cells outside the palette use none.

    Range: 0 to 1. Direction: higher is better. Empty: a blank drawing uses one entry, so has 1 over the length.

    >>> rgb = np.array([[[0, 0, 0], [0, 0, 1], [255, 255, 255], [255, 0, 0]]], np.uint8)
    >>> colour_efficiency(Tally(np.array([[[0, 1], [2, 9]]], np.uint8), rgb, np.array([4]))).tolist()
    [0.5]
    """
    return np.asarray(tally.used.sum(axis=1) / tally.colours)


@measure("fill_balance", direction="higher", topped_by=("uniform noise", *_SAME_CELLS))
def fill_balance(tally: Tally) -> Floats:
    """How evenly cells are shared between subject and background: 1 − |2 · share that is not background − 1|.

    Range: 0 to 1, at half and half. Direction: higher is more even. Empty: a blank drawing has 0.

    >>> rgb = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    >>> one_of_nine = np.array([[[1, 1, 1], [1, 0, 1], [1, 1, 1]]], np.uint8)
    >>> fill_balance(Tally(one_of_nine, rgb, np.array([2]))).round(3).tolist()
    [0.222]
    """
    behind = np.take_along_axis(tally.histogram, tally.background[:, None], axis=1)[:, 0] / tally.size
    return np.asarray(1 - np.abs(2 * behind - 1))


@measure("edge_density", direction="neither", topped_by=_NOISE)
def edge_density(tally: Tally) -> Floats:
    """The share of neighbours, sideways and up and down, that differ in colour.

    Range: 0 to 1. Direction: neither; a maze is dense, a sun is not, noise is densest. Empty: one cell has 0.

    >>> rgb = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    >>> edge_density(Tally(np.array([[[0, 1], [0, 0]]], np.uint8), rgb, np.array([2]))).tolist()
    [0.5]
    """
    return 1 - _equal_share(tally.neighbours)


@measure("entropy", direction="neither", topped_by=("uniform noise", *_SAME_CELLS))
def entropy(tally: Tally) -> Floats:
    """Shannon entropy of the colours as a share of ln(palette length): 1 when all are used alike.

    A palette of one colour is taken as one of two of which one is unused. Cells outside the palette count as one more
    colour, and the share is cut at 1.

    Range: 0 to 1. Direction: neither; noise is highest. Empty: a blank drawing has 0.

    >>> rgb = np.array([[[0, 0, 0]]], np.uint8)
    >>> entropy(Tally(np.zeros((1, 2, 2), np.uint8), rgb, np.array([1]))).tolist()
    [0.0]
    """
    return np.minimum(tally.nats / tally.most_nats, 1.0)


@measure("row_agreement", direction="neither", topped_by=("blank", "one-colour", "shuffled rows"))
def row_agreement(tally: Tally) -> Floats:
    """The share of neighbours along a row that have one colour.

    Range: 0 to 1. Direction: neither; a blank drawing is highest. Empty: a drawing of one column has 1.
    """
    return _equal_share(tally.along_rows[:, 0])


@measure("column_agreement", direction="neither", topped_by=("blank", "one-colour"))
def column_agreement(tally: Tally) -> Floats:
    """The share of neighbours along a column that have one colour. Text written row by row has less of it than along
    rows; a picture seen as two-dimensional about as much.

    Range: 0 to 1. Direction: neither; a blank drawing is highest. Empty: a drawing of one row has 1.
    """
    return _equal_share(tally.along_columns[:, 0])


@measure("row_coherence", direction="higher", topped_by=("shuffled rows",))
def row_coherence(tally: Tally) -> Floats:
    """How much a cell tells of its neighbour along the row, beyond chance, as a share of all there is to tell.

    Range: 0 (noise) to 1. Direction: higher is better. Empty: one colour tells nothing: 0.
    """
    return _of_all(tally.row_information, tally.nats)


@measure("column_coherence", direction="higher")
def column_coherence(tally: Tally) -> Floats:
    """How much a cell tells of its neighbour along the column, beyond chance, as a share of all there is to tell.

    Range: 0 (noise) to 1. Direction: higher is better. Empty: one colour tells nothing: 0.
    """
    return _of_all(tally.column_information, tally.nats)


def _equal_share(pairs: Integers) -> Floats:
    total = pairs.sum(axis=(1, 2))
    equal = np.einsum("nii->n", pairs)
    return np.where(total > 0, equal / np.maximum(total, 1), 1.0)


def _of_all(shared: Floats, nats: Floats) -> Floats:
    return np.where(nats > 0, np.minimum(shared / np.maximum(nats, 1e-12), 1.0), 0.0)
