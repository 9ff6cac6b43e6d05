"""Connected regions of many grids at once: pixels are joined into runs along rows, and runs into regions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]
Integers = NDArray[np.intp]


@dataclass(frozen=True)
class Regions:
    """The regions of N grids, numbered through."""

    pixels: Integers  # (regions,): how many pixels each has
    grid: Integers  # (regions,): the grid it is in
    first: Integers  # (regions,): its first pixel in reading order, over all grids


def runs(right: Bits) -> tuple[Bits, Integers, Integers]:
    """Which pixels (N, H, W) begin a run along their row, where these are in reading order, and how long they are."""
    starts = np.ones((*right.shape[:2], right.shape[2] + 1), np.bool_)
    np.logical_not(right, out=starts[:, :, 1:])
    heads = np.flatnonzero(starts)
    return starts, heads, np.diff(np.append(heads, starts.size))


def regions(right: Bits, down: Bits, diagonal: Bits | None = None) -> Regions:
    """Regions from which neighbours are joined.

    `right` (N, H, W − 1) joins a pixel with the next of its row, `down` (N, H − 1, W) with the one below. `diagonal`
    (2, N, H − 1, W − 1) joins the pixel with the one below and right, and the one to its right with the one below it.

    >>> found = regions(np.array([[[True, False]]]), np.zeros((1, 0, 3), bool))
    >>> found.pixels.tolist(), found.first.tolist()
    ([2, 1], [0, 2])
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    starts, heads, lengths = runs(right)
    number = np.cumsum(starts.ravel(), dtype=np.int32).reshape(starts.shape) - 1
    # Of the joins between one run and another the first is enough.
    needed = down.copy()
    needed[:, :, 1:] &= ~down[:, :, :-1] | starts[:, :-1, 1:] | starts[:, 1:, 1:]
    above, below = [number[:, :-1][needed]], [number[:, 1:][needed]]
    if diagonal is not None:
        above += [number[:, :-1, :-1][diagonal[0]], number[:, :-1, 1:][diagonal[1]]]
        below += [number[:, 1:, 1:][diagonal[0]], number[:, 1:, :-1][diagonal[1]]]
    ends = np.concatenate(above), np.concatenate(below)
    graph = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=(len(heads), len(heads)))
    found, of_run = connected_components(graph, directed=False) if len(heads) else (0, np.zeros(0, np.int32))
    pixels = np.bincount(of_run, lengths, minlength=found).astype(np.intp)
    first = np.zeros(found, np.intp)
    first[of_run[::-1]] = np.arange(len(heads))[::-1]  # of several the last is kept: the first run of each region
    return Regions(pixels, heads[first] // max(starts[:1].size, 1), heads[first])
