"""Maps with which a game lights a sprite anew, in real time and inside its palette, and Godot's shader that does it.

A normal map (x to the right, y up, z to the viewer, as Godot and OpenGL have them; 128 stands for 0), a ramp map (red:
the ramp, green: the level on it, blue: occlusion to 127, and 128 more on an edge; alpha: the silhouette) and the ramp
table (a row for each ramp, a column for each level, dark to light).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.sprites.shade.form import form_from_cells
from pixelreef.sprites.shade.relief import FULLNESS
from pixelreef.sprites.shade.stairs import stairs_from
from pixelreef.sprites.shade.walk import checked

ZERO = 128
"""The byte of 0 in a normal map; 1 and 255 are −1 and 1."""
EDGE = 128
"""What an edge adds to the blue of a ramp map."""
SHADER = "relight.gdshader"


@dataclass(frozen=True, eq=False)
class Maps:
    """RGBA bytes; all channels are 0 outside the silhouette."""

    normal: NDArray[np.uint8]
    """(h, w, 4)."""
    ramp: NDArray[np.uint8]
    """(h, w, 4)."""
    table: NDArray[np.uint8]
    """(ramps, levels, 4)."""
    per_step: int
    """Levels of the table to a step of light: a uniform of the shader."""
    base: int
    """Levels from black to the first of the table: a uniform of the shader."""

    def uniforms(self) -> dict[str, float]:
        """The uniforms that depend on the palette."""
        return {"per_step": float(self.per_step), "base": float(self.base)}


def maps_from_cells(
    cells: Cells, palette: Palette, parts: Cells | None = None, fullness: Mapping[str, float] = FULLNESS
) -> Maps:
    """The maps of one sprite (h, w), or of the frames (n, h, w) of one, side by side from left to right."""
    stairs = stairs_from(palette)
    cells, parts = checked(cells, parts, stairs)
    form = form_from_cells(cells, stairs, parts, fullness)
    normal = np.stack([part.astype(np.int16) + ZERO for part in (form.x, form.y, form.z)], axis=-1)
    hidden = form.occlusion + np.uint8(EDGE) * form.edge
    ramp = np.stack([stairs.row[cells], stairs.level[cells], hidden], axis=-1)
    table = palette.rgba[stairs.table].copy()
    table[..., 3] = 255
    return Maps(_strip(normal, form.solid), _strip(ramp, form.solid), table, stairs.per_step, stairs.base)


def relight_shader() -> str:
    """The text of a canvas_item shader for Godot 4 that lights a sprite from its maps."""
    return files("pixelreef.sprites.shade").joinpath(SHADER).read_text("utf-8")


def _strip(channels: NDArray[np.integer], solid: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """(n, h, w, 3) → (h, n·w, 4), with the silhouette as alpha."""
    made = np.zeros((*solid.shape, 4), np.uint8)
    made[solid, :3] = channels[solid]
    made[solid, 3] = 255
    return np.concatenate(list(made), axis=1)
