"""`tiled`: a tileset for the Tiled editor, as XML (`.tsx`) and as JSON (`.tsj`), with its picture.

A tile is a frame. The first tile of a sprite carries its animation, where it has one, and as properties its name and
what its lineage tells: cell, species, seed, number. A tileset has tiles of one size; sprites of several sizes make
several. The layout is the published TMX format, version 1.8, which every later Tiled reads.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pixelreef.core.render import png_from_channels
from pixelreef.sprites.export.order import Files, Order, Piece, plain
from pixelreef.sprites.export.pack import packed

VERSION = "1.8"
_INT = 2**31  # Tiled's whole numbers are below this


@dataclass(frozen=True, eq=False)
class _Tile:
    """What is said of one tile beyond its pixels."""

    number: int
    properties: dict[str, str | int]
    animation: list[tuple[int, int]]
    """(tile, milliseconds)."""


def tiled(order: Order) -> Files:
    """`NAME.png`, `NAME.tsx` and `NAME.tsj`; `NAME-32x32.…` and so on where sizes differ."""
    by_size: dict[tuple[int, int], list[Piece]] = {}
    for piece in order.pieces:
        by_size.setdefault(piece.sprite.size, []).append(piece)
    files: Files = {}
    for (width, height), pieces in by_size.items():
        name = order.name if len(by_size) == 1 else f"{order.name}-{width}x{height}"
        files |= _tileset(name, pieces)
    return files


def _tileset(name: str, pieces: Sequence[Piece]) -> Files:
    made = packed(pieces)
    width, height = pieces[0].sprite.size
    columns, rows = made.width // width, made.height // height
    fields = {
        "name": name,
        "tilewidth": width,
        "tileheight": height,
        "tilecount": columns * rows,  # as Tiled counts: empty ones at the end too
        "columns": columns,
    }
    tiles = _tiles(pieces)
    return {
        f"{name}.png": png_from_channels(made.pixels()),
        f"{name}.tsx": _xml(fields, (f"{name}.png", made.width, made.height), tiles),
        f"{name}.tsj": _json(fields, (f"{name}.png", made.width, made.height), tiles),
    }


def _tiles(pieces: Sequence[Piece]) -> list[_Tile]:
    tiles, number = [], 0
    for piece in pieces:
        count = len(piece.stems)
        times = [frame.milliseconds for frame in piece.sprite.frames]
        animation = [(number + at, time) for at, time in enumerate(times)] if count > 1 else []
        tiles.append(_Tile(number, {"name": plain(piece.sprite.name) or piece.name, **piece.told}, animation))
        number += count
    return tiles


def _typed(value: str | int) -> tuple[str, str | int]:
    """Tiled's type and value: a number that is too large for it becomes text."""
    return ("int", value) if isinstance(value, int) and -_INT <= value < _INT else ("string", str(value))


def _xml(fields: dict[str, Any], image: tuple[str, int, int], tiles: Sequence[_Tile]) -> bytes:
    root = ET.Element("tileset", {"version": VERSION, **{key: str(value) for key, value in fields.items()}})
    source, width, height = image
    ET.SubElement(root, "image", {"source": source, "width": str(width), "height": str(height)})
    for tile in tiles:
        element = ET.SubElement(root, "tile", {"id": str(tile.number)})
        properties = ET.SubElement(element, "properties")
        for name, value in sorted(tile.properties.items()):
            kind, shown = _typed(value)
            typed = {"type": kind} if kind != "string" else {}
            ET.SubElement(properties, "property", {"name": name, **typed, "value": str(shown)})
        if tile.animation:
            animation = ET.SubElement(element, "animation")
            for number, time in tile.animation:
                ET.SubElement(animation, "frame", {"tileid": str(number), "duration": str(time)})
    ET.indent(root, " ")
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _json(fields: dict[str, Any], image: tuple[str, int, int], tiles: Sequence[_Tile]) -> bytes:
    source, width, height = image
    document = {
        "type": "tileset",
        "version": VERSION,
        **fields,
        "margin": 0,
        "spacing": 0,
        "image": source,
        "imagewidth": width,
        "imageheight": height,
        "tiles": [_tile_fields(tile) for tile in tiles],
    }
    return (json.dumps(document, indent=1, allow_nan=False) + "\n").encode()


def _tile_fields(tile: _Tile) -> dict[str, Any]:
    typed = [(name, *_typed(value)) for name, value in sorted(tile.properties.items())]
    fields: dict[str, Any] = {"id": tile.number}
    if tile.animation:
        fields["animation"] = [{"tileid": number, "duration": time} for number, time in tile.animation]
    return {**fields, "properties": [{"name": name, "type": kind, "value": value} for name, kind, value in typed]}
