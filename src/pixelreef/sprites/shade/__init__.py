"""The palette-aware shader: light by walking the ramps of a palette, on sprites of any size and colours.

light.py      Light: a direction and amounts
height.py     the inflated form of a silhouette
form.py       its normals, occlusion and edges, in bytes
stairs.py     the ramps of a palette as a table, ramp × level
walk.py       shade: what light does, and the walk that follows
maps.py       the maps with which an engine lights anew, and Godot's shader
turntable.py  a light that goes round
sheet.py      flat against shaded
write.py      the files of `pixelreef sprites shade`
"""

from pixelreef.sprites.shade.flatten import drawn_light, flattened
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.maps import Maps, maps_from_cells, relight_shader
from pixelreef.sprites.shade.turntable import turntable
from pixelreef.sprites.shade.walk import shade

__all__ = ["Light", "Maps", "drawn_light", "flattened", "maps_from_cells", "relight_shader", "shade", "turntable"]
