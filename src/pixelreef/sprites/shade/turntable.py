"""A turntable: one sprite, and a light that goes once around it."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells, Grid
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.errors import InputError
from pixelreef.sprites.shade.form import form_from_cells
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.stairs import stairs_from
from pixelreef.sprites.shade.walk import checked, steps, walked

MAX_DIRECTIONS = 256  # the frames of a sprite document
_ROUND = 2000  # milliseconds once around


def turntable(sprite: Sprite, light: Light, directions: int = 16, parts: Cells | None = None) -> Sprite:
    """The first frame in as many lights, against the clock from the one given; each its own frame."""
    if not 1 <= directions <= MAX_DIRECTIONS:
        raise InputError("directions", f"be from 1 to {MAX_DIRECTIONS}", directions)
    stairs = stairs_from(sprite.palette)
    cells, labels = checked(sprite.grid.cells, parts, stairs)
    form = form_from_cells(cells, stairs, labels)
    lights = [light.turned(360 * number / directions) for number in range(directions)]
    lit = [walked(cells, stairs, steps(form, one))[0] for one in lights]
    time = max(20, 10 * round(_ROUND / directions / 10))  # GIF counts in hundredths of a second
    frames = tuple(Frame(Grid(np.ascontiguousarray(one)), time) for one in lit)
    return Sprite(sprite.palette, frames, sprite.name, {**sprite.lineage, "turntable": light.document()})
