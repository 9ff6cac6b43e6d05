"""A sheet of a cross: the parents, then for every child the map of what it has from whom, and the child."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.sheet import contact_sheet
from pixelreef.sprites.breed.cross import Child
from pixelreef.sprites.breed.inherit import Map, Parent

Pixels = NDArray[np.uint8]

_SCALE = 3
_COLUMNS = 8
_OF = np.array([[235, 235, 235, 255], [232, 128, 96, 255], [86, 152, 226, 255]], np.uint8)  # drawn, first, second
_FAINT = 70  # alpha of ground


def breeding_sheet(a: Parent, b: Parent, children: Sequence[Child], palette: Palette, title: str) -> Pixels:
    """RGB; rows of eight children under rows of their maps, the parents before the first."""
    rows: list[list[Pixels]] = []
    labels: list[str] = []
    parents = [palette.rgba[one.cells] for one in (a, b)]
    blank = np.zeros((1, 1, 4), np.uint8)
    for start in range(0, len(children), _COLUMNS):
        some = children[start : start + _COLUMNS]
        left = parents if start == 0 else [blank, blank]
        rows += [
            [left[0], *(map_picture(one.map, one.drawn.cells != a.ground) for one in some)],
            [left[1], *(palette.rgba[one.drawn.cells] for one in some)],
        ]
        labels += ["from whom", "child"]
    return contact_sheet(rows, labels, ["parents"], title, _SCALE)


def map_picture(found: Map, filled: NDArray[np.bool_]) -> Pixels:
    """RGBA: orange from the first, blue from the second, white where drawn; ground is faint."""
    picture = _OF[found].copy()
    picture[~filled, 3] = _FAINT
    return picture
