"""Bringing sprites of any size to one size, inventing no colour: centred, padded, reduced by whole factors."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.errors import GridError


def subject_box(cells: Cells, transparent: int | None) -> tuple[slice, slice]:
    """(rows, columns) of the smallest box around everything visible; the whole grid when nothing is transparent.

    >>> subject_box(np.array([[0, 0, 0], [0, 3, 0]], np.uint8), 0)
    (slice(1, 2, None), slice(1, 2, None))
    """
    seen = np.ones(cells.shape, bool) if transparent is None else cells != transparent
    if not seen.any():
        return slice(0, cells.shape[0]), slice(0, cells.shape[1])
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def fitted(
    cells: Cells, size: tuple[int, int], transparent: int | None, box: tuple[slice, slice] | None = None
) -> Cells:
    """The sprite on a grid of `size` (width, height).

    One of that size stays as it is. Another is cut to its subject, reduced by the smallest whole factor that makes it
    fit (the commonest colour of each block), and centred on transparency. Frames of one creature are given the `box`
    around all of them, so that they keep their places.

    >>> fitted(np.array([[7]], np.uint8), (3, 2), transparent=0).tolist()
    [[0, 7, 0], [0, 0, 0]]
    """
    width, height = size
    if cells.shape == (height, width):
        return cells
    subject = cells[box or subject_box(cells, transparent)]
    factor = max(-(-subject.shape[0] // height), -(-subject.shape[1] // width))
    if factor > 1:
        subject = reduced(subject, factor, transparent)
    if transparent is None and subject.shape != (height, width):
        todo = "Give a palette with a transparent entry, or keep the sprites' own sizes."
        raise GridError("sprite", f"fill {width} × {height} when nothing is transparent", subject.shape[::-1], todo)
    placed = np.full((height, width), transparent or 0, np.uint8)
    top, left = (height - subject.shape[0]) // 2, (width - subject.shape[1]) // 2
    placed[top : top + subject.shape[0], left : left + subject.shape[1]] = subject
    return placed


def reduced(cells: Cells, factor: int, transparent: int | None) -> Cells:
    """The commonest colour of each factor × factor block; of equals, the one visible, then the lowest index.

    The last blocks of a row or column may be partly outside and count what is inside.

    >>> reduced(np.array([[1, 1, 2], [1, 2, 2]], np.uint8), 2, None).tolist()
    [[1, 2]]
    """
    rows, columns = -(-cells.shape[0] // factor), -(-cells.shape[1] // factor)
    inside = np.zeros((rows * factor, columns * factor), bool)
    chosen, most = np.zeros((rows, columns), np.uint8), np.zeros((rows, columns))
    for value in np.unique(cells):
        inside[: cells.shape[0], : cells.shape[1]] = cells == value
        count = inside.reshape(rows, factor, columns, factor).sum(axis=(1, 3)) - 0.5 * (value == transparent)
        chosen[count > most] = value  # values ascend, so a tie stays with the lower
        most = np.maximum(count, most)
    return chosen
