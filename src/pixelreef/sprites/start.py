"""A model to begin with: the weights of another, brought to a new corpus' colours, factors and size.

A colour begins as the nearest one of the other palette, the ground as its ground, a row or column of patches as the one
in the same part of the picture. A value of a factor begins as the other model's value of the same name, or anew; what
was known without being told any factor stays what is known without being told. Everything else is taken over, so the
sizes of the network are the other model's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.sprites.config import WHOLE, Config
from pixelreef.sprites.recipe import SIZES, Recipe
from pixelreef.sprites.weights import Weights, shapes, weights_from

Reals = NDArray[np.float32]
Whole = NDArray[np.intp]

SHIPPED = "shipped"  # instead of a path: the model that comes with the package
_SMALL = 0.02  # as a new table begins


def read_start(path: str | os.PathLike[str], recipe: Recipe) -> Weights:
    """The weights of a file, of a run's folder, or the `shipped` ones, for a recipe that can begin with them."""
    if recipe.shape != "reef":
        raise InputError("--from", "go with a recipe of the shape reef", recipe.shape)
    return weights_from(None if path == SHIPPED else path)


def sizes_of(config: Config) -> dict[str, int]:
    """What a recipe could have set."""
    return {name: getattr(config, name) for name in SIZES}


def arrays_from_weights(old: Weights, config: Config, palette: Palette, seed: int) -> dict[str, Reals]:
    """The arrays to begin with. The sizes must be the other model's."""
    if sizes_of(old.config) != sizes_of(config):
        odd = next(name for name in SIZES if getattr(old.config, name) != getattr(config, name))
        raise InputError(f"{odd} of the model", f"be {getattr(old.config, odd)} as in --from", getattr(config, odd))
    begun = {name: old.arrays[name] for name in ("kind.weight", "kind.bias")}
    near = quantise(palette.rgba[None], old.palette)[0].astype(np.intp)
    near[config.ground] = old.config.ground  # whatever it looks like
    for painter in config.painters:
        mine = {of.removeprefix(f"{painter}."): value for of, value in old.arrays.items() if of.startswith(painter)}
        found = _painter(mine, old.config, config, near, seed)
        if painter == "colours":
            found |= _out(mine, near)
        begun |= {f"{painter}.{of}": value for of, value in found.items()}
    return {
        name: np.ascontiguousarray(begun[name].reshape(shape), np.float32) for name, shape in shapes(config).items()
    }


def _painter(mine: dict[str, Reals], old: Config, new: Config, near: Whole, seed: int) -> dict[str, Reals]:
    """The arrays of one painter; `near` (colours,) are the places of the nearest old colours."""
    begun = {name: value.copy() for name, value in mine.items() if name not in ("ramp", "step")}
    if old.ramps is not None:
        places = np.array(old.ramps, np.intp)
        begun["colour"][: old.colours] += mine["ramp"][places[:, 0]] + mine["step"][places[:, 1]]
    for table in ("colour", "near_colour", "whole_colour"):
        begun[table] = np.concatenate([begun[table][near], begun[table][old.colours :]])
    if new.ramps is not None:
        longest = (1 + max(places) for places in zip(*new.ramps, strict=True))
        begun |= {
            name: np.zeros((count, begun["colour"].shape[1]), np.float32)
            for name, count in zip(("ramp", "step"), longest, strict=True)
        }
    for name, count in (("row", new.rows), ("column", new.columns)):
        for table in (name, f"next_{name}"):
            begun[table] = begun[table][_spread(len(begun[table]), count)]
    begun["whole.weight"] = _respread(begun["whole.weight"], old, new)
    untold = _untold(mine, old)
    for place in range(len(old.factors)):
        begun.pop(f"factors.{place}")
    begun |= _factors(untold, _by_name(mine, old), new, seed)
    if not new.factors:  # then nobody is told anything, and it is said with the place of the next patch
        begun["next_row"] = begun["next_row"] + untold
    return begun


def _respread(whole: Reals, old: Config, new: Config) -> Reals:
    """What is seen of a whole picture, in squares of another: each as the old one in the same part."""
    squares = [(one.height // one.coarse, one.width // one.coarse) for one in (old, new)]
    rows, columns = (_spread(before, after) for before, after in zip(*squares, strict=True))
    parts = whole.reshape(len(whole), *squares[0], WHOLE)[:, rows][:, :, columns]
    share = squares[0][0] * squares[0][1] / (squares[1][0] * squares[1][1])
    return np.asarray(parts.reshape(len(whole), -1) * np.float32(share))


def _out(mine: dict[str, Reals], near: Whole) -> dict[str, Reals]:
    """Odds by colour, each as its nearest; of several with one nearest, each takes a share of its odds."""
    sharing = np.bincount(near)[near]
    return {
        "out.weight": mine["out.weight"][near],
        "out.bias": mine["out.bias"][near] - np.log(sharing).astype(np.float32),
    }


def _factors(untold: Reals, known: Mapping[str, Reals], config: Config, seed: int) -> dict[str, Reals]:
    """New tables around what was known untold, of which each factor has its part."""
    part = untold / max(1, len(config.factors))
    found = {}
    for place, (name, values) in enumerate(config.factors.items()):
        fresh = rng(seed, "factor", name).normal(0, _SMALL, (len(values) + 1, len(untold)))
        fresh[-1] = 0
        for row, value in zip(fresh, values, strict=False):  # the last row stands for what is not told
            row[:] = known.get(_plain(value), row)
        found[f"factors.{place}"] = (fresh + part).astype(np.float32)
    return found


def _by_name(mine: dict[str, Reals], old: Config) -> dict[str, Reals]:
    """What each value of the other model's factors adds to what is known untold."""
    tables = [mine[f"factors.{place}"] for place in range(len(old.factors))]
    told = zip(tables, old.factors.values(), strict=True)
    return {_plain(value): row - table[-1] for table, values in told for value, row in zip(values, table, strict=False)}


def _plain(name: str) -> str:
    """
    >>> _plain("Reef Fish") == _plain("reef_fish") == _plain("reef-fish")
    True
    """
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _untold(mine: dict[str, Reals], old: Config) -> Reals:
    """(width,): what a painter of the other model is told when it is told nothing."""
    rows = [mine[f"factors.{place}"][-1] for place in range(len(old.factors))]
    return np.asarray(sum(rows, np.zeros(mine["begin"].shape[1], np.float32)))


def _spread(old: int, new: int) -> Whole:
    """For each of `new` places along a side the one of `old` places in the same part of it.

    >>> _spread(8, 4).tolist(), _spread(2, 4).tolist()
    ([1, 3, 5, 7], [0, 0, 1, 1])
    """
    return np.asarray(((np.arange(new) + 0.5) * old / new).astype(np.intp))
