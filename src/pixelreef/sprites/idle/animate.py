"""Any sprite animated: on the model's canvas and in its colours where it fits, as it is where it does not.

Animator(sampler, labeller).idle(sprite).sprite      # four frames, with its lineage
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pixelreef.core.grid import Grid
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.errors import InputError
from pixelreef.sprites.idle.frames import Idle, animated
from pixelreef.sprites.parts.labeller import Labeller
from pixelreef.sprites.sample import Sampler

MILLISECONDS = 160


@dataclass(frozen=True)
class Moving:
    """An animation, and how it came about."""

    sprite: Sprite
    idle: Idle


@dataclass(frozen=True, eq=False)
class Animator:
    """A model that redraws, and a labeller that tells what may move."""

    sampler: Sampler | None
    labeller: Labeller

    def idle(self, sprite: Sprite, milliseconds: int = MILLISECONDS, whole: bool = False) -> Moving:
        """Four frames of the first frame of a sprite."""
        told = self.labeller.told_by(sprite)
        cells, palette = sprite.grid.cells, sprite.palette
        if palette.transparent is None:
            raise InputError(f"sprite {sprite.name!r}", "have a transparent colour, to move on", "none", verbatim=True)
        found = None if whole else self.labeller.label(cells, palette, told)
        idle = animated(cells, palette.transparent, found, self._redraws(sprite), told)
        frames = tuple(Frame(Grid(np.ascontiguousarray(one)), milliseconds) for one in idle.frames)
        lineage = {**sprite.lineage, "idle": {"way": idle.way, "redrawn": idle.redrawn}}
        return Moving(replace(sprite, frames=frames, lineage=lineage), idle)

    def _redraws(self, sprite: Sprite) -> Sampler | None:
        """The model, where a sprite has its size and colours."""
        if self.sampler is None:
            return None
        config = self.sampler.config
        fits = sprite.size == (config.width, config.height) and sprite.palette == self.sampler.weights.palette
        return self.sampler if fits else None
