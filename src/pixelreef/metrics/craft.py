"""Craft: what pixel artists look for in a drawing, whatever it shows.

Each single measure is topped by some null (a blank drawing has no stray pixel), so none claims quality alone; `craft`
joins them with what there is to see. Nothing here knows the subject.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.metrics.measure import measure
from pixelreef.metrics.tally import Bits, Cells, Tally, substance

# OKLab distance from which a border between subject and background is as clear as it need be: a mid grey on white.
CLEAR = 0.25
Lengths = NDArray[np.int16]
_FRAME = 255  # no merged cell: there are at most 254 colours and the stray value
_EMPTY = ("blank", "one-colour")
_DISORDER = ("uniform noise", "palette noise", "shuffled rows", "shuffled pixels")
# Substance at which `craft` reaches half of what care allows. A drawn sun has 0.7, a maze of one-pixel walls 0.26.
_HALF = 0.4


@measure("orphan_pixels", direction="lower", topped_by=_EMPTY)
def orphan_pixels(tally: Tally) -> Floats:
    """The share of cells none of whose eight neighbours has their colour: clusters of one pixel, 8-connected.

    Range: 0 to 1. Direction: lower is better. Empty: a blank drawing has 0.

    >>> eye = np.array([[[0, 0, 0], [0, 1, 0], [0, 0, 0]]], np.uint8)
    >>> rgb = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    >>> float(orphan_pixels(Tally(eye, rgb, np.array([2])))[0] * 9)
    1.0
    """
    return np.asarray(_alone(tally.merged, diagonals=True).mean(axis=(1, 2)))


@measure("orphan_pixels_4", direction="lower", topped_by=_EMPTY)
def orphan_pixels_4(tally: Tally) -> Floats:
    """The share of cells none of whose four neighbours has their colour: clusters of one pixel, 4-connected.

    Diagonal lines of one pixel count here and not in `orphan_pixels`.

    Range: 0 to 1. Direction: lower is better. Empty: a blank drawing has 0.
    """
    return np.asarray(_alone(tally.merged, diagonals=False).mean(axis=(1, 2)))


@measure("jaggies", direction="lower", topped_by=_EMPTY + _DISORDER)
def jaggies(tally: Tally) -> Floats:
    """The share of the straight parts of region borders that break a line: uneven steps, and teeth.

    A sloping or curved border is a staircase of straight parts. It looks smooth as long as a part's length lies between
    its two neighbours' lengths, or within one pixel of them: 1 1 2 3 and 2 3 2 3 are smooth. An *uneven step* is
    shorter or longer than both its neighbours by two pixels or more: the 1 of 3 1 3, the 4 of 2 4 2. A *tooth* is one
    pixel that juts out of, or is missing from, a straight border with at least two pixels on either side. Parts are
    looked at along both axes.

    Range: 0 to 1. Direction: lower is better. Empty: no border has 0.
    """
    sideways = _parts(tally.merged)
    upright = _parts(tally.merged.transpose(0, 2, 1))
    broken, parts = sideways[0] + upright[0], sideways[1] + upright[1]
    return np.asarray(broken / np.maximum(parts, 1))


@measure("near_duplicate_colours", direction="lower", topped_by=_EMPTY + _DISORDER)
def near_duplicate_colours(tally: Tally) -> Floats:
    """The share of pairs of used palette entries that are closer than 0.02 in OKLab (or 3 in every byte).

    Range: 0 to 1. Direction: lower is better. Empty: fewer than two used entries have 0.
    """
    entries = np.arange(tally.kinds - 1, dtype=np.uint8)
    offsets = np.arange(len(tally), dtype=np.intp)[:, None] * 256
    counts = np.bincount((tally.cells.reshape(len(tally), -1) + offsets).ravel(), minlength=len(tally) * 256)
    used = (counts.reshape(-1, 256)[:, : tally.kinds - 1] > 0) & (entries < tally.colours[:, None])
    both = used[:, :, None] & used[:, None] & (entries[:, None] < entries)
    close = both & tally.near_duplicates
    return np.asarray(close.sum(axis=(1, 2)) / np.maximum(both.sum(axis=(1, 2)), 1))


@measure("silhouette", direction="higher", topped_by=_DISORDER)
def silhouette(tally: Tally) -> Floats:
    """How clearly the subject stands out: the OKLab distance across its border, as a share of 0.25, at most 1 each.

    The background is the most common colour of the outermost cells; the border is every pair of a background cell and
    a cell beside it, above or below that is not. The mean over the pairs. A stray cell is in no colour and counts 0.

    Range: 0 to 1. Direction: higher is better. Empty: no subject has 0.
    """
    count = len(tally)
    one = np.arange(count)
    background = np.minimum(tally.background, tally.kinds - 2)
    clear = np.minimum(tally.lab_distances[one, background] / CLEAR, 1)
    border = tally.neighbours[one, tally.background]
    border[one, tally.background] = 0
    clear[tally.background == tally.kinds - 1] = 0
    return np.asarray((border[:, :-1] * clear).sum(axis=1) / np.maximum(border.sum(axis=1), 1))


@measure("noise", direction="lower", topped_by=_EMPTY)
def noise(tally: Tally) -> Floats:
    """The share of a drawing's information that a cell's neighbours do not tell: how little order there is.

    1 − √(I_rows · I_columns) / H, with H the entropy of the colours and I the information that neighbours share beyond
    chance, one or two cells apart. The same cells shuffled have 1. One-pixel patterns (a maze) are high, but below 1.

    Range: 0 to 1. Direction: lower is better. Empty: one colour has no information, and no noise: 0.
    """
    shared = np.sqrt(tally.row_information * tally.column_information)
    return np.where(tally.nats > 0, 1 - np.minimum(shared / np.maximum(tally.nats, 1e-12), 1), 0.0)


@measure("craft", direction="higher", claims_quality=True)
def craft(tally: Tally) -> Floats:
    """How well made the drawing is: care for its pixels, times how much ordered picture there is to care for.

    Care is the mean of 1 − orphan pixels, 1 − jaggies, 1 − near-duplicate colours and the silhouette. Substance s is
    √(√(I_rows · I_columns)) · H in nats, with I the information that neighbours share beyond chance and H the entropy
    of the colours: 0 for a blank drawing and for noise. craft = care · s / (s + 0.4).

    Range: 0 to 1, about 0.9 at most with ten colours. Direction: higher is better. Empty: a blank drawing has 0.
    """
    shared = np.sqrt(tally.row_information * tally.column_information)
    there = substance(shared, tally.nats)
    flaws = orphan_pixels(tally) + jaggies(tally) + near_duplicate_colours(tally)
    care = (3 - flaws + silhouette(tally)) / 4
    return np.asarray(care * there / (there + _HALF))


def _alone(merged: Cells, *, diagonals: bool) -> Bits:
    """(N, H, W): cells with no neighbour of their colour.

    The drawings lie one after the other in one long row, framed, so that a neighbour is a fixed number of places away.
    """
    line = merged.shape[2] + 2
    framed = np.pad(merged, ((0, 0), (1, 1), (1, 1)), constant_values=_FRAME)
    flat = framed.ravel()
    accompanied = np.zeros(flat.shape, np.bool_)
    for away in (1, line, line + 1, line - 1) if diagonals else (1, line):
        equal = flat[away:] == flat[:-away]
        accompanied[away:] |= equal
        accompanied[:-away] |= equal
    return ~accompanied.reshape(framed.shape)[:, 1:-1, 1:-1]


def _parts(merged: Cells) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Jaggies and all straight parts (N,) of the borders between a row and the next.

    The borders lie in a padded plane of H + 1 lines by W + 1 places, so that looking one line up or down, or past the
    end of a line, never leaves the drawing.
    """
    count, height, width = merged.shape
    line = width + 1
    plane = np.zeros((2, count, height + 1, line), np.bool_)
    plane[0, :, 1:height, :width] = merged[:, 1:] != merged[:, :-1]  # [y, x]: cells (y − 1, x) and (y, x) differ
    plane[1, :, :height, 1:width] = merged[:, :, 1:] != merged[:, :, :-1]  # [y, x]: cells (y, x − 1) and (y, x) differ
    level, wall = plane.reshape(2, -1)
    turns = np.flatnonzero(level[1:] != level[:-1]) + 1
    starts, ends = turns[0::2], turns[1::2]  # a part is [start, end); every line begins or ends with padding
    lengths = (ends - starts).astype(np.int16)
    starting, ending = np.zeros((2, level.size), np.int16)  # the length of the part that starts, or ends, at a place
    starting[starts], ending[ends] = lengths, lengths
    # Across a wall of one cell: the part before this one and the part after it, a line higher and a line lower.
    before_above, after_above = ending[starts - line] * wall[starts - line], starting[ends - line] * wall[ends - line]
    before_below, after_below = ending[starts + line] * wall[starts], starting[ends + line] * wall[ends]
    broken = _uneven(lengths, before_above, after_below) | _uneven(lengths, before_below, after_above)
    broken |= _tooth(lengths, before_above, after_above) | _tooth(lengths, before_below, after_below)
    drawing = starts // ((height + 1) * line)
    return np.bincount(drawing[broken], minlength=count), np.bincount(drawing, minlength=count)


def _uneven(lengths: Lengths, before: Lengths, after: Lengths) -> Bits:
    shortest, longest = np.minimum(before, after), np.maximum(before, after)
    return np.asarray((shortest > 0) & ((lengths + 1 < shortest) | (lengths > longest + 1)))


def _tooth(lengths: Lengths, before: Lengths, after: Lengths) -> Bits:
    return np.asarray((lengths == 1) & (before > 1) & (after > 1))
