"""What the fast learner draws: right from pixel to pixel, with no whole. A gate that passes it sees texture alone."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.errors import InputError
from pixelreef.taste.faults.fault import Fault, Material, replaced


def learner(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the samples is drawn by the learner that was fitted on this cell."""
    if material.draw is None:
        raise InputError("learner", "be fitted on the cell", "none", verbatim=True)
    count = max(1, round(strength * len(material.cells)))
    return replaced(material.cells, material.draw(count, int(random.integers(2**31))), strength, random)


FAULT = Fault("learner", "share of samples drawn by the fast learner", ("samples",), (0.25, 0.5, 1.0), 0.5, learner)
