"""A `reef` model in numpy: its two painters, and the small steps of drawing with them.

Weights are float32 arrays under the names that the torch model has for them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.config import NEAR, NEVER, WHOLE, Config, Sizes
from pixelreef.sprites.cut import Bits, patches_from_grid
from pixelreef.sprites.dense import (
    Arrays,
    Block,
    Reals,
    Trunk,
    Whole,
    inverse_square,
    inverse_square_few,
    times_few,
    turned,
)

Codes = NDArray[np.integer]

MAX_TABLE = 2**25  # bytes


class Model:
    """A model without a way to go about it."""

    def __init__(self, config: Config, weights: Arrays) -> None:
        self.config = config
        arrays = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self.shape, self.colours = (
            Painter(config, sizes, {of.removeprefix(f"{name}."): value for of, value in arrays.items()})
            for name, sizes in config.painters.items()
        )
        self.kind = np.ascontiguousarray(arrays["kind.weight"].T * arrays["shape.norm.gain"][:, None])
        self.kind_bias = arrays["kind.bias"]
        self.untold = np.array([len(values) for values in config.factors.values()], np.intp)
        self.bits = 2 ** np.arange(config.patch)
        self.patterns = np.arange(2**config.patch)
        self.filled = self.patterns[:, None] & self.bits != 0
        """(patterns, patch): which pixels of a row are filled."""

    def kind_odds(self, states: Reals, barred: Bits) -> Reals:
        """(n, 3) log-odds of the kinds of a patch, from states (n, width)."""
        odds = states @ self.kind + self.kind_bias
        odds[barred] = NEVER
        return np.asarray(odds)

    def barred_kinds(self, known: Codes) -> Bits:
        """(…, 3): which kinds patches of which this is known, (…, pixels), can't be."""
        ground, seen = known == self.config.ground, known != self.config.unknown
        empty, full = (seen & ~ground).any(axis=-1), ground.any(axis=-1)
        return np.stack([empty, full, np.full_like(full, self.config.pixels == 1)], axis=-1)

    def barred_rows(self, known: Codes, cut: Codes, place: int) -> Bits:
        """(n, patterns): what row `place` of mixed patches can't be.

        `known` (n, pixels) is what was known of the patches, `cut` (n, pixels) what has been drawn by now.
        """
        config, side = self.config, self.config.patch
        row = slice(place * side, (place + 1) * side)
        ground, unknown = known[:, row] == config.ground, known[:, row] == config.unknown
        must, mustnt = (~ground & ~unknown) @ self.bits, ground @ self.bits
        barred = (self.patterns & must[:, None]) != must[:, None]
        barred |= (self.patterns & mustnt[:, None]) != 0
        last = ~(known[:, row.stop :] == config.unknown).any(axis=1)
        drawn = cut != config.ground
        others = drawn.sum(axis=1) - drawn[:, row].sum(axis=1)
        barred[:, 0] |= last & (others == 0)
        barred[:, -1] |= last & (others == config.pixels - side)
        return np.asarray(barred)


class Painter:
    """Draws on what is known. Maps are (n, height, width) codes."""

    def __init__(self, config: Config, sizes: Sizes, arrays: Arrays) -> None:
        self.config, self.sizes = config, sizes
        self.units = config.pixels // sizes.unit
        self.trunk = Trunk(arrays, sizes.layers, sizes.heads)
        self.colour = _colour_table(config, arrays)
        self.patch = turned(arrays, "patch")
        self.places = (arrays["row"][:, None] + arrays["column"]).reshape(config.patches, -1)
        self.next_places = (arrays["next_row"][:, None] + arrays["next_column"]).reshape(config.patches, -1)
        self.begin = arrays["begin"][0]
        self.factors = [arrays[f"factors.{place}"] for place in range(len(config.factors))]
        self.near_colour = arrays["near_colour"] - arrays["near_colour"][config.unknown]
        self.whole_colour = arrays["whole_colour"] - arrays["whole_colour"][config.unknown]
        self.near, self.whole = turned(arrays, "near"), turned(arrays, "whole")
        self.state = turned(arrays, "state", "norm")
        self.place, self.gain = arrays["place"], 1 + arrays["gain"]
        self.window = turned(arrays, "window")
        self.blocks = [Block(arrays, f"blocks.{place}") for place in range(sizes.inner_layers)]
        self.out, self.out_bias = turned(arrays, "out", "inner_norm"), arrays["out.bias"]
        self._lay_out()

    def _lay_out(self) -> None:
        """Where pixels, units and windows lie in a padded picture, flat."""
        config, sizes = self.config, self.sizes
        self.reach = sizes.window // 2
        self.across = config.width + 2 * self.reach
        self.size = (config.height + 2 * self.reach) * self.across
        y, x = np.mgrid[: config.height, : config.width]
        corners = patches_from_grid(y * self.across + x, config)
        self.pixels = corners + self.reach * (self.across + 1)
        """(patches, pixels): places in a padded picture."""
        self.corners = np.ascontiguousarray(corners[:, :: sizes.unit])
        """(patches, units): the first places of their windows."""
        down, right = np.arange(sizes.span[0]), np.arange(sizes.span[1])
        self.offsets = (down[:, None] * self.across + right).ravel()
        """(window,): from the first place of a window to all."""

    def padded(self, codes: Codes) -> Whole:
        """(n · padded pixels,): a map with what lies outside."""
        pad = (self.reach, self.reach)
        wide = np.pad(codes, ((0, 0), pad, pad), constant_values=self.config.outside)
        return wide.astype(np.intp).reshape(-1)

    def told(self, factors: Whole) -> Reals:
        """(n, width): what the factors (n, factors) say."""
        total = np.zeros((len(factors), self.sizes.wide), np.float32)
        for place, table in enumerate(self.factors):
            total += table[factors[:, place]]
        return total

    def content(self, codes: Codes, patches: Whole) -> Reals:
        """(n, width): patches (n, pixels) as the trunk takes them in, at their places (n,)."""
        return np.asarray(self.colour[codes].reshape(len(codes), len(self.patch)) @ self.patch + self.places[patches])

    def hints(self, known: Codes, asked: Bits) -> Reals | None:
        """(n, patches, width): what is known around the patches asked for, and in the whole; None where nothing is."""
        config, side, n = self.config, self.config.patch, len(known)
        if (known == config.unknown).all():
            return None
        padded = np.pad(known, ((0, 0), (side, side), (side, side)), constant_values=config.unknown)
        around = np.lib.stride_tricks.sliding_window_view(padded, (3 * side, 3 * side), (1, 2))[:, ::side, ::side]
        around = around.reshape(n, config.patches, -1)[asked]
        found = np.zeros((n, config.patches, self.sizes.wide), np.float32)
        found[asked] = self.near_colour[around].reshape(len(around), 9 * config.pixels * NEAR) @ self.near
        coarse = config.coarse
        squares = (n, config.height // coarse, coarse, config.width // coarse, coarse, WHOLE)
        seen = self.whole_colour[known].reshape(squares).mean(axis=(2, 4))
        found += (seen.reshape(n, -1) @ self.whole)[:, None]
        return found

    def log_odds(self, inner: Reals) -> Reals:
        """(rows, classes); inner (rows, inner width), the sum of all that comes in, is used up."""
        for block in self.blocks:
            block.add_to(inner)
        odds = inner @ self.out
        odds *= np.sqrt(inverse_square(inner))
        odds += self.out_bias
        return odds

    def log_odds_few(self, inner: Reals) -> Reals:
        """The same for few rows."""
        for block in self.blocks:
            block.add_to_few(inner)
        odds = times_few(inner, self.out)
        odds *= np.sqrt(inverse_square_few(inner))
        odds += self.out_bias
        return odds

    @cached_property
    def table(self) -> Reals | None:
        """(window · codes, inner width): what each code adds at each place of a window; None where that is large.

        For one sprite, adding rows of it reads a tenth of the memory that a product with the matrix would.
        """
        places, inner = len(self.offsets), self.window.shape[1]
        if 4 * places * len(self.colour) * inner > MAX_TABLE:
            return None
        return np.asarray(self.colour @ self.window.reshape(places, -1, inner)).reshape(-1, inner)


def _colour_table(config: Config, arrays: Arrays) -> Reals:
    """(codes, colour width)."""
    table = arrays["colour"].copy()
    if config.ramps is not None:
        ramps = np.array(config.ramps, np.intp)
        table[: config.colours] += arrays["ramp"][ramps[:, 0]] + arrays["step"][ramps[:, 1]]
    return table
