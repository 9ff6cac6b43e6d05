"""Sprites of which hardly anything is left, as a model gives that is sampled too cold. Half of them at the most."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material, replaced

_LEFT = 3  # pixels at most


def half_empty(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites keeps none to three of its pixels."""
    height, width = material.cells.shape[1:]
    flat = material.cells.reshape(len(material.cells), height * width)
    bare = np.full_like(flat, material.ground)
    for cells, kept, left in zip(flat, bare, random.integers(0, _LEFT + 1, len(flat)), strict=True):
        seen = np.flatnonzero(cells != material.ground)
        places = seen[random.permutation(len(seen))[:left]]
        kept[places] = cells[places]
    return replaced(material.cells, bare.reshape(material.cells.shape), strength, random)


FAULT = Fault("half_empty", "share of sprites all but empty", ("corpus", "samples"), (0.1, 0.25, 0.5), 0.25, half_empty)
