"""Real photographs to plant: those of a folder, in any palette and at any size that a trial asks for.

They are cut out where a subject can be told from its background, and brought to the palette plainly. The mending that
`corpus photos` does is left out on purpose: what is planted is what a careless import would bring.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from pixelreef.core.files import inside
from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.errors import InputError, PixelreefError

Photographs = Callable[[tuple[int, ...], Palette], Cells | None]
"""Shape of a grid and a palette → (P, H, W), or None where there are none."""
LIMIT = 300


def photographs_from_folder(folder: str | os.PathLike[str], limit: int = LIMIT) -> Photographs:
    """The photographs of a folder, each size and palette made once; those that can't be read are left out."""
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.photos.folder import pictures_in

    root = Path(folder)
    if not root.is_dir():
        raise InputError("--photos", "be a folder", os.fspath(folder))
    paths = list(pictures_in(root, Intake()))[:limit]

    @cache
    def made(shape: tuple[int, ...], palette: Palette) -> Cells | None:
        if shape[0] != shape[1]:
            return None
        found = [one for path in paths if (one := _pixels(root, path, shape[0])) is not None]
        return quantise(np.stack(found), palette) if found else None

    return made


def _pixels(root: Path, path: str, side: int) -> Cells | None:
    """(side, side, 4) bytes, or None for what is no photograph."""
    from pixelreef.corpus.photos.isolate import isolate
    from pixelreef.corpus.photos.pixelise import pixelise
    from pixelreef.corpus.photos.reading import read_photo, working_side

    try:
        rgba = read_photo(inside(root, path), working_side(side))
        return pixelise(rgba[..., :3], isolate(rgba, whole=True).mask, side)
    except (PixelreefError, MemoryError):
        return None
