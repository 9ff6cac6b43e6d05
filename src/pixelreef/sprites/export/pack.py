"""Many frames on one picture: where each stands, and the picture.

Frames keep their size and are not turned. They stand on shelves, the highest first, those of one size in their order;
sprites of one size are so a plain table. A sheet is as near to a square as whole frames allow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.images import MAX_PIXELS
from pixelreef.errors import ImageError
from pixelreef.sprites.export.order import Piece


@dataclass(frozen=True, eq=False)
class Place:
    """One frame on a sheet, in pixels from the top left."""

    piece: Piece
    frame: int
    x: int
    y: int

    @property
    def stem(self) -> str:
        return self.piece.stems[self.frame]

    @property
    def size(self) -> tuple[int, int]:
        return self.piece.sprite.size

    @property
    def region(self) -> tuple[slice, slice]:
        """Rows and columns of the sheet."""
        width, height = self.size
        return slice(self.y, self.y + height), slice(self.x, self.x + width)

    @property
    def milliseconds(self) -> int:
        return self.piece.sprite.frames[self.frame].milliseconds


@dataclass(frozen=True, eq=False)
class Packed:
    """A sheet: its size and where every frame stands, piece after piece."""

    width: int
    height: int
    places: tuple[Place, ...]

    def pixels(self) -> NDArray[np.uint8]:
        """(height, width, 4): the frames as they are seen, nothing between them."""
        sheet = np.zeros((self.height, self.width, 4), np.uint8)
        for place in self.places:
            sprite = place.piece.sprite
            sheet[place.region] = sprite.palette.rgba[sprite.frames[place.frame].grid.cells]
        return sheet


def packed(pieces: Sequence[Piece], gap: int = 0) -> Packed:
    """Pack all frames of all pieces, `gap` clear pixels apart."""
    frames = [(piece, frame) for piece in pieces for frame in range(len(piece.sprite.frames))]
    highest_first = sorted(range(len(frames)), key=lambda at: _by_size(frames[at][0]))
    widest = max(piece.sprite.size[0] for piece in pieces) + gap
    area = sum((piece.sprite.size[0] + gap) * (piece.sprite.size[1] + gap) for piece, _ in frames)
    room = widest * -(-(isqrt(area - 1) + 1) // widest)
    corners: dict[int, tuple[int, int]] = {}
    x = y = shelf = 0
    for at in highest_first:
        width, height = frames[at][0].sprite.size
        if x + width + gap > room:
            x, y, shelf = 0, y + shelf, 0
        corners[at] = (x, y)
        x, shelf = x + width + gap, max(shelf, height + gap)
    places = tuple(Place(*frames[at], *corners[at]) for at in range(len(frames)))
    return _bounded(
        Packed(
            max(place.x + place.size[0] for place in places), max(place.y + place.size[1] for place in places), places
        )
    )


def _by_size(piece: Piece) -> tuple[int, int]:
    width, height = piece.sprite.size
    return -height, -width


def _bounded(sheet: Packed) -> Packed:
    if sheet.width * sheet.height > MAX_PIXELS:
        size = f"{sheet.width} × {sheet.height}"
        raise ImageError("sheet", f"have at most {MAX_PIXELS:,} pixels", size, "Export fewer at once.", verbatim=True)
    return sheet
