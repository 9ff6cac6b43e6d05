"""Labels mixed between two cells: good sprites under the wrong name. Half and half is the most that can be mixed.

The same share at the end of both cells is exchanged, so that spoiling each with the other moves sprites and copies
none. Nothing is left to chance: sprites of a cell stand in no order.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material


def mixed(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites comes from another cell."""
    count = len(material.cells)
    kept = count - round(strength * count)
    made = material.cells.copy()
    made[kept:] = material.other[np.arange(kept, count) % len(material.other)]
    return made


FAULT = Fault("mixed", "share of sprites from another cell", ("corpus", "samples"), (0.1, 0.25, 0.5), 0.25, mixed)
