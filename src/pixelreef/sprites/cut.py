"""Cutting pictures into patches, and putting them together."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.config import Config

Bits = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)


def patches_from_grid(grid: NDArray[Kind], config: Config) -> NDArray[Kind]:
    """(…, height, width) → (…, patches, pixels), both row by row."""
    lead, side = grid.shape[:-2], config.patch
    cut = grid.reshape(*lead, config.rows, side, config.columns, side)
    return np.moveaxis(cut, -3, -2).reshape(*lead, config.patches, config.pixels)


def grid_from_patches(patches: NDArray[Kind], config: Config) -> NDArray[Kind]:
    """(…, patches, pixels) → (…, height, width)."""
    lead, side = patches.shape[:-2], config.patch
    cut = patches.reshape(*lead, config.rows, config.columns, side, side)
    return np.moveaxis(cut, -3, -2).reshape(*lead, config.height, config.width)
