"""Maps of an animation that do not flicker.

The form of every frame is worked out by itself, so a fin that moves turns normals on the body, which did not. Here a
place that keeps its colour from one frame to another has one normal, level and occlusion in all of them: their mean.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.sprites.shade.form import FULL
from pixelreef.sprites.shade.maps import EDGE, ZERO

Channels = NDArray[np.uint8]


def steadied(normal: Channels, ramp: Channels, cells: Cells) -> tuple[Channels, Channels]:
    """Normal and ramp maps (n, h, w, 4) of the frames (n, h, w) of one sprite; their silhouettes stay."""
    places = np.arange(cells[0].size).reshape(cells.shape[1:])
    _, group = np.unique((256 * places + cells).ravel(), return_inverse=True)
    count = np.bincount(group)

    def mean(field: NDArray[np.integer]) -> NDArray[np.float64]:
        """(n, h, w): for every pixel, over the frames in which its place has its colour."""
        return np.asarray((np.bincount(group, field.ravel()) / count)[group].reshape(cells.shape))

    solid = normal[..., 3] > 0
    turned, levelled = normal.copy(), ramp.copy()
    across = np.stack([mean(normal[..., axis].astype(np.int16) - ZERO) for axis in range(3)], axis=-1)
    across[(across**2).sum(axis=-1) < 1] = 0, 0, FULL  # what faces both ways faces the viewer
    length = np.sqrt((across**2).sum(axis=-1, keepdims=True))
    turned[solid, :3] = (np.rint(across * (FULL / length)) + ZERO)[solid]
    levelled[..., 1] = np.rint(mean(ramp[..., 1]))
    edge = mean(ramp[..., 2] // EDGE) >= 0.5
    levelled[..., 2] = np.rint(mean(ramp[..., 2] % EDGE)) + EDGE * edge
    return turned, levelled
