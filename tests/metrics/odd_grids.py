"""Grids as the public dataset holds them: most 24×24, others ragged, tall, of one colour, or outside their palette."""

from __future__ import annotations

import random
from dataclasses import dataclass

Grid = list[list[int]]


@dataclass(frozen=True)
class Row:
    kind: str
    grid: Grid
    palette: int
    json_valid: bool
    cost: float | None


def odd_rows(count: int = 400, seed: int = 7) -> list[Row]:
    g = random.Random(seed)
    kinds = list(_MAKERS)
    rows = []
    for number in range(count):
        kind = kinds[number % len(kinds)] if number < 8 * len(kinds) else "plain"
        grid, palette = _MAKERS[kind](g)
        cost = g.choice([None, 0.0, 0.0001, 0.37, 12.0])
        rows.append(Row(kind, grid, palette, g.random() < 0.8, cost))
    return rows


def _noise(g: random.Random, height: int, width: int, colours: int) -> Grid:
    return [[g.randrange(colours) for _ in range(width)] for _ in range(height)]


def _plain(g: random.Random) -> tuple[Grid, int]:
    colours = g.randint(2, 10)
    across, down = g.randint(1, 6), g.randint(1, 6)
    patches = _noise(g, 24, 24, colours)
    return [[patches[y // down][x // across] for x in range(24)] for y in range(24)], colours


def _ragged(g: random.Random) -> tuple[Grid, int]:
    return [[g.randrange(6) for _ in range(g.choice([0, 22, 23, 24, 24, 24, 31]))] for _ in range(24)], 6


def _tall(g: random.Random) -> tuple[Grid, int]:
    return _noise(g, g.choice([25, 26, 100, 5779]), 24, 5), 5


def _small(g: random.Random) -> tuple[Grid, int]:
    return _noise(g, g.choice([0, 1, 1, 2, 23]), g.choice([0, 1, 1, 24]), 3), 3


def _one_colour(g: random.Random) -> tuple[Grid, int]:
    return (_noise(g, 24, 24, 4) if g.random() < 0.6 else [[0] * 24 for _ in range(24)]), 1


def _outside(g: random.Random) -> tuple[Grid, int]:
    return _noise(g, 24, 24, 10), g.randint(2, 5)


def _long_palette(g: random.Random) -> tuple[Grid, int]:
    return _noise(g, 24, 24, 5668), 5668


def _no_palette(g: random.Random) -> tuple[Grid, int]:
    return _noise(g, 24, 24, 3), 0


def _below_zero(g: random.Random) -> tuple[Grid, int]:
    return [[g.randint(-2, 3) for _ in range(24)] for _ in range(24)], 4


_MAKERS = {
    "plain": _plain,
    "ragged": _ragged,
    "tall": _tall,
    "small": _small,
    "one colour": _one_colour,
    "outside": _outside,
    "long palette": _long_palette,
    "no palette": _no_palette,
    "below zero": _below_zero,
}
