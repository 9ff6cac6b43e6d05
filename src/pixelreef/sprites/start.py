"""A model to begin with: the weights of another, brought to a new corpus' colours, factors and size.

A colour begins as the nearest one of the other palette, a row or column of patches as the one in the same part of the
picture. Factors begin anew; what the other model knew without being told any stays what is known without being told.
Everything else is taken over, so the sizes of the network are the other model's.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.recipe import SIZES, Recipe
from pixelreef.sprites.watch import WEIGHTS
from pixelreef.sprites.weights import Weights, read_weights, shapes

Reals = NDArray[np.float32]
Whole = NDArray[np.intp]

_SMALL = 0.02  # as a new table begins


def read_start(path: Path, recipe: Recipe) -> Weights:
    """The weights of a file, or of a run's folder, for a recipe that can begin with them."""
    if recipe.shape != "reef":
        raise InputError("--from", "go with a recipe of the shape reef", recipe.shape)
    return read_weights(path / WEIGHTS if path.is_dir() else path)


def sizes_of(config: Config) -> dict[str, int]:
    """What a recipe could have set."""
    return {name: getattr(config, name) for name in SIZES}


def arrays_from_weights(old: Weights, config: Config, palette: Palette, seed: int) -> dict[str, Reals]:
    """The arrays to begin with. The sizes must be the other model's."""
    if sizes_of(old.config) != sizes_of(config):
        odd = next(name for name in SIZES if getattr(old.config, name) != getattr(config, name))
        raise InputError(f"{odd} of the model", f"be {getattr(old.config, odd)} as in --from", getattr(config, odd))
    begun = {name: value.copy() for name, value in old.arrays.items() if name not in ("ramp", "step")}
    wanted = shapes(config)
    begun |= _colours(old, palette)
    begun |= {name: np.zeros(wanted[name], np.float32) for name in ("ramp", "step") if name in wanted}
    for name, count in (("row", config.rows), ("column", config.columns)):
        for table in (name, f"next_{name}"):
            begun[table] = begun[table][_spread(len(begun[table]), count)]
    for place in range(len(old.config.factors)):
        begun.pop(f"factors.{place}")
    begun |= _factors(old, config, seed)
    if not config.factors:  # then nobody is told anything, and it is said with the place of the next patch
        begun["next_row"] = begun["next_row"] + _untold(old)
    return {name: np.ascontiguousarray(begun[name].reshape(shape), np.float32) for name, shape in wanted.items()}


def _colours(old: Weights, palette: Palette) -> dict[str, Reals]:
    """Tables by colour, each colour as its nearest; of several with one nearest, each takes a share of its odds."""
    near = quantise(palette.rgba[None], old.palette)[0].astype(np.intp)
    table = old.arrays["colour"].copy()
    if old.config.ramps is not None:
        places = np.array(old.config.ramps, np.intp)
        table[: old.config.colours] += old.arrays["ramp"][places[:, 0]] + old.arrays["step"][places[:, 1]]
    sharing = np.bincount(near, minlength=len(old.palette))[near]
    return {
        "colour": np.concatenate([table[near], table[-2:]]),
        "out.weight": old.arrays["out.weight"][near],
        "out.bias": old.arrays["out.bias"][near] - np.log(sharing).astype(np.float32),
    }


def _factors(old: Weights, config: Config, seed: int) -> dict[str, Reals]:
    """New tables around what was known untold, of which each factor has its part."""
    part = _untold(old) / max(1, len(config.factors))
    found = {}
    for place, (name, values) in enumerate(config.factors.items()):
        fresh = rng(seed, "factor", name).normal(0, _SMALL, (len(values) + 1, config.trunk_width))
        fresh[-1] = 0
        found[f"factors.{place}"] = (fresh + part).astype(np.float32)
    return found


def _untold(old: Weights) -> Reals:
    """(width,): what the other model is told when it is told nothing."""
    rows = [old.arrays[f"factors.{place}"][-1] for place in range(len(old.config.factors))]
    return np.asarray(sum(rows, np.zeros(old.config.trunk_width, np.float32)))


def _spread(old: int, new: int) -> Whole:
    """For each of `new` places along a side the one of `old` places in the same part of it.

    >>> _spread(8, 4).tolist(), _spread(2, 4).tolist()
    ([1, 3, 5, 7], [0, 0, 1, 1])
    """
    return np.asarray(((np.arange(new) + 0.5) * old / new).astype(np.intp))
