"""A blemish: a stray pixel or two, which nobody would call a fault. How much it changes each feature.

A corpus drawn by a program may have no stray pixel at all. Measured in the spread of such sprites, the first one that a
model draws would be further from them than a sprite of another kind is. What a blemish changes is therefore held
against every feature's spread.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.metrics.features import features

_EVERY = 512  # pixels of a sprite to one that strays
Values = NDArray[np.floating[Any]]


def blemished(cells: Cells, random: np.random.Generator) -> Cells:
    """(N, H, W): in every sprite two pixels in a thousand, and one at least, take the colour of some other of it."""
    made = cells.reshape(len(cells), -1).copy()
    count = max(1, made.shape[1] // _EVERY)
    row = np.arange(len(made))[:, None]
    there, like = (random.integers(0, made.shape[1], (len(made), count)) for _ in range(2))
    made[row, there] = made[row, like]
    return made.reshape(cells.shape)


def blemish_changes(cells: Cells, values: Values, palette: Palette, random: np.random.Generator) -> Values:
    """(F,): the root mean square of what blemishes change in each feature; `values` (N, F) are those without."""
    changed = features(blemished(cells, random), palette).values.astype(np.float64)
    return np.asarray(np.sqrt(((changed - values) ** 2).mean(axis=0)))
