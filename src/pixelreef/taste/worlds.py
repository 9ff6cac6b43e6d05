"""Worlds: makers of good corpora to plant faults in. Any function from a seed will do; one is drawn here.

A calibration that only ever saw one generator may have learnt its habits. `tokens` has nothing to do with any other
maker of this house: game tokens of 24 × 24 in a palette of sixteen, three kinds in four tints, drawn with plain
arithmetic. `in_palette` takes the sprites of another world into other colours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.core.seeds import rng
from pixelreef.taste.sprites import Sprites, sprites_from_arrays

KINDS = ("gem", "invader", "flask")
TINTS = ("red", "green", "blue", "gold")
_SIDE = 24
_COLOURS = (
    "000000 1a1c2c 5d275d b13e53 ef7d57 ffcd75 a7f070 38b764 257179 29366f 3b5dc9 41a6f6 73eff7 f4f4f4 94b0c2 566c86"
)
FOREIGN = Palette.from_hex(_COLOURS.split(), transparent=0, name="sixteen")
_DARK, _LIGHT = 1, 13
_RAMPS = {"red": (2, 3, 4), "green": (8, 7, 6), "blue": (9, 10, 11), "gold": (3, 4, 5)}


@dataclass(frozen=True)
class World:
    """A maker of good sprites, as many of each cell as are asked for; another seed gives others."""

    name: str
    make: Callable[[int, int], Sprites]
    """(seed, sprites per cell) → sprites, cell after cell."""


def tokens() -> World:
    """Gems, invaders and flasks in four tints."""
    return World("tokens", _tokens)


def in_palette(world: World, palette: Palette = FOREIGN) -> World:
    """The same sprites in other colours, each pixel in the nearest."""

    def make(seed: int, per_cell: int) -> Sprites:
        sprites = world.make(seed, per_cell)
        table = quantise(sprites.palette.rgba[None], palette)[0]
        return replace(sprites, cells=table[sprites.cells], palette=palette)

    return World(f"{world.name} in {len(palette)} colours", make)


def _tokens(seed: int, per_cell: int) -> Sprites:
    draw = {"gem": _gem, "invader": _invader, "flask": _flask}
    cells, labels = [], []
    for kind in KINDS:
        for tint in TINTS:
            for number in range(per_cell):
                cells.append(_outlined(draw[kind](rng(seed, "token", kind, tint, number), _RAMPS[tint])))
                labels.append(f"{kind}/{tint}")
    return sprites_from_arrays(np.stack(cells), FOREIGN, labels, {"kind": KINDS, "tint": TINTS}, "tokens")


def _gem(random: np.random.Generator, ramp: tuple[int, int, int]) -> Cells:
    """A cut stone: a polygon whose facets are lit from the upper left."""
    sides, turn, reach = int(random.integers(4, 9)), random.uniform(0, np.pi), random.uniform(6, 10)
    y, x = np.mgrid[:_SIDE, :_SIDE] - (_SIDE - 1) / 2
    angle, away = np.arctan2(y, x * random.uniform(0.8, 1.2)) + turn, np.hypot(y, x)
    facet = np.floor(angle / (2 * np.pi) * sides).astype(int) % sides
    middle = (angle / (2 * np.pi) * sides) % 1 - 0.5
    inside = away * np.cos(middle * 2 * np.pi / sides) < reach
    table = away < reach * random.uniform(0.3, 0.6)
    lit = np.cos(2 * np.pi * (facet + 0.5) / sides - turn + 3 * np.pi / 4)
    shade = np.where(table, 1, np.clip(np.round(1 + 1.2 * lit), 0, 2)).astype(int)
    return np.where(inside, np.array(ramp, np.uint8)[shade], np.uint8(0))


def _invader(random: np.random.Generator, ramp: tuple[int, int, int]) -> Cells:
    """A mirrored creature of coarse blocks with two eyes."""
    rows, half, block = int(random.integers(6, 9)), int(random.integers(3, 6)), 2
    body = random.random((rows, half)) < np.linspace(0.45, 0.85, half)
    body[rows // 3 : rows // 3 + 3, -2:] = True
    grid = np.where(body, ramp[1], 0).astype(np.uint8)
    grid[body & (random.random(body.shape) < 0.25)] = ramp[int(random.choice([0, 2]))]
    grid[rows // 3 + 1, half - 2] = _LIGHT
    whole = np.concatenate([grid, grid[:, ::-1]], axis=1).repeat(block, axis=0).repeat(block, axis=1)
    return _centred(whole)


def _flask(random: np.random.Generator, ramp: tuple[int, int, int]) -> Cells:
    """A bottle of glass with a liquid, a neck and a cork."""
    wide, tall, neck = random.uniform(5, 9), random.uniform(5, 8), int(random.integers(1, 3))
    y, x = np.mgrid[:_SIDE, :_SIDE] - np.array([15.0, 11.5])[:, None, None]
    bulb = (x / wide) ** 2 + (y / tall) ** 2 < 1
    throat = (np.abs(x) < neck + 0.6) & (y < 0) & (y > -tall - random.integers(2, 5))
    level = random.uniform(-0.4, 0.5) * tall
    made = np.where(bulb | throat, np.uint8(14), np.uint8(0))
    made[bulb & (y > level)] = ramp[1]
    made[bulb & (y > level) & (x > wide * 0.35)] = ramp[0]
    made[bulb & (np.abs(y - level) < 0.6)] = ramp[2]
    made[(np.hypot(x + wide * 0.45, y + 1) < 1.2) & bulb] = _LIGHT
    top = np.flatnonzero(throat.any(axis=1))[:2]
    made[top] = np.where(throat[top], 5, made[top])
    return made


def _centred(cells: Cells) -> Cells:
    made = np.zeros((_SIDE, _SIDE), np.uint8)
    top, left = (_SIDE - cells.shape[0]) // 2, (_SIDE - cells.shape[1]) // 2
    made[top : top + cells.shape[0], left : left + cells.shape[1]] = cells
    return made


def _outlined(cells: Cells) -> Cells:
    """A dark line around everything that is there."""
    seen = np.pad(cells > 0, 1)
    beside = seen[:-2, 1:-1] | seen[2:, 1:-1] | seen[1:-1, :-2] | seen[1:-1, 2:]
    return np.where((cells == 0) & beside, np.uint8(_DARK), cells)
