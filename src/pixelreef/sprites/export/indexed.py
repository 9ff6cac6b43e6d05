"""`indexed`: every frame as a palette PNG that keeps every index and the whole palette, in order."""

from __future__ import annotations

from pixelreef.core.render import png_from_grid
from pixelreef.sprites.export.order import Files, Order


def indexed(order: Order) -> Files:
    """`NAME.png`, or `NAME-0.png`, `NAME-1.png`, … where it has frames."""
    return {
        f"{stem}.png": png_from_grid(frame.grid, piece.sprite.palette)
        for piece in order.pieces
        for stem, frame in zip(piece.stems, piece.sprite.frames, strict=True)
    }
