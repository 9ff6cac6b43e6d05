"""What an engine is asked to draw together, and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.sprites.choose import Reals, Uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.cut import Bits, patches_from_grid
from pixelreef.sprites.dense import Whole

Grids = NDArray[np.uint8]
Codes = NDArray[np.integer]
Sums = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Task:
    """Sprites to be drawn together."""

    factors: Whole
    """(n, factors) places of values; the number of values where one is not told."""
    shapes: Uniforms
    """(n, patches, 1 + rows of a patch)."""
    colours: Uniforms
    """(n, height, width)."""
    known: Codes | None = None
    """(n, height, width): a colour that is given, `filled` for anything but ground, or `unknown`; None: nothing is."""
    allowed: Bits | None = None
    """(n, colours): those that may be drawn; None: all. What is known or begun may have others."""
    begun: Codes | None = None
    """(n, height, width): colours of patches that go through the model as if it had drawn them itself, in their turn,
    and `unknown` for the rest; None: nothing is. Of a sprite that is known in part nothing is."""

    def __len__(self) -> int:
        return len(self.factors)

    def part(self, rows: slice) -> Task:
        """Some of the sprites."""
        every: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        some: dict[str, Any] = {name: None if value is None else value[rows] for name, value in every.items()}
        return Task(**some)

    def check(self, config: Config) -> None:
        """That everything has the sizes of the model, and every code means something."""
        size, n = (config.height, config.width), len(self)
        wanted = {
            "factors": (n, len(config.factors)),
            "shapes": (n, config.patches, 1 + config.patch),
            "colours": (n, *size),
            "known": (n, *size),
            "allowed": (n, config.colours),
            "begun": (n, *size),
        }
        for name, shape in wanted.items():
            found = getattr(self, name)
            if found is not None and found.shape != shape:
                raise InputError(f"{name} to draw with", f"have the shape {shape}", found.shape)
        if self.known is not None and n and not 0 <= self.known.min() <= self.known.max() <= config.filled:
            odd = int(self.known.max())
            raise InputError("given pixels", f"be colours from 0 to {config.colours - 1}", odd)
        if self.begun is not None:
            self._check_begun(self.begun, config)
        if self.allowed is not None and not np.delete(self.allowed, config.ground, axis=1).any(axis=1).all():
            raise InputError("colours to draw with", "be more than the ground alone", "none", verbatim=True)
        for place, (name, values) in enumerate(config.factors.items()):
            if n and not 0 <= self.factors[:, place].min() <= self.factors[:, place].max() <= len(values):
                raise InputError(f"factor {name}", f"be a place from 0 to {len(values)}", self.factors[:, place].max())

    def _check_begun(self, begun: Codes, config: Config) -> None:
        open_ = patches_from_grid(begun == config.unknown, config)
        if (open_.any(axis=2) != open_.all(axis=2)).any():
            raise InputError("what is begun", "be whole patches", "parts of some", verbatim=True)
        if begun.size and not 0 <= begun.min() <= begun.max() <= config.unknown:
            raise InputError("what is begun", f"be colours from 0 to {config.colours - 1}", int(begun.max()))


@dataclass(frozen=True, eq=False)
class Likelihood:
    """Natural logarithms of the probabilities of what was drawn; 0 for what was known or begun.

    They are those that the model has for the told factors, at temperature 1 and without guidance.
    """

    shape: Reals
    """(n, patches)."""
    pixels: Reals
    """(n, height, width): of colours."""

    @property
    def total(self) -> Sums:
        """(n,)."""
        return np.asarray(self.shape.sum(axis=1, dtype=np.float64) + self.pixels.sum(axis=(1, 2), dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Drawn:
    """Sprites that are finished: those from `start` on of a task."""

    start: int
    grids: Grids
    """(n, height, width)."""
    likelihood: Sums
    """(n,): the sum of the logarithms of all steps."""
