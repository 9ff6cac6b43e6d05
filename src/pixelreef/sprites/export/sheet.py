"""`sheet`: all frames on one PNG, with the two JSON files that TexturePacker writes, hash and array.

Beyond its fields: `duration` in milliseconds for the frames of an animation and `frameTags`, both as Aseprite writes
them into the same form, and `animations`, as TexturePacker itself does for PixiJS. Readers pass over what they do not
know.
"""

from __future__ import annotations

import json
from typing import Any

from pixelreef import __version__
from pixelreef.core.render import png_from_channels
from pixelreef.sprites.export.order import Files, Order, Piece
from pixelreef.sprites.export.pack import Packed, Place, packed

GAP = 1  # clear pixels between frames, so that none shows at its neighbour's edge when a game scales


def sheet(order: Order) -> Files:
    """`NAME.png`, `NAME.json` (hash) and `NAME-array.json`."""
    made = packed(order.pieces, GAP)
    animations = {piece.name: [f"{stem}.png" for stem in piece.stems] for piece in order.pieces if _moves(piece)}
    meta = _meta(order, made)
    by_name = {f"{place.stem}.png": _frame(place) for place in made.places}
    in_order = [{"filename": name, **frame} for name, frame in by_name.items()]
    moving = {"animations": animations} if animations else {}
    return {
        f"{order.name}.png": png_from_channels(made.pixels()),
        f"{order.name}.json": _json({"frames": by_name, **moving, "meta": meta}),
        f"{order.name}-array.json": _json({"frames": in_order, **moving, "meta": meta}),
    }


def _frame(place: Place) -> dict[str, Any]:
    width, height = place.size
    fields = {
        "frame": {"x": place.x, "y": place.y, "w": width, "h": height},
        "rotated": False,
        "trimmed": False,
        "spriteSourceSize": {"x": 0, "y": 0, "w": width, "h": height},
        "sourceSize": {"w": width, "h": height},
    }
    return {**fields, "duration": place.milliseconds} if _moves(place.piece) else fields


def _meta(order: Order, made: Packed) -> dict[str, Any]:
    tags, first = [], 0
    for piece in order.pieces:
        last = first + len(piece.stems) - 1
        if _moves(piece):
            tags.append({"name": piece.name, "from": first, "to": last, "direction": "forward"})
        first = last + 1
    return {
        "app": "pixelreef",
        "version": __version__,
        "image": f"{order.name}.png",
        "format": "RGBA8888",
        "size": {"w": made.width, "h": made.height},
        "scale": str(order.scale),
        **({"frameTags": tags} if tags else {}),
    }


def _moves(piece: Piece) -> bool:
    return len(piece.stems) > 1


def _json(document: dict[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, allow_nan=False) + "\n").encode()
