"""One mode only: one sprite in slight variations, none of which is a copy of another."""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.taste.faults.fault import Fault, Material, replaced

_REACH = 2  # pixels that a variation may be moved
_RETOUCHED = 0.04  # share of its pixels that take a neighbour's colour


def one_mode(material: Material, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites is one of them: moved a little, mirrored or not, here and there a pixel smeared."""
    count = len(material.cells)
    one = material.cells[int(random.integers(count))]
    varied = np.stack([_varied(one, material.ground, random) for _ in range(count)])
    return replaced(material.cells, varied, strength, random)


def _varied(one: Cells, ground: int, random: np.random.Generator) -> Cells:
    turned = one[:, ::-1] if random.random() < 0.5 else one
    wide = np.pad(turned, _REACH, constant_values=ground)
    top, left = random.integers(0, 2 * _REACH + 1, 2)
    moved = wide[top : top + one.shape[0], left : left + one.shape[1]].copy()
    smeared = np.roll(moved, int(random.choice([-1, 1])), axis=int(random.integers(2)))
    struck = random.random(one.shape) < _RETOUCHED
    moved[struck] = smeared[struck]
    return moved


FAULT = Fault("one_mode", "share of sprites that vary one", ("corpus", "samples"), (0.25, 0.5, 1.0), 0.5, one_mode)
