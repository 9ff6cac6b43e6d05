"""Light in real time: the maps of every frame, laid out as on the sheet, and a material that lights by them.

One material lights all sprites, so one palette must hold them: their own where they share it, else that of all their
colours. Where these are more than 255, there is no light. A light that moves takes the place of the one that a sprite
is drawn with, which is therefore taken out of the maps; the sheet stays as it is drawn.

Maps of an animation must not flicker. Where its frames are moved pixels of the first one, the maps of the first go
along with them; else what keeps its colour keeps the mean of its maps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.render import enlarged, png_from_channels
from pixelreef.core.sprite import palette_of_pixels
from pixelreef.errors import PaletteError
from pixelreef.sprites.export.godot.text import call, section
from pixelreef.sprites.export.order import Files, Order
from pixelreef.sprites.export.pack import Packed, Place
from pixelreef.sprites.idle.motion import carried, sources
from pixelreef.sprites.shade.flatten import flattened
from pixelreef.sprites.shade.maps import Maps, maps_from_cells, relight_shader
from pixelreef.sprites.shade.steady import Channels, steadied

MATERIAL = "reef/relight.tres"
_SHADER, _NORMALS, _RAMPS, _TABLE = "reef/relight.gdshader", "reef/normals.png", "reef/ramps.png", "reef/table.png"
_AMOUNTS = {"light": 0.6, "shadow": 0.6}  # more than the shader's own, which add to a drawn light
_TEXTURES = {"normal_map": _NORMALS, "ramp_map": _RAMPS, "ramp_table": _TABLE}


def relight(order: Order, made: Packed) -> Files:
    """The shader, its maps and its material; nothing where the sprites have too many colours."""
    try:
        palette, sheet = _indexed(made)
    except PaletteError:
        return {}
    normals, ramps = (np.zeros((made.height, made.width, 4), np.uint8) for _ in range(2))
    alike: dict[tuple[tuple[int, int], bool], list[Place]] = {}
    for place in made.places:
        alike.setdefault((place.size, bool(place.piece.parts)), []).append(place)
    for places in alike.values():
        maps, *each = _lit(places, sheet, palette, order.scale)
        for place, normal, ramp in zip(places, *each, strict=True):
            normals[place.region] = enlarged(normal, order.scale)
            ramps[place.region] = enlarged(ramp, order.scale)
    return {
        _SHADER: relight_shader().encode(),
        _NORMALS: png_from_channels(normals),
        _RAMPS: png_from_channels(ramps),
        _TABLE: png_from_channels(maps.table),
        MATERIAL: _material({**maps.uniforms(), **_AMOUNTS}).encode(),
    }


def _lit(places: Sequence[Place], sheet: Cells, palette: Palette, scale: int) -> tuple[Maps, Channels, Channels]:
    """The maps of frames of one size, and the normal and the ramp map of each, (n, h, w, 4)."""
    # Of the frames as they were before they were enlarged: their form is then rounder.
    cells = np.stack([sheet[place.region][::scale, ::scale] for place in places])
    labels = [place.piece.parts[place.frame][::scale, ::scale] for place in places if place.piece.parts]
    parts = np.stack(labels) if labels else None
    maps = maps_from_cells(flattened(cells, palette, parts=parts), palette, parts)
    normal, ramp = (np.stack(np.split(strip, len(places), axis=1)) for strip in (maps.normal, maps.ramp))
    for start, place in enumerate(places):
        if place.frame == 0 and len(place.piece.stems) > 1:
            some = slice(start, start + len(place.piece.stems))
            of_first = None if parts is None else parts[start]
            normal[some], ramp[some] = _steady(normal[some], ramp[some], cells[some], palette.transparent, of_first)
    return maps, normal, ramp


def _steady(
    normal: Channels, ramp: Channels, cells: Cells, clear: int | None, parts: Cells | None
) -> tuple[Channels, Channels]:
    """The maps of the frames of one sprite; `parts` are those of the first."""
    came = sources(list(cells), -1 if clear is None else clear, parts)
    if came is None:
        return steadied(normal, ramp, cells)
    along = [np.stack([carried(of[0], one, own) for one, own in zip(came, of, strict=True)]) for of in (normal, ramp)]
    return along[0], along[1]


def _indexed(made: Packed) -> tuple[Palette, Cells]:
    """One palette for all sprites, and the sheet in its indices."""
    palettes = list(dict.fromkeys(place.piece.sprite.palette for place in made.places))
    if len(palettes) > 1:
        return palette_of_pixels(made.pixels())
    sheet = np.zeros((made.height, made.width), np.uint8)
    for place in made.places:
        sheet[place.region] = place.piece.sprite.frames[place.frame].grid.cells
    return palettes[0], sheet


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
