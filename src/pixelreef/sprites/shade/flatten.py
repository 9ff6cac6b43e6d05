"""Taking out the light that a sprite is drawn with, so that another can take its place.

Levels on the ramps are held against normals: the slope of the one on the other, by least squares inside each ramp, is
the direction and the strength of the light that the artist had in mind. Its steps are then taken back. What is drawn in
another way (an outline, a pattern, a bright belly) has no such slope, or little, and stays.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.errors import InputError
from pixelreef.sprites.shade.form import FULL, Form, form_from_cells
from pixelreef.sprites.shade.relief import FULLNESS
from pixelreef.sprites.shade.stairs import Stairs, stairs_from
from pixelreef.sprites.shade.walk import checked, chunks, walked

_DOUBT = 3.0  # pixels turned full to each side that speak for no light at all: small sprites prove little


def flattened(
    cells: Cells,
    colours: Palette | Ramps,
    amount: float = 1.0,
    parts: Cells | None = None,
    fullness: Mapping[str, float] = FULLNESS,
) -> Cells:
    """One sprite (h, w) or many (n, h, w), with that share of their drawn light taken back, from 0 to 1."""
    if not 0 <= amount <= 1:
        raise InputError("flatten", "be from 0 to 1", amount)
    stairs = stairs_from(colours)
    batch, labels = checked(cells, parts, stairs)
    made = np.empty_like(batch)
    for some in chunks(batch):
        form = form_from_cells(batch[some], stairs, None if labels is None else labels[some], fullness)
        slope = (amount / FULL * _slopes(batch[some], stairs, form)).astype(np.float32)
        by = -(form.x * slope[:, 0, None, None] + form.y * slope[:, 1, None, None])
        made[some] = walked(batch[some], stairs, by)
    return made.reshape(cells.shape)


def drawn_light(cells: Cells, colours: Palette | Ramps, parts: Cells | None = None) -> NDArray[np.float64]:
    """(2,) for one sprite, (n, 2) for many: the azimuth of the light it is drawn with, and its strength.

    The azimuth is in degrees from 0 to 360, as in `Light`. The strength is in steps of the ramp, between a pixel that
    faces the viewer and one turned full to the light; 0 where there is none, and then the azimuth means nothing.
    """
    stairs = stairs_from(colours)
    batch, labels = checked(cells, parts, stairs)
    found = np.empty((len(batch), 2))
    for some in chunks(batch):
        form = form_from_cells(batch[some], stairs, None if labels is None else labels[some])
        x, y = _slopes(batch[some], stairs, form).T
        found[some] = np.stack([np.degrees(np.arctan2(y, x)) % 360, np.hypot(x, y)], axis=1)
    return found[0] if cells.ndim == 2 else found


def _slopes(cells: Cells, stairs: Stairs, form: Form) -> NDArray[np.float64]:
    """(n, 2): steps for each unit of the normal, to the right and up. Sums are of whole numbers, hence exact."""
    sprite = np.nonzero(form.solid)[0]
    ramps = len(stairs.table)
    key = sprite * ramps + stairs.row[cells[form.solid]]
    x, y = form.x[form.solid].astype(np.float64), form.y[form.solid].astype(np.float64)
    level = stairs.level[cells[form.solid]].astype(np.float64)

    def total(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(key, values, len(cells) * ramps).astype(np.float64).reshape(len(cells), ramps)

    count = np.maximum(total(np.ones_like(x)), 1)

    def together(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,): the sum of products, each ramp about its own mean."""
        return np.asarray((total(one * other) - total(one) * total(other) / count).sum(axis=1))

    doubt = _DOUBT * FULL**2
    xx, yy, xy = together(x, x) + doubt, together(y, y) + doubt, together(x, y)
    xl, yl = together(x, level), together(y, level)
    slope = np.stack([yy * xl - xy * yl, xx * yl - xy * xl], axis=1) / (xx * yy - xy * xy)[:, None]
    return slope * (FULL / stairs.per_step)
