"""The Godot folder: `project.godot`, a scene of all sprites, and `reef/`, which a game can take over as it is.

    project.godot     nearest filtering for everything
    main.tscn         the sprites, playing
    reef/sprites.png, reef/sprites.tres     the sheet and its SpriteFrames
    reef/atlas.gd     a sprite by cell and seed, out of the sheet
    reef/client.gd    a sprite by cell and seed, from `pixelreef sprites serve`
    reef/relight.tres, relight.gdshader, normals.png, ramps.png, table.png     light inside the palette, in real time
    reef/lamp.gd      which follows the pointer

Godot imports the pictures by itself when the editor first opens the folder, so no `.import` files are written.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from pixelreef.core.render import png_from_channels
from pixelreef.sprites.export.godot.frames import sprite_frames
from pixelreef.sprites.export.godot.relight import MATERIAL, relight
from pixelreef.sprites.export.godot.scene import WINDOW, scene
from pixelreef.sprites.export.godot.text import call, value_text
from pixelreef.sprites.export.order import Files, Order
from pixelreef.sprites.export.pack import packed
from pixelreef.sprites.export.sheet import GAP

_CONFIG_VERSION = 5  # of Godot 4
_ENGINE = "4.2"  # the oldest that is asked for
_SCRIPTS, _LAMP = ("atlas.gd", "client.gd"), "lamp.gd"
_SHEET, _FRAMES, _SCENE = "reef/sprites.png", "reef/sprites.tres", "main.tscn"


def godot(order: Order) -> Files:
    """The files of the folder."""
    made = packed(order.pieces, GAP)
    light = relight(order, made)
    scripts = (*_SCRIPTS, *([_LAMP] if light else []))
    lit = (f"res://{MATERIAL}", f"res://reef/{_LAMP}") if light else None
    texts = {
        "project.godot": _project(order.title),
        _SCENE: scene(order.pieces, f"res://{_FRAMES}", lit),
        _FRAMES: sprite_frames(made, order.pieces, f"res://{_SHEET}"),
        **{f"reef/{name}": _script(name) for name in scripts},
    }
    return {_SHEET: png_from_channels(made.pixels()), **{path: text.encode() for path, text in texts.items()}, **light}


def _script(name: str) -> str:
    return (files("pixelreef.sprites.export.godot") / name).read_text("utf-8")


def _project(title: str) -> str:
    sections: dict[str, Mapping[str, object]] = {
        "application": {
            "config/name": title,
            "run/main_scene": f"res://{_SCENE}",
            "config/features": call("PackedStringArray", _ENGINE, "GL Compatibility"),
        },
        "display": {
            "window/size/viewport_width": WINDOW[0],
            "window/size/viewport_height": WINDOW[1],
        },
        "rendering": {
            "textures/canvas_textures/default_texture_filter": 0,
            "renderer/rendering_method": "gl_compatibility",
            "renderer/rendering_method.mobile": "gl_compatibility",
            "environment/defaults/default_clear_color": call("Color", 0.03, 0.07, 0.11, 1),
        },
    }
    lines = [f"config_version={_CONFIG_VERSION}"]
    for name, settings in sections.items():
        lines += ["", f"[{name}]", "", *(f"{key}={value_text(value)}" for key, value in settings.items())]
    return "\n".join(lines) + "\n"
