"""The scene that shows the sprites: rows of them, playing, each at the largest whole zoom at which all fit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pixelreef.sprites.export.godot.text import call, name_text, section
from pixelreef.sprites.export.order import Piece

WINDOW = (1152, 648)  # Godot's own default
_GAP = 8  # clear pixels between sprites, before zooming
_MOST_ZOOM = 16
_FRAMES, _MATERIAL, _SCRIPT = "1_frames", "2_material", "3_script"
_NEAREST = 1  # CanvasItem.TEXTURE_FILTER_NEAREST


def scene(pieces: Sequence[Piece], frames: str, lit: tuple[str, str] | None = None) -> str:
    """The text of the scene; `frames` is the path of the SpriteFrames. Sprites that no longer fit are left out.

    `lit` is the paths of a material for all sprites and of the script that moves its light.
    """
    resources = {_FRAMES: ("SpriteFrames", frames)}
    material, script = {}, {}
    if lit:
        resources |= {_MATERIAL: ("Material", lit[0]), _SCRIPT: ("Script", lit[1])}
        material, script = {"material": call("ExtResource", _MATERIAL)}, {"script": call("ExtResource", _SCRIPT)}
    zoom, corners = _laid_out([piece.sprite.size for piece in pieces])
    return "\n".join(
        [
            section("gd_scene", {"load_steps": len(resources) + 1, "format": 3}),
            *(
                section("ext_resource", {"type": kind, "path": path, "id": one})
                for one, (kind, path) in resources.items()
            ),
            section("node", {"name": "Reef", "type": "Node2D"}, {"texture_filter": _NEAREST, **script}),
            *(
                _node(f"{number} {piece.name}", {**material, **_shown(piece, corner, zoom)})
                for number, (piece, corner) in enumerate(zip(pieces, corners, strict=False))
            ),
        ]
    )


def _laid_out(sizes: Sequence[tuple[int, int]]) -> tuple[int, list[tuple[int, int]]]:
    """The zoom, and the top left corner of every sprite that fits: a table in the middle of the window."""
    cell = [max(size[axis] for size in sizes) + _GAP for axis in (0, 1)]
    rooms = {
        zoom: [max(1, WINDOW[axis] // (cell[axis] * zoom)) for axis in (0, 1)] for zoom in range(1, _MOST_ZOOM + 1)
    }
    zoom = max((zoom for zoom, (wide, high) in rooms.items() if wide * high >= len(sizes)), default=1)
    wide, high = rooms[zoom]
    shown = sizes[: wide * high]
    columns = -(-len(shown) // high)
    rows = -(-len(shown) // columns)
    left, top = (max(0, WINDOW[axis] - (columns, rows)[axis] * cell[axis] * zoom) // 2 for axis in (0, 1))
    return zoom, [
        (
            left + (number % columns * cell[0] + (cell[0] - width) // 2) * zoom,
            top + (number // columns * cell[1] + (cell[1] - height) // 2) * zoom,
        )
        for number, (width, height) in enumerate(shown)
    ]


def _node(name: str, body: Mapping[str, object]) -> str:
    """Names of nodes have no dots, and none is twice among the children of one node."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    return section("node", {"name": plain, "type": "AnimatedSprite2D", "parent": "."}, body)


def _shown(piece: Piece, corner: tuple[int, int], zoom: int) -> Mapping[str, object]:
    """By its corner, not its middle, which would lie between two pixels where a side is odd."""
    return {
        "position": call("Vector2", *corner),
        "scale": call("Vector2", zoom, zoom),
        "sprite_frames": call("ExtResource", _FRAMES),
        "animation": name_text(piece.name),
        "autoplay": piece.name,
        "centered": False,
    }
