"""Light in real time: the maps of every frame, laid out as on the sheet, and a material that lights by them.

One material lights all sprites, so they must have one palette; where they do not, there is no light.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.render import enlarged, png_from_channels
from pixelreef.sprites.export.godot.text import call, section
from pixelreef.sprites.export.order import Files, Order
from pixelreef.sprites.export.pack import Packed, Place
from pixelreef.sprites.shade.maps import Maps, maps_from_cells, relight_shader

MATERIAL = "reef/relight.tres"
_SHADER, _NORMALS, _RAMPS, _TABLE = "reef/relight.gdshader", "reef/normals.png", "reef/ramps.png", "reef/table.png"
_TEXTURES = {"normal_map": _NORMALS, "ramp_map": _RAMPS, "ramp_table": _TABLE}


def relight(order: Order, made: Packed) -> Files:
    """The shader, its maps and its material; nothing where the sprites have several palettes."""
    if len({piece.sprite.palette for piece in order.pieces}) > 1:
        return {}
    normals, ramps = (np.zeros((made.height, made.width, 4), np.uint8) for _ in range(2))
    alike: dict[tuple[tuple[int, int], bool], list[Place]] = {}
    for place in made.places:
        alike.setdefault((place.size, bool(place.piece.parts)), []).append(place)
    for ((width, height), _), places in alike.items():
        maps = _maps(places, order.scale)
        for number, place in enumerate(places):
            across = slice(number * width // order.scale, (number + 1) * width // order.scale)
            at = slice(place.y, place.y + height), slice(place.x, place.x + width)
            normals[at] = enlarged(maps.normal[:, across], order.scale)
            ramps[at] = enlarged(maps.ramp[:, across], order.scale)
    return {
        _SHADER: relight_shader().encode(),
        _NORMALS: png_from_channels(normals),
        _RAMPS: png_from_channels(ramps),
        _TABLE: png_from_channels(maps.table),
        MATERIAL: _material(maps.uniforms()).encode(),
    }


def _maps(places: Sequence[Place], scale: int) -> Maps:
    """Of frames of one size, side by side, as they were before they were enlarged: their form is then rounder."""
    labels = [place.piece.parts[place.frame] for place in places if place.piece.parts]
    return maps_from_cells(
        _plain([place.piece.sprite.frames[place.frame].grid.cells for place in places], scale),
        places[0].piece.sprite.palette,
        _plain(labels, scale) if labels else None,
    )


def _plain(grids: Sequence[Cells], scale: int) -> Cells:
    return np.stack([grid[::scale, ::scale] for grid in grids])


def _material(uniforms: Mapping[str, float]) -> str:
    resources = {"shader": ("Shader", _SHADER), **{name: ("Texture2D", path) for name, path in _TEXTURES.items()}}
    parameters: dict[str, object] = {**{name: call("ExtResource", name) for name in _TEXTURES}, **uniforms}
    body = {
        "shader": call("ExtResource", "shader"),
        **{f"shader_parameter/{name}": of for name, of in parameters.items()},
    }
    return "\n".join(
        [
            section("gd_resource", {"type": "ShaderMaterial", "load_steps": len(resources) + 1, "format": 3}),
            *(
                section("ext_resource", {"type": kind, "path": f"res://{path}", "id": name})
                for name, (kind, path) in resources.items()
            ),
            section("resource", {}, body),
        ]
    )
