"""Where a parent stands: on the model's canvas, and over the other parent."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pixelreef.errors import InputError
from pixelreef.sprites.breed.inherit import Bits, Cells, Parent

_MIRROR = 0.1  # so much more must lie over one another for a parent to be mirrored


def aligned(moved: Parent, still: Parent) -> Parent:
    """A parent moved over another, middle on middle; mirrored where that covers much more."""
    ways = [_moved(one, still) for one in (moved, _mirrored(moved))]
    plain, mirrored = (_overlap(one.filled, still.filled) for one in ways)
    return ways[1] if mirrored > plain + _MIRROR else ways[0]


def _moved(moved: Parent, still: Parent) -> Parent:
    shift = [round(one - other) for one, other in zip(_middle(still.filled), _middle(moved.filled), strict=True)]
    labels = None if moved.labels is None else _shifted(moved.labels, shift, 0)
    return replace(moved, cells=_shifted(moved.cells, shift, moved.ground), labels=labels)


def _shifted(values: Cells, shift: list[int], blank: int) -> Cells:
    found = np.full_like(values, blank)
    (top, bottom), (left, right) = (
        (max(0, by), min(size, size + by)) for by, size in zip(shift, values.shape, strict=True)
    )
    found[top:bottom, left:right] = values[top - shift[0] : bottom - shift[0], left - shift[1] : right - shift[1]]
    return found


def _mirrored(parent: Parent) -> Parent:
    labels = None if parent.labels is None else parent.labels[:, ::-1]
    return replace(parent, cells=parent.cells[:, ::-1], labels=labels)


def _middle(filled: Bits) -> tuple[float, float]:
    rows, columns = np.nonzero(filled)
    if not len(rows):
        return filled.shape[0] / 2, filled.shape[1] / 2
    return (rows.min() + rows.max()) / 2, (columns.min() + columns.max()) / 2


def _overlap(a: Bits, b: Bits) -> float:
    """Intersection over union."""
    return float((a & b).sum() / max(1, (a | b).sum()))


def placed(cells: Cells, height: int, width: int, ground: int) -> Cells:
    """In the middle of a canvas."""
    if cells.shape[0] > height or cells.shape[1] > width:
        size = f"{cells.shape[1]} × {cells.shape[0]}"
        raise InputError("parent", f"be at most {width} × {height} pixels", size, verbatim=True)
    found = np.full((height, width), ground, np.uint8)
    top, left = (height - cells.shape[0]) // 2, (width - cells.shape[1]) // 2
    found[top : top + cells.shape[0], left : left + cells.shape[1]] = cells
    return found
