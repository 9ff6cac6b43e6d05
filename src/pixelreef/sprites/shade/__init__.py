"""The palette-aware shader: light by walking the ramps of a palette, on sprites of any size and colours.

    light.py      Light: a direction and amounts
    stairs.py     the ramps of a palette as a table, ramp × level
    height.py     the inflated form of a silhouette
    relief.py     what parts and black lines do to it
    clusters.py   pixels of one colour that touch, lit together
    form.py       normals, occlusion and edges, in bytes
    walk.py       shade: what light does, and the walk that follows
    flatten.py    the light that a sprite is drawn with, found and taken out
    maps.py       the maps with which an engine lights anew, and Godot's shader
    steady.py     the maps of an animation without flicker
    turntable.py  a light that goes round
    sheet.py      flat against shaded
    write.py      the files of `pixelreef sprites shade`

Each builds on those above it.
"""

from pixelreef.sprites.shade.flatten import drawn_light, flattened
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.maps import Maps, maps_from_cells, relight_shader
from pixelreef.sprites.shade.walk import shade

__all__ = ["Light", "Maps", "drawn_light", "flattened", "maps_from_cells", "relight_shader", "shade"]
