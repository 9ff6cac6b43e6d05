"""A drawing seen through the colour names that a specification mentions: who is where, in words a check can use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.vision.regions import Region, largest, regions
from pixelreef.draw.vision.sight import Mask, classes, rim_share

LEAST_RIM = 0.7  # of the rim that a background fills: things may touch the edge
LEAST_EDGE = 0.7  # of the first or last row that sky or ground fills


class Scene:
    """Cells and regions by colour name. Shades of a name count as that name; colours not mentioned are not seen."""

    def __init__(self, drawing: Drawing, names: Sequence[str]) -> None:
        self.names = list(dict.fromkeys(names))
        self.cells = classes(drawing, self.names)

    def where(self, name: str) -> Mask:
        """The cells of that colour name."""
        return np.asarray(self.cells == self.names.index(name))

    def of(self, name: str, least: int = 1) -> list[Region]:
        """The regions of that colour name with at least so many cells, the largest first."""
        return regions([self.where(name)], least)

    def biggest(self, name: str) -> Region | None:
        """The largest region of that colour name."""
        return largest(self.where(name))

    def on(self, name: str) -> bool:
        """Whether that colour is the background."""
        return rim_share(self.where(name)) >= LEAST_RIM

    def edge(self, name: str, row: int) -> bool:
        """Whether that colour fills a row."""
        return float(self.where(name)[row].mean()) >= LEAST_EDGE


def runs(values: Sequence[int]) -> list[int]:
    """The values without repeats of the one before.

    >>> runs([2, 2, 1, 1, 2])
    [2, 1, 2]
    """
    array = np.asarray(values)
    return [int(value) for value in array[np.flatnonzero(np.diff(array, prepend=-1))]]
