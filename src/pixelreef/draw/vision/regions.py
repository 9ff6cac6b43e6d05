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
    labels, found = ndimage.label(np.stack(masks), _CORNERS if corners else _SIDES)
    if not found:
        return []
    areas = np.bincount(labels.ravel())
    large = [label for label in np.argsort(-areas, kind="stable").tolist() if label and areas[label] >= least]
    if not large:
        return []
    boxes = ndimage.find_objects(labels) if len(large) > 2 else None
    return [_region(labels, label, int(areas[label]), boxes) for label in large]


def largest(mask: Mask, corners: bool = False) -> Region | None:
    """The largest region of one mask."""
    found = regions([mask], corners=corners)
    return found[0] if found else None


def in_layer(found: Sequence[Region], layer: int) -> list[Region]:
    """The regions of one mask, the largest first."""
    return [region for region in found if region.layer == layer]


def _region(labels: NDArray[np.signedinteger], label: int, area: int, boxes: list[tuple[slice, ...]] | None) -> Region:
    if boxes is None:
        layers, rows, columns = np.nonzero(labels == label)
        layer, top, bottom = int(layers[0]), int(rows.min()), int(rows.max())
        left, right = int(columns.min()), int(columns.max())
    else:
        layer, top, bottom, left, right = (
            boxes[label - 1][0].start,
            boxes[label - 1][1].start,
            boxes[label - 1][1].stop - 1,
            boxes[label - 1][2].start,
            boxes[label - 1][2].stop - 1,
        )
    mask = labels[layer, top : bottom + 1, left : right + 1] == label
    return Region(layer, area, top, left, bottom, right, mask)
