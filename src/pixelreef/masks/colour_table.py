"""A table with one answer for each of the 2²⁴ colours, worked out when a colour is first met.

A mask has few colours and a photograph some hundred thousand, of 16.7 million: so each colour of a picture is decided
once, by whatever rule, and every pixel is then one look at the table. Rules that compare with all classes cost the same
for 19 classes as for 201 from the second mask on. The table is 32 MB of addresses of which only the pages that are
touched take memory.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import ImageError

Bytes = NDArray[np.uint8]
Answers = NDArray[np.uint16]
Packed = NDArray[np.uint32]

MOST = 2**16 - 2  # answers are stored plus one; 0 is not yet known
_STRIP = 1 << 20  # pixels looked up at once: 8 MB of indices
_BLOCK = 1 << 14  # colours decided at once


class ColourTable:
    """What `decide` says of every colour: (n, 3) bytes → (n,) answers below 65,535."""

    def __init__(self, decide: Callable[[Bytes], Answers]) -> None:
        self._decide = decide
        self._table = np.zeros(2**24, np.uint16)

    def look_up(self, packed: Packed) -> Answers:
        """The answer for each packed colour, in the same shape.

        >>> table = ColourTable(lambda rgb: (rgb[:, 0] > 127).astype(np.uint16))
        >>> table.look_up(packed_from_rgba(np.array([[[200, 0, 0, 255], [9, 255, 0, 255]]], np.uint8))).tolist()
        [[1, 0]]
        """
        flat = packed.ravel()
        found = np.empty(flat.shape, np.uint16)
        for start in range(0, flat.size, _STRIP):
            strip = flat[start : start + _STRIP]
            stored = self._table[strip]
            if not stored.all():
                self._learn(strip[stored == 0])
                stored = self._table[strip]
            found[start : start + _STRIP] = stored
        found -= 1
        return found.reshape(packed.shape)

    def _learn(self, packed: Packed) -> None:
        ordered = np.sort(packed)  # np.unique, which hashes, is ten times slower on a million colours
        colours = ordered[np.append(True, ordered[1:] != ordered[:-1])]
        for start in range(0, len(colours), _BLOCK):
            block = colours[start : start + _BLOCK]
            self._table[block] = self._decide(rgb_from_packed(block)) + 1


def packed_from_rgba(rgba: Bytes) -> Packed:
    """(…, 4) bytes → one number for each colour, red lowest, alpha left out."""
    if rgba.shape[-1] != 4 or rgba.dtype != np.uint8:
        raise ImageError("pixels", "be a (…, 4) array of uint8", (rgba.shape, str(rgba.dtype)))
    return np.asarray(np.ascontiguousarray(rgba).view("<u4")[..., 0] & np.uint32(0xFFFFFF))


def rgb_from_packed(packed: Packed) -> Bytes:
    """The inverse: (…,) → (…, 3) bytes."""
    return np.ascontiguousarray(packed, "<u4")[..., None].view(np.uint8)[..., :3]
