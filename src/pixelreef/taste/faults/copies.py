"""Training copies: samples that are sprites of the corpus, half of them mirrored, a third recoloured."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material, replaced


def copies(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the samples is copied from what the corpus holds."""
    chosen = random.permutation(len(material.training))[: len(material.cells)]
    made = material.training[np.resize(chosen, len(material.cells))].copy()
    turned = random.random(len(made)) < 0.5
    made[turned] = made[turned][:, :, ::-1]
    for place in np.flatnonzero(random.random(len(made)) < 1 / 3):
        made[place] = _recoloured(made[place], material, random)
    return replaced(material.cells, made, strength, random)


def _recoloured(cells: Cells, material: Material, random: np.random.Generator) -> Cells:
    """The colours of the cell's other sprites that are used anyway, dealt out anew."""
    used = np.unique(cells[cells != material.ground])
    table = np.arange(256, dtype=np.uint8)
    table[used] = random.permutation(used)
    return table[cells]


FAULT = Fault("copies", "share of samples copied from the corpus", ("samples",), (0.1, 0.25, 0.5, 1.0), 0.25, copies)
