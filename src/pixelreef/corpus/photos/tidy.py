"""What a pixel artist would mend in a reduced photograph: too many colours, and pixels that stand alone."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.orphans import orphans
from pixelreef.core.palette import Palette


def fewer_colours(cells: Cells, palette: Palette, most: int) -> Cells:
    """The same grid with at most `most` visible colours: the one that is least missed goes first.

    A colour is missed by how many cells have it times the squared OKLab distance of the nearest colour that stays.

    >>> fewer_colours(np.array([[0, 0, 1, 2]], np.uint8), Palette.from_hex(["ffffff", "fefefe", "000000"]), 2).tolist()
    [[0, 0, 0, 2]]
    """
    used, counts = np.unique(cells, return_counts=True)
    seen = used != palette.transparent if palette.transparent is not None else np.ones(len(used), bool)
    colours, weights = used[seen], counts[seen].astype(np.float64)
    lab = palette.oklab[colours]
    apart = ((lab[:, None] - lab[None]) ** 2).sum(axis=-1)
    np.fill_diagonal(apart, np.inf)
    stays = np.ones(len(colours), bool)
    into = np.arange(len(colours))
    for _ in range(len(colours) - max(most, 1)):
        among = np.where(stays[None] & stays[:, None], apart, np.inf)
        goes = int((np.where(stays, weights, np.inf) * np.where(stays, among.min(axis=1), 1)).argmin())
        target = int(among[goes].argmin())
        stays[goes] = False
        weights[target] += weights[goes]
        into[into == goes] = target
    table = np.arange(256, dtype=np.uint8)
    table[colours] = colours[into]
    return table[cells]


def despeckled(cells: Cells, palette: Palette) -> tuple[Cells, int]:
    """The grid without orphans, and how many there were: pixels none of whose eight neighbours has their colour.

    A visible orphan takes the neighbouring colour nearest its own, or goes where it stands alone; a hole of one pixel
    takes the commonest colour around it. As nothing around an orphan has its colour, none loses company by this, and
    one pass leaves no orphan. A grid of a single cell stays.

    >>> despeckled(np.array([[1, 1, 1], [1, 2, 1]], np.uint8), Palette.from_hex(["000000", "ff0000", "00ff00"], 0))
    (array([[1, 1, 1],
           [1, 1, 1]], dtype=uint8), 1)
    """
    made, mended = cells.copy(), 0
    for y, x in zip(*np.nonzero(orphans(cells)), strict=True):
        around = made[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].ravel()
        if (around == made[y, x]).sum() > 1 or around.size == 1:
            continue  # a neighbour mended before has joined it
        colours, counts = np.unique(around[around != made[y, x]], return_counts=True)
        made[y, x] = _joined(int(made[y, x]), colours, counts, palette)
        mended += 1
    return made, mended


def _joined(own: int, colours: Cells, counts: np.ndarray[tuple[int], np.dtype[np.intp]], palette: Palette) -> int:
    visible = colours != palette.transparent if palette.transparent is not None else np.ones(len(colours), bool)
    if not visible.any():
        return int(colours[0])
    if own == palette.transparent:
        return int(colours[visible][counts[visible].argmax()])
    apart = ((palette.oklab[colours] - palette.oklab[own]) ** 2).sum(axis=-1)
    return int(colours[np.where(visible, apart, np.inf).argmin()])
