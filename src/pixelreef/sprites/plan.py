"""The order in which a picture is drawn when some of its pixels are given.

Patches that are wholly given come first, then all others, each group row by row. Patches of which a part is given are
also shown beforehand, with what is given of them, so that every given pixel is seen from the first step on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.sprites.config import Config

Bits = NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True)
class Plan:
    """How to draw a picture."""

    order: tuple[int, ...]
    """Every patch once."""
    shown: tuple[int, ...] = ()
    """Patches partly given, shown beforehand."""
    known: int = 0
    """So many patches at the beginning of the order are wholly given."""


def plain_plan(config: Config) -> Plan:
    """Nothing is given: row by row."""
    return Plan(tuple(range(config.patches)))


def plan_from_given(given: Bits, config: Config) -> Plan:
    """The plan for a (height, width) mask of given pixels.

    >>> plan_from_given(np.eye(4, dtype=bool)[:, ::-1], Config(height=4, width=4, patch=2))
    Plan(order=(0, 1, 2, 3), shown=(1, 2), known=0)
    """
    if given.shape != (config.height, config.width):
        raise InputError("mask of given pixels", f"be {config.height} × {config.width}", given.shape)
    counts = patches_from_grid(given, config).sum(axis=1)
    whole = np.flatnonzero(counts == config.pixels)
    rest = np.flatnonzero(counts < config.pixels)
    shown = np.flatnonzero((counts > 0) & (counts < config.pixels))
    return Plan(_whole([*whole, *rest]), _whole(shown), len(whole))


def patches_from_grid(grid: NDArray[Kind], config: Config) -> NDArray[Kind]:
    """(…, height, width) → (…, patches, pixels), both row by row."""
    lead, side = grid.shape[:-2], config.patch
    cut = grid.reshape(*lead, config.rows, side, config.columns, side)
    return np.moveaxis(cut, -3, -2).reshape(*lead, config.patches, config.pixels)


def grid_from_patches(patches: NDArray[Kind], config: Config) -> NDArray[Kind]:
    """(…, patches, pixels) → (…, height, width)."""
    lead, side = patches.shape[:-2], config.patch
    cut = patches.reshape(*lead, config.rows, config.columns, side, side)
    return np.moveaxis(cut, -3, -2).reshape(*lead, config.height, config.width)


def _whole(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)
