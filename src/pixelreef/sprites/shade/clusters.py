"""Clusters: pixels of one colour that touch. Light should move a small one as a whole, or it leaves pixels alone.

A band of light that ends inside a cluster of two or three pixels makes orphans of them. So what a pixel is lit by is
meant with its neighbours of the same colour, twice. All is in whole numbers, whose sums do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.sprites.shade.height import Bits

_PASSES = 2
FINE = 16
"""Parts of a unit that means are kept in: nine of 127 units fit into 16 bits."""
_FEW = 2  # neighbours of its colour with which a pixel belongs to a small cluster

_Way = tuple[tuple[slice, slice], tuple[slice, slice]]
_ALL, _FIRST, _LAST = slice(None), slice(None, -1), slice(1, None)
_WAYS: tuple[_Way, ...] = (  # of each pair of neighbours, the one and the other
    ((_ALL, _FIRST), (_ALL, _LAST)),
    ((_FIRST, _ALL), (_LAST, _ALL)),
    ((_FIRST, _FIRST), (_LAST, _LAST)),
    ((_FIRST, _LAST), (_LAST, _FIRST)),
)


class Clusters:
    """Which of the eight neighbours of each pixel of (n, h, w) have its colour."""

    def __init__(self, cells: Cells, solid: Bits) -> None:
        self.alike = [(cells[:, *one] == cells[:, *other]) & solid[:, *one] for one, other in _WAYS]
        self.count = np.zeros(cells.shape, np.int16)
        for one, other, alike in self._pairs():
            self.count[:, *one] += alike
            self.count[:, *other] += alike

    def meant(self, field: NDArray[np.int16]) -> NDArray[np.int16]:
        """Whole numbers from −127 to 127, meant inside clusters; in sixteenths."""
        field = field * np.int16(FINE)
        for _ in range(_PASSES):
            total = field.copy()
            for one, other, alike in self._pairs():
                total[:, *one] += field[:, *other] * alike
                total[:, *other] += field[:, *one] * alike
            field = np.rint(total / (1 + self.count).astype(np.float32)).astype(np.int16)
        return field

    def agreed(self, bits: Bits) -> Bits:
        """The bits, in small clusters only where all neighbours of the colour have them."""
        against = np.zeros_like(bits)
        for one, other, alike in self._pairs():
            against[:, *one] |= alike & ~bits[:, *other]
            against[:, *other] |= alike & ~bits[:, *one]
        return np.asarray(bits & ~(against & (self.count <= _FEW)))

    def _pairs(self) -> Iterator[tuple[tuple[slice, slice], tuple[slice, slice], Bits]]:
        for (one, other), alike in zip(_WAYS, self.alike, strict=True):
            yield one, other, alike
