"""The SpriteFrames resource: an animation for every sprite, each frame a region of the sheet.

What a game looks up by cell and seed is in the resource's own metadata: `cells`, from a cell to the names of its
animations in the order of their seeds and numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from math import gcd

from pixelreef.sprites.export.godot.text import Raw, call, name_text, section
from pixelreef.sprites.export.order import Piece
from pixelreef.sprites.export.pack import Packed, Place

UNKNOWN_CELL = "all"  # as in a corpus: the cell of what has none
_SHEET = "1_sheet"


def sprite_frames(made: Packed, pieces: Sequence[Piece], sheet: str) -> str:
    """The text of the resource; `sheet` is the picture's path in the project."""
    head = section("gd_resource", {"type": "SpriteFrames", "load_steps": len(made.places) + 2, "format": 3})
    picture = section("ext_resource", {"type": "Texture2D", "path": sheet, "id": _SHEET})
    ids = [f"AtlasTexture_{number}" for number in range(len(made.places))]
    regions = [
        section("sub_resource", {"type": "AtlasTexture", "id": one}, _region(place))
        for one, place in zip(ids, made.places, strict=True)
    ]
    textures = (call("SubResource", one) for one in ids)
    animations = [_animation(piece, list(islice(textures, len(piece.stems)))) for piece in pieces]
    body = {"animations": animations, "metadata/cells": _cells(pieces)}
    return "\n".join([head, picture, *regions, section("resource", {}, body)])


def _region(place: Place) -> Mapping[str, object]:
    return {"atlas": call("ExtResource", _SHEET), "region": call("Rect2", place.x, place.y, *place.size)}


def _animation(piece: Piece, textures: Sequence[Raw]) -> Mapping[str, object]:
    """A frame stands for its `duration` divided by the `speed`, in seconds."""
    times = [frame.milliseconds for frame in piece.sprite.frames]
    unit = gcd(*times) or 1
    frames = [
        {"duration": float(time // unit), "texture": texture} for time, texture in zip(times, textures, strict=True)
    ]
    return {"frames": frames, "loop": True, "name": name_text(piece.name), "speed": 1000 / unit}


def _cells(pieces: Sequence[Piece]) -> Mapping[str, Raw]:
    by_cell: dict[str, list[Piece]] = {}
    for piece in pieces:
        by_cell.setdefault(str(piece.told.get("cell", UNKNOWN_CELL)), []).append(piece)
    return {
        cell: call("PackedStringArray", *(piece.name for piece in sorted(some, key=_by_seed)))
        for cell, some in sorted(by_cell.items())
    }


def _by_seed(piece: Piece) -> tuple[int, int]:
    seed, number = (piece.told.get(key) for key in ("seed", "number"))
    return seed if isinstance(seed, int) else 0, number if isinstance(number, int) else 0
