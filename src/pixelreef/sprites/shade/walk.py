"""Shading: what light does to each pixel, as a real number of steps, and the walk along the ramp that follows.

Each kind of light adds or takes steps in proportion to its amount, so more light never darkens and more shadow never
lightens: sums, products and rounding are all monotone, in floating point too. `relight.gdshader` does the same, line by
line, from the maps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.errors import GridError
from pixelreef.sprites.shade.form import FULL, Form, form_from_cells
from pixelreef.sprites.shade.height import Reals
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.relief import FULLNESS
from pixelreef.sprites.shade.stairs import Stairs, stairs_from

STEPS = 3.0
"""Steps of the ramp that an amount of 1 comes to, where it has its full effect."""
EASE = 2.0
"""Steps from either end within which effects fade out, so that what is drawn there stays told apart.

Black takes no light at all, so outlines stay.
"""
_CHUNK = 2**16  # pixels at once: their fields fit into a processor's cache


def shade(
    cells: Cells,
    colours: Palette | Ramps,
    light: Light | None = None,
    parts: Cells | None = None,
    fullness: Mapping[str, float] = FULLNESS,
) -> Cells:
    """One sprite (h, w) or many (n, h, w), lit inside its palette; the same shape of uint8.

    `parts` are labels of `corpus.parts`, as large as the cells; `fullness` says how much each is blown up. What stands
    on no ramp, such as the transparent entry, is ground and stays.
    """
    stairs, light = stairs_from(colours), light or Light()
    batch, labels = checked(cells, parts, stairs)
    made = np.empty_like(batch)
    for some in chunks(batch):
        form = form_from_cells(batch[some], stairs, None if labels is None else labels[some], fullness)
        made[some] = walked(batch[some], stairs, steps(form, light))
    return made.reshape(cells.shape)


def chunks(batch: Cells) -> Iterator[slice]:
    """Parts of (n, h, w) that are worked on at once."""
    each = max(1, _CHUNK // max(1, batch.shape[1] * batch.shape[2]))
    return (slice(start, start + each) for start in range(0, len(batch), each))


def steps(form: Form, light: Light) -> Reals:
    """(n, h, w): the steps of the ramp that light adds to each pixel, or takes."""
    x, y, level = (np.float32(part) for part in light.direction)  # `level`: what a pixel gets that faces the viewer
    across = np.sqrt(x * x + y * y)
    side = np.float32(1) / np.maximum(across, np.float32(1e-6))
    along = form.x * (x / FULL) + form.y * (y / FULL)
    turned = along + form.z * (level / FULL) - level
    raised = _amount(light.light) * np.maximum(turned, 0) / np.maximum(1 - level, np.float32(1e-6))
    raised += _amount(light.rim) * form.edge * np.maximum(-along * side, 0)
    lowered = _amount(light.shadow) * np.maximum(-turned, 0) / (level + across)
    lowered += _amount(light.occlusion) * form.occlusion / np.float32(FULL)
    lowered += _amount(light.edges) * form.edge
    return np.asarray(raised - lowered)


def walked(cells: Cells, stairs: Stairs, by: Reals) -> Cells:
    """The cells, each so many steps lighter along its own row of the stairs; ground stays."""
    level = stairs.level[cells].astype(np.float32)
    top = np.float32(stairs.levels - 1)
    ease = np.float32(EASE * stairs.per_step)
    room_up = np.minimum(np.minimum(top - level, stairs.base + level) / ease, 1)
    room = np.where(by > 0, room_up, np.minimum(level / ease, 1))
    climb = by * room * np.float32(stairs.per_step)
    climb = np.trunc(climb + np.copysign(np.float32(0.5), climb))
    found = (level + climb).clip(0, top).astype(np.intp)
    found += stairs.row[cells].astype(np.intp) * stairs.levels
    return np.where(stairs.solid[cells], stairs.table.ravel()[found], cells)


def _amount(share: float) -> np.float32:
    return np.float32(STEPS) * np.float32(share)


def checked(cells: Cells, parts: Cells | None, stairs: Stairs) -> tuple[Cells, Cells | None]:
    """Cells and parts as (n, h, w), whether they are one sprite or many."""
    if cells.ndim not in (2, 3) or cells.dtype != np.uint8:
        raise GridError("cells", "be an (h, w) or (n, h, w) array of uint8", (cells.shape, str(cells.dtype)))
    if cells.size and int(cells.max()) >= len(stairs.row):
        raise GridError("cells", f"be palette indices from 0 to {len(stairs.row) - 1}", int(cells.max()))
    if parts is not None and (parts.shape != cells.shape or parts.dtype != np.uint8):
        raise GridError("parts", f"be uint8 and as large as the cells, {cells.shape}", parts.shape)
    if cells.ndim == 3:
        return cells, parts
    return cells[None], None if parts is None else parts[None]
