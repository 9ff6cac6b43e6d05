"""What all families of features look at: a block of sprites as planes, and each sprite's own frame.

The *frame* of a sprite is the square around its bounding box, centred on it, its side the box's longer one. What is
measured by place is measured in the frame, on a map of 16×16 or 8×8 fields that each average what lies under them. So
a sprite's maps do not change when it is moved, padded, or enlarged by whole factors, and sprites of 16×16 and 64×64 can
be compared. Outside the picture counts as transparent. A blank sprite's frame is the picture itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.core.palette import Palette
from pixelreef.errors import GridError, InputError

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
FIELDS = 16  # of a map, along each axis; coarser maps are sums of these
LEVEL = 0.04  # OKLab lightness up to which neighbours count as equally light: a third of a step of the reef palette
TINY = np.float32(1e-6)  # keeps 0/0 at 0


class Colours:
    """The tables of one palette for all sprites (P = 1), or of one palette each (P = N)."""

    def __init__(self, palettes: Sequence[Palette]) -> None:
        entries = max(len(palette) for palette in palettes)
        self.lab: Floats = np.zeros((len(palettes), entries, 3), np.float32)  # (P, K, 3)
        self.opaque: Bits = np.zeros((len(palettes), entries), np.bool_)  # (P, K)
        self.entries = np.array([len(palette) for palette in palettes])  # (P,)
        for place, palette in enumerate(palettes):
            self.lab[place, : len(palette)] = palette.oklab
            self.opaque[place, palette.opaque] = True

    def __getitem__(self, chosen: slice) -> Colours:
        if len(self.entries) == 1:
            return self
        part = Colours.__new__(Colours)
        part.lab, part.opaque, part.entries = self.lab[chosen], self.opaque[chosen], self.entries[chosen]
        return part


class Planes:
    """A block of N sprites of one size. Everything here is computed once, when a family first asks for it."""

    def __init__(self, cells: Cells, colours: Colours) -> None:
        if (cells >= colours.entries[:, None, None]).any():
            got = int(cells.max())
            raise GridError("cells", f"be palette indices from 0 to {int(colours.entries.min()) - 1}", got)
        self.cells = cells
        self.colours = colours

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """(N, H, W): where each cell stands in the flattened tables of colours."""
        if len(self.colours.entries) == 1:
            return self.cells.astype(np.intp)
        first = np.arange(len(self), dtype=np.intp) * self.colours.opaque.shape[1]
        return np.asarray(self.cells + first[:, None, None])

    @cached_property
    def opaque(self) -> Bits:
        """(N, H, W)."""
        return np.asarray(self.colours.opaque.ravel()[self.places])

    @cached_property
    def pixels(self) -> Floats:
        """(N,): how many are opaque."""
        return counted(self.opaque)

    @cached_property
    def lightness(self) -> Floats:
        """(N, H, W) OKLab lightness, 0 where transparent."""
        return self.looked_up(self.colours.lab[:, :, 0])

    def looked_up(self, table: Floats) -> Floats:
        """(N, H, W): a table (P, K) at each cell, 0 where transparent."""
        return np.asarray((table * self.colours.opaque).astype(np.float32).ravel()[self.places])

    @cached_property
    def shares(self) -> Floats:
        """(N, 1, K): the share of each colour in the opaque pixels, all 0 for a blank sprite."""
        entries = self.colours.opaque.shape[1]
        rows = np.arange(len(self), dtype=np.intp)[:, None, None] * entries
        counts = np.bincount((self.cells + rows).ravel(), minlength=len(self) * entries).reshape(len(self), entries)
        counts = counts * self.colours.opaque
        return np.asarray((counts / np.maximum(self.pixels, 1)[:, None]).astype(np.float32)[:, None])

    def averaged(self, table: Floats) -> Floats:
        """(N, …): the mean of a table (P, K, …) over the opaque pixels, 0 for a blank sprite."""
        wide = table.reshape(*table.shape[:2], math.prod(table.shape[2:]))
        return np.asarray((self.shares @ wide).reshape(len(self), *table.shape[2:]))

    @cached_property
    def box(self) -> NDArray[np.int32]:
        """(4, N): top, bottom, left, right of the bounding box, the ends exclusive; the whole picture when blank."""
        height, width = self.cells.shape[1:]
        ends = []
        for axis, length in ((2, height), (1, width)):
            seen = np.asarray(self.opaque.any(axis=axis))
            any_seen = seen.any(axis=1)
            ends += [np.where(any_seen, seen.argmax(axis=1), 0)]
            ends += [np.where(any_seen, length - seen[:, ::-1].argmax(axis=1), length)]
        return np.array(ends, np.int32)

    @cached_property
    def side(self) -> Floats:
        """(N,): the frame's side in pixels."""
        top, bottom, left, right = self.box
        return np.asarray(np.maximum(bottom - top, right - left), np.float32)

    @cached_property
    def _weights(self) -> tuple[Floats, Floats]:
        """(N, 16, H) and (N, W, 16): how much of a field of the frame each row, or column, fills."""
        top, bottom, left, right = self.box
        rows = _overlaps((top + bottom - self.side) / 2, self.side, FIELDS, self.cells.shape[1])
        columns = _overlaps((left + right - self.side) / 2, self.side, FIELDS, self.cells.shape[2])
        return rows, np.ascontiguousarray(columns.transpose(0, 2, 1))

    def mapped(self, plane: Floats | Bits) -> Floats:
        """(N, H, W) → (N, 16, 16): the mean of a plane over each field of the frame."""
        rows, columns = self._weights
        return np.asarray(rows @ plane.astype(np.float32, copy=False) @ columns)

    def placed(self, side: int) -> Floats:
        """(N, side, side): the share that is opaque of each field of the whole picture, not of the frame."""
        nowhere = np.zeros(1, np.float32)
        rows, columns = (_overlaps(nowhere, nowhere + n, side, n)[0] for n in self.cells.shape[1:])
        return np.asarray(rows @ self.opaque.astype(np.float32) @ columns.T)

    @cached_property
    def occupancy(self) -> Floats:
        """(N, 16, 16): the share of each field that is opaque."""
        return self.mapped(self.opaque)


def _overlaps(start: Floats, side: Floats, fields: int, pixels: int) -> Floats:
    """(N, fields, pixels): the share of each of `fields` equal parts of a line that each pixel fills."""
    borders = np.arange(fields + 1, dtype=np.float32) * (side / fields)[:, None] + start[:, None]
    # What of each pixel lies before each border; neighbouring borders then differ by what lies between them.
    before = np.clip(borders[:, :, None] - np.arange(pixels, dtype=np.float32), 0, 1)
    return np.asarray((before[:, 1:] - before[:, :-1]) * (fields / side)[:, None, None], np.float32)


def counted(bits: Bits) -> Floats:
    """(N, …) → (N,): how many are set. Packed first, which is several times faster than a sum of booleans."""
    packed = np.packbits(bits.reshape(len(bits), math.prod(bits.shape[1:])), axis=1)
    return np.asarray(np.bitwise_count(packed).sum(axis=1, dtype=np.float32))


def pooled(fields: Floats, side: int) -> Floats:
    """(N, 16, 16) → (N, side, side), for a side that divides 16."""
    weights = np.repeat(np.eye(side, dtype=np.float32), FIELDS // side, axis=1) * np.float32(side / FIELDS)
    return np.asarray(weights @ fields @ weights.T)


def folded(fields: Floats) -> tuple[Floats, Floats]:
    """A map (N, h, w) as what its two halves share, and how far they are apart, (N, h, w/2) each.

    Neither changes when the map is mirrored left to right.
    """
    half = fields.shape[2] // 2
    left, right = fields[:, :, :half], fields[:, :, : -half - 1 : -1]
    return (left + right) / 2, np.abs(left - right)


def palettes_of(palette: Palette | Sequence[Palette], count: int) -> Sequence[Palette]:
    """One palette for all, or one for each of `count` sprites."""
    if isinstance(palette, Palette):
        return [palette]
    if len(palette) != count:
        raise InputError("palettes", f"be one, or one for each of the {count} sprites", len(palette))
    return palette or [Palette(np.zeros((1, 3), np.uint8))]
