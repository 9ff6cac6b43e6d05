"""What a fault is, and what it has to work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.errors import InputError

Side = Literal["corpus", "samples"]
Draw = Callable[[int, int], Cells]


@dataclass(frozen=True, eq=False)
class Material:
    """The sprites that a fault may use. All grids are of one size and one palette."""

    cells: Cells
    """(N, H, W): the good sprites of the cell, which the fault spoils."""
    other: Cells
    """(M, H, W): good sprites of another cell."""
    training: Cells
    """(T, H, W): what the corpus holds of this cell; none of them among `cells` when samples are spoilt."""
    palette: Palette
    photographs: Cells | None = None
    """(P, H, W): real photographs in the palette; made by code where there are none."""
    draw: Draw | None = None
    """n, seed → (n, H, W): the learner of this cell, where one was fitted."""

    @property
    def ground(self) -> int:
        """The index that means nothing is there: the transparent one, else the commonest of all."""
        if self.palette.transparent is not None:
            return self.palette.transparent
        return int(np.bincount(self.cells.ravel(), minlength=1).argmax())


@dataclass(frozen=True)
class Fault:
    """A way to spoil a cell, at several strengths."""

    name: str
    words: str
    """What a strength means: a share of what."""
    applies: tuple[Side, ...]
    strengths: tuple[float, ...]
    """Ascending; the last is full strength."""
    weak: float
    """The strength from which on a cell should at least be warned of."""
    spoil: Callable[[Material, float, np.random.Generator], Cells]

    @property
    def full(self) -> float:
        return self.strengths[-1]

    def spoilt(self, material: Material, strength: float, random: np.random.Generator) -> Cells:
        """As many sprites as `material.cells` has, spoilt; the good ones are left as they are."""
        if not 0 < strength <= 1:
            raise InputError("strength", "be above 0 and at most 1", strength)
        if not len(material.cells):
            raise InputError("sprites to spoil", "be at least one", 0)
        return self.spoil(material, strength, random)


def replaced(cells: Cells, instead: Cells, strength: float, random: np.random.Generator) -> Cells:
    """A share of the sprites, in places drawn by chance, gives way to others, taken from the first on.

    >>> cells, instead = np.zeros((4, 1, 1), np.uint8), np.ones((4, 1, 1), np.uint8)
    >>> int(replaced(cells, instead, 0.5, np.random.default_rng(0)).sum())
    2
    """
    places = random.permutation(len(cells))[: round(strength * len(cells))]
    made = cells.copy()
    made[places] = instead[np.arange(len(places)) % len(instead)]
    return made
