"""`aseprite`: every sprite as an indexed `.aseprite` file; its frames are a tag, its parts, where known, are layers."""

from __future__ import annotations

import numpy as np

from pixelreef.core.aseprite_write import CelLayer, aseprite_from_sprite
from pixelreef.core.frames import Tag
from pixelreef.corpus.parts import PARTS
from pixelreef.sprites.export.order import Files, Order, Piece, plain

REST = "rest"  # the layer of what is seen and has no part


def aseprite(order: Order) -> Files:
    """`NAME.aseprite`."""
    return {
        f"{piece.name}.aseprite": aseprite_from_sprite(piece.sprite, _layers(piece), _tags(piece))
        for piece in order.pieces
    }


def _tags(piece: Piece) -> list[Tag]:
    last = len(piece.stems) - 1
    return [Tag(plain(piece.sprite.name) or piece.name, 0, last)] if last else []


def _layers(piece: Piece) -> list[CelLayer]:
    """A layer for each part there is, in the order of the part labels; none when parts or transparency are missing."""
    clear = piece.sprite.palette.transparent
    if not piece.parts or clear is None:
        return []
    cells = [frame.grid.cells for frame in piece.sprite.frames]
    seen = [np.where(grid == clear, -1, part.astype(np.int16)) for grid, part in zip(cells, piece.parts, strict=True)]
    found = sorted({int(part) for one in seen for part in np.unique(one)} - {-1})
    return [
        CelLayer(
            _part_name(part),
            tuple(np.where(one == part, grid, np.uint8(clear)) for one, grid in zip(seen, cells, strict=True)),
        )
        for part in found
    ]


def _part_name(part: int) -> str:
    return PARTS[part] if 0 < part < len(PARTS) else REST if part == 0 else f"part {part}"
