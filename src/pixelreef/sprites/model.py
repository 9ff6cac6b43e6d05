"""A `reef` model in numpy: its numbers, and the small steps that drawing and likelihood share.

Weights are float32 arrays under the names that the torch model has for them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.config import Config
from pixelreef.sprites.dense import Arrays, Reals, Trunk, Whole, turned
from pixelreef.sprites.pixels import Pixels
from pixelreef.sprites.plan import Plan
from pixelreef.sprites.task import Task

Codes = NDArray[np.integer]


class Model:
    """A model without a way to go about it."""

    def __init__(self, config: Config, weights: Arrays) -> None:
        self.config = config
        arrays = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self.trunk = Trunk(arrays, config.trunk_layers, config.heads)
        self.pixels = Pixels(config, arrays)
        self.patch = turned(arrays, "patch")
        self.places = (arrays["row"][:, None] + arrays["column"]).reshape(config.patches, -1)
        ground = np.tile(self.pixels.colour[config.ground], config.pixels)
        self.bare = ground @ self.patch + self.places
        """(patches, width): each as the trunk takes it in when it is empty."""
        self.next_places = (arrays["next_row"][:, None] + arrays["next_column"]).reshape(config.patches, -1)
        self.begin, self.shown = arrays["begin"][0], arrays["shown"][0]
        self.factors = [arrays[f"factors.{place}"] for place in range(len(config.factors))]
        self.empty, self.empty_bias = turned(arrays, "empty", "norm")[:, 0], arrays["empty.bias"][0]
        self.untold = np.array([len(values) for values in config.factors.values()], np.intp)

    def told(self, factors: Whole) -> Reals:
        """(n, width): what the factors (n, factors) say."""
        total = np.zeros((len(factors), self.config.trunk_width), np.float32)
        for place, table in enumerate(self.factors):
            total += table[factors[:, place]]
        return total

    def codes(self, task: Task) -> Codes:
        """(n, height, width): what is given, `unknown` elsewhere."""
        config = self.config
        codes = np.full((len(task), config.height, config.width), config.unknown, np.uint16)
        if task.grids is not None and task.given is not None:
            codes[:, task.given] = task.grids[:, task.given]
        return codes

    def box(self, patch: int) -> tuple[slice, slice]:
        """The rows and columns of a patch."""
        row, column = divmod(patch, self.config.columns)
        side = self.config.patch
        return slice(row * side, row * side + side), slice(column * side, column * side + side)

    def content(self, codes: Codes, patch: int) -> Reals:
        """(n, width): a patch as the trunk takes it in."""
        rows, columns = self.box(patch)
        colours = self.pixels.colour[codes[:, rows, columns].reshape(len(codes), -1)]
        return np.asarray(colours.reshape(len(codes), -1) @ self.patch + self.places[patch])

    def step(self, codes: Codes, plan: Plan, number: int) -> Reals:
        """(n, width): what the trunk takes in to draw patch `number` of the order."""
        before = self.content(codes, plan.order[number - 1]) if number else self.begin
        return np.asarray(np.broadcast_to(before + self.next_places[plan.order[number]], (len(codes), len(self.begin))))

    def steps(self, codes: Codes, plan: Plan, count: int) -> Reals:
        """(n, shown + count, width): the patches shown, and the first `count` of the order."""
        shown = [self.content(codes, patch) + self.shown for patch in plan.shown]
        return np.stack([*shown, *(self.step(codes, plan, number) for number in range(count))], axis=1)

    def empty_odds(self, states: Reals) -> Reals:
        """Log-odds that a patch is empty, from states (…, width)."""
        return np.asarray(states @ self.empty + self.empty_bias)
