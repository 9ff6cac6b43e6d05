"""Random masks of given pixels, of the kinds that completion is asked for. Trained on beside whole pictures.

Halves and boxes (breeding), scattered patches, single pixels (mutation), a checker, and a beginning row by row (the
completion of a prefix). A fixed silhouette is none of them: colours are always drawn on a finished shape.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pixelreef.sprites.config import Config
from pixelreef.sprites.cut import Bits

Kind = Callable[[np.random.Generator, Config], Bits]


def random_given(random: np.random.Generator, config: Config) -> Bits:
    """(height, width): a mask of one of the kinds, never of all pixels."""
    given = KINDS[int(random.integers(len(KINDS)))](random, config)
    if given.all():
        given = given.copy()
        given[random.integers(config.height), random.integers(config.width)] = False
    return given


def _half(random: np.random.Generator, config: Config) -> Bits:
    """All on one side of a straight line."""
    y, x = np.mgrid[: config.height, : config.width]
    angle, middle = random.uniform(0, 2 * np.pi), random.uniform(0.25, 0.75, 2)
    side = np.cos(angle) * (x / config.width - middle[0]) + np.sin(angle) * (y / config.height - middle[1])
    return np.asarray(side > 0)


def _box(random: np.random.Generator, config: Config) -> Bits:
    """A box given, or all but a box."""
    given = np.zeros((config.height, config.width), np.bool_)
    rows, columns = (np.sort(random.integers(0, size + 1, 2)) for size in given.shape)
    given[rows[0] : rows[1], columns[0] : columns[1]] = True
    return given if random.random() < 0.5 else ~given


def _patches(random: np.random.Generator, config: Config) -> Bits:
    chosen = random.random((config.rows, config.columns)) < random.uniform(0.05, 0.95)
    return chosen.repeat(config.patch, axis=0).repeat(config.patch, axis=1)


def _pixels(random: np.random.Generator, config: Config) -> Bits:
    return np.asarray(random.random((config.height, config.width)) < random.uniform(0.02, 0.95))


def _checker(random: np.random.Generator, config: Config) -> Bits:
    side = int(random.integers(1, 2 * config.patch + 1))
    y, x = np.mgrid[: config.height, : config.width]
    return np.asarray((y // side + x // side) % 2 == int(random.integers(2)))


def _prefix(random: np.random.Generator, config: Config) -> Bits:
    given = np.zeros(config.height * config.width, np.bool_)
    given[: int(random.integers(1, given.size))] = True
    return given.reshape(config.height, config.width)


KINDS: tuple[Kind, ...] = (_half, _box, _patches, _pixels, _checker, _prefix)
