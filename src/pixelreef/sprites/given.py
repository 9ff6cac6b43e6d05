"""Random masks of given pixels, of the kinds that completion is asked for. Trained on beside whole pictures.

Halves and boxes (breeding), scattered patches, single pixels (mutation), a checker, all that is ground (a fixed
silhouette), and a beginning row by row (the completion of a prefix).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.config import Config
from pixelreef.sprites.plan import Bits

Codes = NDArray[np.integer]
Kind = Callable[[np.random.Generator, Codes, Config], Bits]


def random_given(random: np.random.Generator, grid: Codes, config: Config, kinds: Sequence[Kind] | None = None) -> Bits:
    """(height, width): a mask for one sprite, of one of these kinds or of any, never of all its pixels."""
    among = kinds or KINDS
    given = among[int(random.integers(len(among)))](random, grid, config)
    if given.all():
        given = given.copy()
        given[random.integers(config.height), random.integers(config.width)] = False
    return given


def _half(random: np.random.Generator, _: Codes, config: Config) -> Bits:
    """All on one side of a straight line."""
    y, x = np.mgrid[: config.height, : config.width]
    angle, middle = random.uniform(0, 2 * np.pi), random.uniform(0.25, 0.75, 2)
    side = np.cos(angle) * (x / config.width - middle[0]) + np.sin(angle) * (y / config.height - middle[1])
    return np.asarray(side > 0)


def _box(random: np.random.Generator, _: Codes, config: Config) -> Bits:
    """A box given, or all but a box."""
    given = np.zeros((config.height, config.width), np.bool_)
    rows, columns = (np.sort(random.integers(0, size + 1, 2)) for size in given.shape)
    given[rows[0] : rows[1], columns[0] : columns[1]] = True
    return given if random.random() < 0.5 else ~given


def _patches(random: np.random.Generator, _: Codes, config: Config) -> Bits:
    chosen = random.random((config.rows, config.columns)) < random.uniform(0.05, 0.95)
    return chosen.repeat(config.patch, axis=0).repeat(config.patch, axis=1)


def _pixels(random: np.random.Generator, _: Codes, config: Config) -> Bits:
    return np.asarray(random.random((config.height, config.width)) < random.uniform(0.02, 0.95))


def _checker(random: np.random.Generator, _: Codes, config: Config) -> Bits:
    side = int(random.integers(1, 2 * config.patch + 1))
    y, x = np.mgrid[: config.height, : config.width]
    return np.asarray((y // side + x // side) % 2 == int(random.integers(2)))


def _outside(_: np.random.Generator, grid: Codes, config: Config) -> Bits:
    return np.asarray(grid == config.ground)


def _prefix(random: np.random.Generator, _: Codes, config: Config) -> Bits:
    given = np.zeros(config.height * config.width, np.bool_)
    given[: int(random.integers(1, given.size))] = True
    return given.reshape(config.height, config.width)


EDGED: tuple[Kind, ...] = (_half, _box, _patches, _outside, _prefix)
"""Patches are partly given along an edge alone, so few have to be shown beforehand."""
STREWN: tuple[Kind, ...] = (_pixels, _checker)
"""Most patches are partly given."""
KINDS: tuple[Kind, ...] = (*EDGED, *STREWN)


def batch_kinds(random: np.random.Generator) -> tuple[Kind, ...]:
    """The kinds of one batch, such that over all batches each comes as often as any other.

    A batch takes the time of its sprite with the most patches shown, so the two families keep apart.
    """
    return EDGED if random.random() < len(EDGED) / len(KINDS) else STREWN
