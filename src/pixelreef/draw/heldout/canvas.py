"""A canvas of colour names, on which references are painted; names become palette colours at the end."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.draw.drawing import MIN_COLOURS, SIDE, Drawing
from pixelreef.draw.vision.shapes import ideal
from pixelreef.draw.vision.sight import Mask

# Shades that people would not argue about: each keeps its name when its hue or lightness is nudged.
PAINTS: dict[str, tuple[str, ...]] = {
    "black": ("000000", "0c0c10", "101010"),
    "white": ("ffffff", "fafafa", "fbfdff"),
    "grey": ("808080", "8c8c90", "767676"),
    "red": ("d81e1e", "e02020", "c41414"),
    "orange": ("ff8c00", "f58a1e", "ff9414"),
    "yellow": ("ffe020", "ffea3a", "f8d820"),
    "green": ("1f9a30", "2aa844", "188a28"),
    "blue": ("1e6ae0", "2468d8", "1a5ed0"),
    "purple": ("7a2aa8", "8430b0", "6c2498"),
    "pink": ("ff8cc0", "ff7ab8", "f888b8"),
    "brown": ("7a4420", "6e3e1e", "84491f"),
}


class Canvas:
    """24×24 colour names, one colour all over to begin with."""

    def __init__(self, name: str) -> None:
        self.names = [name]
        self.cells = np.zeros((SIDE, SIDE), np.uint8)

    def box(self, name: str, top: int, left: int, height: int, width: int) -> None:
        """A filled rectangle; what lies outside the canvas is cut off."""
        self.cells[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)] = self._index(name)

    def stamp(self, name: str, mask: Mask, top: int, left: int) -> None:
        """A mask that lies within the canvas."""
        height, width = mask.shape
        self.cells[top : top + height, left : left + width][mask] = self._index(name)

    def shape(self, name: str, shape: str, top: int, left: int, height: int, width: int | None = None) -> None:
        """One of the plain shapes."""
        self.stamp(name, ideal(shape, height, width or height), top, left)

    def free(self, top: int, left: int, height: int, width: int) -> bool:
        """Whether a box with a cell of room all round lies within the canvas and holds only the first colour."""
        inside = min(top, left) >= 1 and top + height < SIDE and left + width < SIDE
        return inside and not self.cells[top - 1 : top + height + 1, left - 1 : left + width + 1].any()

    def drawing(self, random: np.random.Generator) -> Drawing:
        """The drawing, with a shade for each name and the palette in an order of its own."""
        names = self.names if len(self.names) >= MIN_COLOURS else [*self.names, "white"]
        shades = [PAINTS[name][int(random.integers(len(PAINTS[name])))] for name in names]
        order = random.permutation(len(names))
        places = np.argsort(order).astype(np.uint8)
        return Drawing(Grid(places[self.cells]), Palette.from_hex([shades[index] for index in order]))

    def _index(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)
