"""Orphans: pixels that stand alone, none of whose eight neighbours has their index. `metrics.craft` scores them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells


def orphans(cells: Cells) -> NDArray[np.bool_]:
    """(H, W): where a pixel has no neighbour of its own index, transparent or not.

    >>> orphans(np.array([[1, 1, 2], [3, 1, 3]], np.uint8)).tolist()
    [[False, False, True], [True, False, True]]
    """
    height, width = cells.shape
    framed = np.full((height + 2, width + 2), -1, np.int16)
    framed[1:-1, 1:-1] = cells
    accompanied = np.zeros(framed.shape, np.bool_)
    flat, flags, row = framed.ravel(), accompanied.ravel(), width + 2
    for away in (1, row, row + 1, row - 1):
        equal = flat[away:] == flat[:-away]
        flags[away:] |= equal
        flags[:-away] |= equal
    return np.asarray(~accompanied[1:-1, 1:-1])
