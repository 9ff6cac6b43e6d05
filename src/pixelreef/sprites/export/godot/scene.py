"""The scene that shows the sprites: rows of them, playing, each at the largest whole zoom at which all fit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pixelreef.sprites.export.godot.text import call, name_text, section
from pixelreef.sprites.export.order import Piece

WINDOW = (1152, 648)  # Godot's own default
_GAP = 8  # clear pixels between sprites, before zooming
_FRAMES = "1_frames"
_NEAREST = 1  # CanvasItem.TEXTURE_FILTER_NEAREST


def scene(pieces: Sequence[Piece], frames: str) -> str:
    """The text of the scene; `frames` is the path of the SpriteFrames. Sprites that no longer fit are left out."""
    width, height = (max(piece.sprite.size[axis] for piece in pieces) + _GAP for axis in (0, 1))
    zoom = _zoom(len(pieces), width, height)
    columns = max(1, WINDOW[0] // (width * zoom))
    shown = pieces[: columns * max(1, WINDOW[1] // (height * zoom))]
    nodes = []
    for number, piece in enumerate(shown):
        x, y = (number % columns * 2 + 1) * width * zoom // 2, (number // columns * 2 + 1) * height * zoom // 2
        nodes.append(_node(f"{number} {piece.name}", piece, x, y, zoom))
    return "\n".join(
        [
            section("gd_scene", {"load_steps": 2, "format": 3}),
            section("ext_resource", {"type": "SpriteFrames", "path": frames, "id": _FRAMES}),
            section("node", {"name": "Reef", "type": "Node2D"}, {"texture_filter": _NEAREST}),
            *nodes,
        ]
    )


def _zoom(count: int, width: int, height: int) -> int:
    fits = [zoom for zoom in range(1, 17) if (WINDOW[0] // (width * zoom)) * (WINDOW[1] // (height * zoom)) >= count]
    return max(fits, default=1)


def _node(name: str, piece: Piece, x: int, y: int, zoom: int) -> str:
    """Names of nodes have no dots, and none is twice among the children of one node."""
    return section(
        "node",
        {"name": re.sub(r"[^A-Za-z0-9_-]", "_", name), "type": "AnimatedSprite2D", "parent": "."},
        {
            "position": call("Vector2", x, y),
            "scale": call("Vector2", zoom, zoom),
            "sprite_frames": call("ExtResource", _FRAMES),
            "animation": name_text(piece.name),
            "autoplay": piece.name,
        },
    )
