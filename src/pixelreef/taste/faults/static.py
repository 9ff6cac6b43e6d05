"""Static: pixels of any colour, as a model gives that is sampled too hot."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material


def static(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the pixels of every sprite takes any entry of the palette, the transparent one too."""
    cells = material.cells
    struck = random.random(cells.shape) < strength
    return np.where(struck, random.integers(0, len(material.palette), cells.shape, np.uint8), cells)


FAULT = Fault("static", "share of pixels of any colour", ("corpus", "samples"), (0.005, 0.02, 0.1, 0.5), 0.02, static)
