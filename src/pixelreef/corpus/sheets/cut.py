"""Where the sprites of one sheet are: by its atlas, by its grid, or by what hangs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.sheets.axis import full
from pixelreef.corpus.sheets.background import visible
from pixelreef.corpus.sheets.components import Part, find_components
from pixelreef.corpus.sheets.lattice import MAX_CELLS, STRONG, Lattice, boxes, find_lattice
from pixelreef.corpus.sheets.options import SheetOptions
from pixelreef.errors import ImageError

_STRADDLING = 0.05  # share of the parts that a credible grid may cut although a cell could hold them; packed: 0.1 up
_ALONE = 0.5  # share of the parts inside one cell that are alone there, in a credible grid


@dataclass(frozen=True)
class Place:
    """One sprite on the sheet."""

    y: int
    x: int
    height: int
    width: int
    row: int
    column: int
    name: str
    """What follows the sheet's name: `r02-c11`, or the atlas' own."""
    group: str = ""
    padding: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Transparent pixels to add above, left, below and right: what a packer trimmed off."""
    rotated: bool = False
    """Whether it lies on the sheet turned by 90° clockwise."""

    def cut(self, rgba: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The sprite's pixels; what lies beyond the border of the sheet is transparent."""
        tall, wide = rgba.shape[:2]
        top, left, bottom, right = self.y, self.x, self.y + self.height, self.x + self.width
        inside = rgba[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
        beyond = ((max(0, -top), max(0, bottom - tall)), (max(0, -left), max(0, right - wide)), (0, 0))
        pixels = np.pad(inside, beyond)
        if self.rotated:
            pixels = np.rot90(pixels)
        above, before, below, after = self.padding
        return np.pad(pixels, ((above, below), (before, after), (0, 0)))


@dataclass(frozen=True)
class Cut:
    """The places, and how they were found, as JSON values."""

    places: Sequence[Place]
    how: dict[str, Any]


def find_cut(rgba: NDArray[np.uint8], options: SheetOptions) -> Cut:
    """Cut a restored sheet (transparent is nothing) by the given grid, the found one, or components."""
    seen = visible(rgba)
    if not seen.any():
        todo = "Give --background if it was mistaken."
        raise ImageError("sheet", "show something", "an empty one", todo, verbatim=True)
    if options.cell is not None:
        lattice = Lattice(options.cell, options.offset or (0, 0), options.gutter or (0, 0))
        return _by_lattice(lattice, seen, {"by": "given grid"})
    if options.components:
        return _by_components(find_components(seen), {})
    found = find_lattice(rgba)
    assert found is not None
    how = {"confidence": found.confidence, "alternatives": [str(one) for one in found.alternatives]}
    if full(seen):
        if not found.credible or found.strength < STRONG:
            todo = "Give --cell, or --background if it has one."
            raise ImageError(
                "sheet", "have a grid that can be found", f"none (best: {found.lattice})", todo, verbatim=True
            )
        return _by_lattice(found.lattice, seen, {"by": "found grid", **how})
    parts = find_components(seen)
    if found.credible and _fits(found.lattice, parts):
        return _by_lattice(found.lattice, seen, {"by": "found grid", **how})
    return _by_components(parts, {"why": f"no credible grid (best: {found.lattice})", **how})


def _by_lattice(lattice: Lattice, seen: NDArray[np.bool_], how: dict[str, Any]) -> Cut:
    width, height = lattice.cell
    cells = boxes(lattice, seen)
    if len(cells) > MAX_CELLS:
        raise ImageError("sheet", f"have at most {MAX_CELLS:,} cells", len(cells), "Give a larger --cell.")
    places = [Place(y, x, height, width, row, column, f"r{row:02}-c{column:02}") for row, column, y, x in cells]
    return Cut(places, {**how, "cell": lattice.cell, "offset": lattice.offset, "gutter": lattice.gutter})


def _by_components(parts: Sequence[Part], how: dict[str, Any]) -> Cut:
    places = []
    for number, part in enumerate(parts):
        top, left, bottom, right = part.box
        places.append(Place(top, left, bottom - top, right - left, 0, number, f"n{number:03}"))
    return Cut(places, {"by": "components", **how})


def _fits(lattice: Lattice, parts: Sequence[Part]) -> bool:
    """Whether most parts have a cell of their own, and next to no part lies on a line but those too large for a cell.

    In a true grid what lies on a line is several sprites that touch, and so larger than a cell.
    """
    (width, height), (x, y) = lattice.cell, lattice.offset
    across, down = width + lattice.gutter[0], height + lattice.gutter[1]
    held: dict[tuple[int, int], int] = {}
    straddling = 0
    for part in parts:
        top, left, bottom, right = part.box
        first = (top - y) // down, (left - x) // across
        last = (bottom - 1 - y) // down, (right - 1 - x) // across
        if first == last:
            held[first] = held.get(first, 0) + 1
        small = first[0] != last[0] and bottom - top <= height, first[1] != last[1] and right - left <= width
        straddling += any(small)
    alone = sum(count == 1 for count in held.values())
    return straddling <= _STRADDLING * len(parts) and alone >= _ALONE * sum(held.values())
