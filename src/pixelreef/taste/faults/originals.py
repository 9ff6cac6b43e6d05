"""Eight originals, copied over and over, some mirrored: many files, little to learn from."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material, replaced

ORIGINALS = 8


def originals(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites is copied from eight of them."""
    few = material.cells[random.permutation(len(material.cells))[:ORIGINALS]]
    copies = few[np.arange(len(material.cells)) % len(few)]
    turned = random.random(len(copies)) < 0.5
    copies[turned] = copies[turned][:, :, ::-1]
    return replaced(material.cells, copies, strength, random)


FAULT = Fault(
    "originals", "share of sprites copied from eight", ("corpus", "samples"), (0.25, 0.5, 1.0), 0.5, originals
)
