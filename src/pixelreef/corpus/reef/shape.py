"""A shape: which pixels, how the light falls on each, and where each lies along and across it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]
Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Shape:
    """Pixels to paint, each (side, side); outside the mask the other fields mean nothing."""

    mask: Bits
    lit: Floats
    """0 turned from the light, 1 facing it."""
    u: Floats
    """Along the shape, 0 to 1: tail to head, root to tip."""
    v: Floats
    """Across it, −1 to 1."""

    def __and__(self, mask: Bits) -> Shape:
        """The part of it that lies under a mask."""
        return Shape(self.mask & mask, self.lit, self.u, self.v)

    def __sub__(self, mask: Bits) -> Shape:
        """The part of it that lies outside a mask."""
        return Shape(self.mask & ~mask, self.lit, self.u, self.v)
