"""Labels mixed between two cells: good sprites under the wrong name. Half and half is the most that can be mixed."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material, replaced


def mixed(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites comes from another cell."""
    other = material.other[random.permutation(len(material.other))]
    return replaced(material.cells, other, strength, random)


FAULT = Fault("mixed", "share of sprites from another cell", ("corpus", "samples"), (0.1, 0.25, 0.5), mixed)
