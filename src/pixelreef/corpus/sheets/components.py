"""Packed sheets without a grid: what hangs together is a sprite, with the bits that float around it.

Pixels that touch, corners too, are one part. Parts whose boxes overlap, or have fewer than `near` pixels between
them, are one sprite, and a part much smaller than the usual sprite (an eye, a spark) belongs to the nearest one within
reach.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import ImageError

MAX_PARTS = 5000
NEAR = 0  # boxes must overlap to be one sprite: packers leave as little as one pixel between two
_SMALL = 0.1  # of the median part's area
_REACH = 0.25  # of the median sprite's side


@dataclass(frozen=True)
class Part:
    """A box (top, left, bottom, right), the last two one past the end, and its visible pixels."""

    box: tuple[int, int, int, int]
    area: int


def find_components(seen: NDArray[np.bool_], near: int = NEAR) -> list[Part]:
    """The sprites of a sheet in reading order: shelf by shelf, from the left."""
    parts = _touching(seen)
    boxes, areas = _merged(*parts, near)
    if len(boxes) > 1:
        boxes, areas = _merged(*_with_bits(boxes, areas), near)
    return [Part(tuple(box), int(area)) for box, area in _in_reading_order(boxes, areas)]  # type: ignore[arg-type]


def _touching(seen: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(n, 4) boxes and (n,) areas of the connected parts."""
    from scipy import ndimage

    labels, count = ndimage.label(seen, np.ones((3, 3)))
    if count > MAX_PARTS:
        todo = "Give --cell, or --background if its backdrop was not seen."
        raise ImageError("sheet", f"have at most {MAX_PARTS:,} connected parts to be cut by them", count, todo)
    found = ndimage.find_objects(labels)
    boxes = [(rows.start, columns.start, rows.stop, columns.stop) for rows, columns in found]
    return np.array(boxes, np.intp).reshape(-1, 4), np.bincount(labels.ravel(), minlength=count + 1)[1:]


def _merged(boxes: NDArray[np.intp], areas: NDArray[np.intp], near: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Boxes that overlap or have fewer than `near` pixels between them made one, until none does."""
    while len(boxes) > 1:
        groups = _groups(_gaps(boxes) < near)
        if len(np.unique(groups)) == len(boxes):
            break
        boxes, areas = _joined(boxes, areas, groups)
    return boxes, areas


def _with_bits(boxes: NDArray[np.intp], areas: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Small parts joined to the nearest large one within reach."""
    small = areas < _SMALL * np.median(areas)
    if not small.any() or small.all():
        return boxes, areas
    sides = np.concatenate([boxes[~small, 2] - boxes[~small, 0], boxes[~small, 3] - boxes[~small, 1]])
    gaps = _gaps(boxes)
    gaps[:, small] = np.iinfo(gaps.dtype).max
    nearest = gaps.argmin(axis=1)
    within = small & (gaps[np.arange(len(boxes)), nearest] <= _REACH * np.median(sides))
    return _joined(boxes, areas, np.where(within, nearest, np.arange(len(boxes))))


def _gaps(boxes: NDArray[np.intp]) -> NDArray[np.intp]:
    """(n, n) pixels between each two boxes, the larger of both axes; below 0 where they overlap."""
    top, left, bottom, right = boxes.T
    down = np.maximum(top[:, None] - bottom[None], top[None] - bottom[:, None])
    across = np.maximum(left[:, None] - right[None], left[None] - right[:, None])
    return np.asarray(np.maximum(down, across))


def _groups(joined: NDArray[np.bool_]) -> NDArray[np.intp]:
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(joined, directed=False)[1]).astype(np.intp)


def _joined(
    boxes: NDArray[np.intp], areas: NDArray[np.intp], groups: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    names = np.unique(groups)
    made = [[*boxes[groups == name, :2].min(axis=0), *boxes[groups == name, 2:].max(axis=0)] for name in names]
    return np.array(made, np.intp), np.array([areas[groups == name].sum() for name in names])


def _in_reading_order(boxes: NDArray[np.intp], areas: NDArray[np.intp]) -> list[tuple[list[int], int]]:
    """Shelf by shelf: a box belongs to the shelf whose first box's middle it covers or begins above."""
    left = sorted(zip(boxes.tolist(), areas.tolist(), strict=True), key=lambda one: (one[0][0], one[0][1]))
    ordered = []
    while left:
        middle = (left[0][0][0] + left[0][0][2]) / 2
        shelf = [one for one in left if one[0][0] <= middle]
        ordered += sorted(shelf, key=lambda one: one[0][1])
        left = [one for one in left if one[0][0] > middle]
    return ordered
