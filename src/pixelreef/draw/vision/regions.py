"""Connected regions of masks, with their boxes: what a check counts, measures and relates.

Several masks are labelled in one call, as layers that do not touch one another, since on 24×24 the call itself costs
more than the cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from pixelreef.draw.vision.sight import Mask

_SIDES = np.zeros((3, 3, 3), bool)  # cells touch along an edge …
_SIDES[1] = ndimage.generate_binary_structure(2, 1)
_CORNERS = np.zeros((3, 3, 3), bool)  # … or at a corner too
_CORNERS[1] = True
_FEW = 2  # up to so many boxes are found faster one by one

Labels = NDArray[np.signedinteger]


@dataclass(frozen=True, eq=False)
class Region:
    """Cells that hang together. Rows count downwards; `bottom` and `right` are the last row and column inside."""

    layer: int
    area: int
    top: int
    left: int
    bottom: int
    right: int
    mask: Mask
    """(height, width): the cells within the region's own box."""

    @property
    def height(self) -> int:
        return self.bottom - self.top + 1

    @property
    def width(self) -> int:
        return self.right - self.left + 1

    @property
    def middle(self) -> tuple[float, float]:
        """(row, column) of the box's middle."""
        return (self.top + self.bottom) / 2, (self.left + self.right) / 2

    def holds(self, other: Region) -> bool:
        """Whether the other's box lies within this one's."""
        return (
            self.top <= other.top
            and other.bottom <= self.bottom
            and self.left <= other.left
            and other.right <= self.right
        )

    def over(self, other: Region, gap: int = 1) -> bool:
        """Whether this stands on top of the other: it ends where the other begins, and their columns overlap."""
        close = -gap <= other.top - self.bottom - 1 <= gap
        return close and self.left <= other.right and other.left <= self.right


def regions(masks: Sequence[Mask], least: int = 1, corners: bool = False) -> list[Region]:
    """The regions of at least `least` cells of every mask (its place is the layer), the largest first."""
    labels, areas = _labelled(np.stack(masks), corners)
    large = [label for label in np.argsort(-areas, kind="stable").tolist() if areas[label] >= max(least, 1)]
    if len(large) <= _FEW:
        return [_region(labels, label, int(areas[label])) for label in large]
    boxes = ndimage.find_objects(labels)
    return [_boxed(labels, label, int(areas[label]), boxes[label - 1]) for label in large]


def largest(mask: Mask, corners: bool = False) -> Region | None:
    """The largest region of one mask."""
    labels, areas = _labelled(mask[None], corners)
    label = int(areas.argmax())
    return _region(labels, label, int(areas[label])) if areas[label] else None


def in_layer(found: Sequence[Region], layer: int) -> list[Region]:
    """The regions of one mask, the largest first."""
    return [region for region in found if region.layer == layer]


def _labelled(masks: Mask, corners: bool) -> tuple[Labels, NDArray[np.intp]]:
    """(layers, H, W) labels from 1, and the cells of each label; label 0 is outside and has none."""
    labels, _ = ndimage.label(masks, _CORNERS if corners else _SIDES)
    areas = np.bincount(labels.ravel())
    areas[0] = 0
    return labels, areas


def _region(labels: Labels, label: int, area: int) -> Region:
    layers, rows, columns = np.nonzero(labels == label)
    box = (
        slice(int(layers[0]), int(layers[0]) + 1),
        slice(int(rows[0]), int(rows[-1]) + 1),  # nonzero goes row by row
        slice(int(columns.min()), int(columns.max()) + 1),
    )
    return _boxed(labels, label, area, box)


def _boxed(labels: Labels, label: int, area: int, box: tuple[slice, ...]) -> Region:
    layer, rows, columns = box
    mask = labels[layer.start, rows, columns] == label
    return Region(layer.start, area, rows.start, columns.start, rows.stop - 1, columns.stop - 1, mask)
