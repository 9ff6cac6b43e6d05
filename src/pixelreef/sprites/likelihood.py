"""How likely pictures are under a model, exactly, in any plan: all steps at once, with nothing kept between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pixelreef.sprites.choose import Reals, log_flags, log_shares
from pixelreef.sprites.dense import NEVER, Whole
from pixelreef.sprites.model import Codes, Model
from pixelreef.sprites.pixels import seen_places
from pixelreef.sprites.plan import Bits, Plan, grid_from_patches, patches_from_grid
from pixelreef.sprites.task import Grids, Sums


@dataclass(frozen=True, eq=False)
class Likelihood:
    """Natural logarithms of the probabilities of what was drawn; 0 for what was given."""

    flags: Reals
    """(n, patches): empty or not, by patch."""
    pixels: Reals
    """(n, height, width)."""

    @property
    def total(self) -> Sums:
        """(n,)."""
        return np.asarray(self.flags.sum(axis=1, dtype=np.float64) + self.pixels.sum(axis=(1, 2), dtype=np.float64))


def likelihood(
    model: Model, grids: Grids, factors: Whole, plan: Plan, given: Bits, filled: Bits | None = None
) -> Likelihood:
    """Of pictures (n, height, width) with one plan and one mask of given pixels."""
    config = model.config
    states = _states(model, grids, factors, plan, given)
    cut, known = patches_from_grid(grids, config), patches_from_grid(given, config)
    must = np.zeros(cut.shape, np.bool_) if filled is None else patches_from_grid(filled, config)
    ground = cut == config.ground
    empty = ground.all(axis=2)
    sure = (~ground & known).any(axis=2) | must.any(axis=2) | known.all(axis=1)
    flags = np.where(sure, np.float32(0), log_flags(model.empty_odds(states), empty))
    pixels = np.zeros(cut.shape, np.float32)
    seen = seen_places(plan, given, config)
    for patch in np.flatnonzero(~known.all(axis=1)).tolist():
        rows = np.flatnonzero(~empty[:, patch])
        if len(rows):
            logits = _logits(model, grids[rows], states[rows, patch], patch, seen[patch])
            barred = _barred(cut[rows, patch] != config.ground, known[patch]) | must[rows, patch]
            logits[barred, config.ground] = NEVER
            pixels[rows, patch] = np.where(known[patch], 0, log_shares(logits, cut[rows, patch]))
    return Likelihood(flags, grid_from_patches(pixels, config))


def _states(model: Model, grids: Grids, factors: Whole, plan: Plan, given: Bits) -> Reals:
    """(n, patches, width): the state before each patch, by patch."""
    codes = grids.astype(np.uint16)
    steps = model.steps(np.where(given, codes, np.uint16(model.config.unknown)), plan, 0) if plan.shown else None
    whole = model.steps(codes, Plan(plan.order), len(plan.order))
    x = whole if steps is None else np.concatenate([steps, whole], axis=1)
    caches = model.trunk.caches(len(grids), x.shape[1])
    states = model.trunk.after(x + model.told(factors)[:, None], caches)[:, -len(plan.order) :]
    by_patch = np.empty_like(states)
    by_patch[:, list(plan.order)] = states
    return by_patch


def _logits(model: Model, grids: Grids, states: Reals, patch: int, seen: Bits) -> Reals:
    """(n, pixels, colours) of one patch; seen (pixels, window²)."""
    config, pixels = model.config, model.pixels
    around = _around(grids.astype(np.uint16), patch, model)
    around[:, ~seen & (around[0] != config.outside)] = config.unknown
    window = pixels.window.reshape(-1, config.pixel_width)
    inner = pixels.colour[around].reshape(len(grids) * config.pixels, -1) @ window
    inner += pixels.inputs(states, pixels.place).swapaxes(0, 1).reshape(inner.shape)
    return pixels.logits(inner).reshape(len(grids), config.pixels, config.colours)


def _around(codes: Codes, patch: int, model: Model) -> Codes:
    """(n, pixels, window²): the codes in the windows of a patch's pixels."""
    config = model.config
    reach, side = config.window // 2, config.patch
    padded = np.pad(codes, ((0, 0), (reach, reach), (reach, reach)), constant_values=config.outside)
    rows, columns = model.box(patch)
    region = padded[:, rows.start : rows.stop + 2 * reach, columns.start : columns.stop + 2 * reach]
    windows = np.lib.stride_tricks.sliding_window_view(region, (config.window, config.window), (1, 2))
    return windows.reshape(len(codes), side * side, config.window**2)


def _barred(coloured: Bits, known: Bits) -> Bits:
    """(n, pixels): the last open pixel where nothing else of the patch (n, pixels) has a colour."""
    barred = np.zeros(coloured.shape, np.bool_)
    last = int(np.flatnonzero(~known)[-1])
    others = np.arange(coloured.shape[1]) != last
    barred[:, last] = ~coloured[:, others].any(axis=1)
    return barred
