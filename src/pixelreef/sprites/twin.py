"""The engine's twin in torch: samples a `reef` model with torch's arithmetic, the same uniforms and the same choice.

It is there to be compared with, not to be fast: it keeps nothing between steps, and asks the model that is trained
anew for every patch and unit.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from pixelreef.errors import InputError
from pixelreef.sprites.choose import Reals, Sampling, Uniforms, chosen, log_shares
from pixelreef.sprites.config import EMPTY, FULL, MIXED, NEVER
from pixelreef.sprites.network import Reef, barred_kinds
from pixelreef.sprites.painter import Painter, Units, cut, joined
from pixelreef.sprites.task import Drawn, Task
from pixelreef.sprites.weights import Weights


def reef_from_weights(weights: Weights) -> Reef:
    """The torch model with the numbers of a file: stored in float16, computed in float32."""
    reef = Reef(weights.config)
    reef.load_state_dict({name: torch.tensor(value) for name, value in weights.arrays.items()})
    return reef.eval()


class Twin:
    """A torch model ready to draw."""

    def __init__(self, reef: Reef) -> None:
        self.reef, self.config = reef, reef.config

    @torch.inference_mode()
    def draw(self, task: Task, sampling: Sampling | None = None) -> Drawn:
        """Draw everything, in one batch."""
        task.check(self.config)
        if task.begun is not None:
            raise InputError("what the twin draws", "be begun by itself", "a beginning", verbatim=True)
        return _Drawing(self.reef, task, sampling or Sampling()).run()


class _Drawing:
    """One batch on its way. Maps are cut, (n, patches, pixels)."""

    def __init__(self, reef: Reef, task: Task, sampling: Sampling) -> None:
        self.reef, self.task, self.sampling, self.config = reef, task, sampling, reef.config
        self.likelihood = np.zeros(len(task))
        told = torch.from_numpy(task.factors.astype(np.int64))
        untold = torch.tensor([len(values) for values in self.config.factors.values()]).expand_as(told)
        self.factors = [told, untold] if sampling.guides(self.config) else [told]

    def run(self) -> Drawn:
        config, n = self.config, len(self.task)
        if self.task.known is None:
            known = torch.full((n, config.patches, config.pixels), config.unknown)
        else:
            known = cut(torch.from_numpy(self.task.known.astype(np.int64)), config)
        shape = known.clone()
        for patch in range(config.patches):
            self._shape(known, shape, patch)
        codes = shape.clone()
        for patch in range(config.patches):
            self._colours(shape, codes, patch)
        return Drawn(0, joined(codes, config).numpy().astype(np.uint8), self.likelihood)

    def _shape(self, known: Tensor, shape: Tensor, patch: int) -> None:
        config, reef, before = self.config, self.reef, known[:, patch]
        unknown = before == config.unknown
        asked = unknown.any(dim=1)
        if not asked.any():
            return
        states = self._states(reef.shape, known, shape, patch, (known == config.unknown).any(dim=2))
        odds = [reef.kind(one).masked_fill(barred_kinds(before, config), NEVER).numpy() for one in states]
        kinds = self._chosen(odds, self.task.shapes[:, patch, 0], asked, self.sampling.of_shapes)
        for kind, code in ((EMPTY, config.ground), (FULL, config.filled)):
            shape[:, patch][unknown & (kinds == kind)[:, None]] = code
        for place in range(config.patch):
            row = slice(place * config.patch, (place + 1) * config.patch)
            rows = asked & (kinds == MIXED) & unknown[:, row].any(dim=1)
            if rows.any():
                self._row(known, shape, patch, place, states, rows)

    def _row(self, known: Tensor, shape: Tensor, patch: int, place: int, states: list[Tensor], rows: Tensor) -> None:
        config, reef = self.config, self.reef
        row = slice(place * config.patch, (place + 1) * config.patch)
        mixed = torch.zeros(shape.shape[:2], dtype=torch.bool)
        mixed[rows, patch] = True
        every = reef.rows(known, shape, mixed)
        units = Units(*(one[every.place == place] for one in every))
        patterns = self._unit(reef.shape, known, shape, units, states, self.task.shapes[:, patch, 1 + place], rows)
        filled = (patterns[:, None] & reef.bits) != 0
        drawn = torch.where(filled, config.filled, config.ground)
        open_ = (known[:, patch, row] == config.unknown) & rows[:, None]
        shape[:, patch, row] = torch.where(open_, drawn, shape[:, patch, row])

    def _colours(self, shape: Tensor, codes: Tensor, patch: int) -> None:
        config, reef = self.config, self.reef
        open_ = shape == config.filled
        if not open_[:, patch].any():
            return
        states = self._states(reef.colours, shape, codes, patch, open_.any(dim=2))
        ground = (torch.arange(config.colours) == config.ground)[None]
        y, x = (config.patch * place for place in divmod(patch, config.columns))
        for place in range(config.pixels):
            rows = open_[:, patch, place]
            if rows.any():
                picture = rows.nonzero()[:, 0]
                here = torch.full_like(picture, patch), torch.full_like(picture, place), torch.zeros_like(picture)
                units = Units(picture, *here, ground.expand(len(picture), -1))
                uniform = self.task.colours[:, y + place // config.patch, x + place % config.patch]
                found = self._unit(reef.colours, shape, codes, units, states, uniform, rows)
                codes[:, patch, place] = torch.where(rows, found, codes[:, patch, place])

    def _states(self, painter: Painter, known: Tensor, final: Tensor, patch: int, asked: Tensor) -> list[Tensor]:
        """(n, width) for each set of factors. What is not drawn yet is behind, and not looked at."""
        maps = joined(known, self.config), joined(final, self.config)
        return [painter.states(*maps, factors, asked)[:, patch] for factors in self.factors]

    def _unit(
        self,
        painter: Painter,
        known: Tensor,
        final: Tensor,
        units: Units,
        states: list[Tensor],
        uniform: Uniforms,
        rows: Tensor,
    ) -> Tensor:
        """(n,): what a unit becomes in the sprites of these rows."""
        seen = painter.surroundings(joined(known, self.config), joined(final, self.config), units)
        odds = []
        for one in states:
            found = painter.log_odds(painter.state(one[rows]), seen, units.place, units.barred)
            whole = np.zeros((len(one), found.shape[1]), np.float32)
            whole[rows.numpy()] = found.numpy()
            odds.append(whole)
        if painter is self.reef.shape:
            return self._chosen(odds, uniform, rows, self.sampling.of_shapes)
        return self._chosen(odds, uniform, rows, self.sampling, self.task.allowed)

    def _chosen(
        self,
        odds: list[Reals],
        uniform: Uniforms,
        counted: Tensor,
        sampling: Sampling,
        allowed: NDArray[np.bool_] | None = None,
    ) -> Tensor:
        mixed = odds[0]
        if len(odds) > 1:
            mixed = odds[1] + np.float32(sampling.guidance) * (odds[0] - odds[1])
        choice = chosen(mixed if allowed is None else np.where(allowed, mixed, NEVER), uniform, sampling)
        self.likelihood += np.where(counted.numpy(), log_shares(odds[0], choice), 0)
        return torch.from_numpy(choice)
