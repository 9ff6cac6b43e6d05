"""The network for the pixels inside a patch, in numpy, and what of a pixel's window a plan lets it see.

A pixel sees the codes in a window around it. With a given plan, many places of the window can never be known when
pixel i of a patch is drawn (all that is below, without given pixels). They are `unknown`, or `outside` at the rim, in
every sprite: what they add is a constant of patch and pixel (`Sight.constant`), and only the other places are
multiplied, with the rows of the matrix that belong to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.config import Config
from pixelreef.sprites.dense import Arrays, Block, Reals, Whole, inverse_square, inverse_square_few, times_few, turned
from pixelreef.sprites.plan import Bits, Kind, Plan, grid_from_patches, patches_from_grid

MAX_TABLE = 2**25  # bytes


@dataclass(frozen=True, eq=False)
class Sight:
    """What pixels see of their windows under one plan."""

    constant: Reals
    """(patches, pixels, width): what comes from the place in the patch and from places that are never known."""
    places: list[Whole]
    """Of pixel i of a patch: the seen places of its window, as steps in a padded picture from the window's corner."""
    matrices: list[Reals]
    """Of pixel i of a patch: (seen places · colour width, width)."""
    rows: list[Whole]
    """Of pixel i of a patch: the rows of `Pixels.table` at which the seen places begin."""


class Pixels:
    """From a state and a window to the log-odds of colours."""

    def __init__(self, config: Config, arrays: Arrays) -> None:
        self.config = config
        self.colour = _colour_table(config, arrays)
        self.state = turned(arrays, "state", "norm")
        self.place, self.gain = arrays["place"], 1 + arrays["gain"]
        self.window = turned(arrays, "window").reshape(config.window**2, config.colour_width, -1)
        self.blocks = [Block(arrays, f"blocks.{place}") for place in range(config.pixel_layers)]
        self.out, self.out_bias = turned(arrays, "out", "pixel_norm"), arrays["out.bias"]

    def logits(self, inner: Reals) -> Reals:
        """(rows, colours); inner (rows, width), the sum of all that comes in, is used up."""
        for block in self.blocks:
            block.add_to(inner)
        logits = inner @ self.out
        logits *= np.sqrt(inverse_square(inner))
        logits += self.out_bias
        return logits

    def logits_few(self, inner: Reals) -> Reals:
        """The same for few rows."""
        for block in self.blocks:
            block.add_to_few(inner)
        logits = times_few(inner, self.out)
        logits *= np.sqrt(inverse_square_few(inner))
        logits += self.out_bias
        return logits

    def inputs(self, states: Reals, constant: Reals) -> Reals:
        """(pixels, rows, width) of a patch, without the seen places: states (rows, width of the trunk)."""
        told = (states @ self.state)[None] * self.gain[:, None]
        told += constant[:, None]
        return np.asarray(told)

    def sight(self, plan: Plan, given: Bits) -> Sight:
        """What pixels see under a plan."""
        config = self.config
        seen, outside = seen_places(plan, given, config), _outside(config)
        ever = np.asarray(seen[np.array(plan.order[plan.known :], np.intp)].any(axis=0))  # (pixels, window²)
        unknown, beyond = (self.colour[code] @ self.window for code in (config.unknown, config.outside))
        constant = self.place + (~ever & ~outside).astype(np.float32) @ unknown
        constant += (~ever & outside).astype(np.float32) @ beyond
        row, column = np.divmod(np.arange(config.window**2), config.window)
        steps = row * (config.width + config.window - 1) + column
        matrices = [self.window[one].reshape(-1, self.window.shape[2]) for one in ever]
        rows = [np.flatnonzero(one) * len(self.colour) for one in ever]
        return Sight(constant, [steps[one] for one in ever], matrices, rows)

    @cached_property
    def table(self) -> Reals | None:
        """(window² · codes, width): what each code adds at each place of a window; None where that would be large.

        For one sprite, adding rows of it reads a tenth of the memory that a product with the matrix would.
        """
        if 4 * len(self.window) * len(self.colour) * self.window.shape[2] > MAX_TABLE:
            return None
        return np.asarray(self.colour @ self.window).reshape(-1, self.window.shape[2])


def seen_places(plan: Plan, given: Bits, config: Config) -> Bits:
    """(patches, pixels, window²): which places of its window are known when a pixel is drawn; none outside."""
    ranks = np.empty((config.patches, config.pixels), np.intp)
    ranks[list(plan.order)] = np.arange(config.patches * config.pixels).reshape(ranks.shape)
    own = np.where(patches_from_grid(given, config), -1, ranks)
    padded = np.pad(grid_from_patches(own, config), config.window // 2, constant_values=config.patches * config.pixels)
    return np.asarray(_windows(padded, config) < ranks[..., None])


def _outside(config: Config) -> Bits:
    """(patches, pixels, window²): which places of a window lie outside the picture."""
    inside = np.zeros((config.height, config.width), np.bool_)
    return _windows(np.pad(inside, config.window // 2, constant_values=True), config)


def _windows(padded: NDArray[Kind], config: Config) -> NDArray[Kind]:
    """(patches, pixels, window²) around every pixel of a padded picture."""
    around = np.lib.stride_tricks.sliding_window_view(padded, (config.window, config.window))
    flat = around.reshape(config.height, config.width, -1)
    return np.moveaxis(patches_from_grid(np.moveaxis(flat, 2, 0), config), 0, 2)


def _colour_table(config: Config, arrays: Arrays) -> Reals:
    """(codes, colour width)."""
    table = arrays["colour"].copy()
    if config.ramps is not None:
        ramps = np.array(config.ramps, np.intp)
        table[: config.colours] += arrays["ramp"][ramps[:, 0]] + arrays["step"][ramps[:, 1]]
    return table
