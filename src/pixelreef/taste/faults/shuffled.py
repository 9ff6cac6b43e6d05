"""Pixels change places: colours and their numbers stay, the drawing goes."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material


def shuffled(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the pixels of every sprite is dealt out anew among their places."""
    made = material.cells.copy()
    height, width = made.shape[1:]
    for cells in made.reshape(len(made), height * width):
        places = random.permutation(cells.size)[: round(strength * cells.size)]
        cells[places] = cells[random.permutation(places)]
    return made


FAULT = Fault(
    "shuffled",
    "share of a sprite's pixels that change places",
    ("corpus", "samples"),
    (0.02, 0.05, 0.3, 1.0),
    0.05,
    shuffled,
)
