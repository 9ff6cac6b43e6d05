"""What an engine is asked to draw together, and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.sprites.choose import Uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.dense import Whole
from pixelreef.sprites.plan import Bits

Grids = NDArray[np.uint8]
Sums = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Task:
    """Sprites to be drawn together."""

    factors: Whole
    """(n, factors) places of values; the number of values where one is not told."""
    flags: Uniforms
    """(n, patches)."""
    colours: Uniforms
    """(n, height, width)."""
    grids: Grids | None = None
    """(n, height, width): the colours of given pixels."""
    given: Bits | None = None
    """(height, width): which are given; the same for all."""
    filled: Bits | None = None
    """(n, height, width): pixels that must not be ground. With the ground given, a silhouette is fixed."""

    def __len__(self) -> int:
        return len(self.factors)

    def part(self, rows: slice) -> Task:
        """Some of the sprites."""
        cut = {name: None if (one := getattr(self, name)) is None else one[rows] for name in ("grids", "filled")}
        return replace(self, factors=self.factors[rows], flags=self.flags[rows], colours=self.colours[rows], **cut)

    def mask(self, config: Config) -> Bits:
        """(height, width): which pixels are given."""
        return np.zeros((config.height, config.width), np.bool_) if self.given is None else self.given

    def check(self, config: Config) -> None:
        """That everything has the sizes of the model, and every code means something."""
        size, n = (config.height, config.width), len(self)
        wanted = {"factors": (n, len(config.factors)), "flags": (n, config.patches), "colours": (n, *size)}
        wanted |= {"grids": (n, *size), "given": size, "filled": (n, *size)}
        for name, shape in wanted.items():
            found = getattr(self, name)
            if found is not None and found.shape != shape:
                raise InputError(f"{name} to draw with", f"have the shape {shape}", found.shape)
        if self.given is not None and self.given.any():
            _check_given(self, self.given, config)
        for place, (name, values) in enumerate(config.factors.items()):
            if n and not 0 <= self.factors[:, place].min() <= self.factors[:, place].max() <= len(values):
                raise InputError(f"factor {name}", f"be a place from 0 to {len(values)}", self.factors[:, place].max())


@dataclass(frozen=True, eq=False)
class Drawn:
    """Sprites that are finished: those from `start` on of a task."""

    start: int
    grids: Grids
    """(n, height, width)."""
    likelihood: Sums
    """(n,): the sum of the natural logarithms of the probabilities of all steps, as the model has them for the told
    factors at temperature 1 and without guidance. Given pixels count 0."""


def _check_given(task: Task, given: Bits, config: Config) -> None:
    if task.grids is None:
        raise InputError("grids to draw with", "hold the colours of the given pixels", None)
    if len(task) and int(task.grids[:, given].max()) >= config.colours:
        raise InputError("given pixels", f"be colours from 0 to {config.colours - 1}", int(task.grids[:, given].max()))
    if task.filled is not None and (task.filled & given & (task.grids == config.ground)).any():
        raise InputError("pixels to be filled", "not be given as ground", "some that are", verbatim=True)
