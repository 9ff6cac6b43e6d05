"""Charms: a third world, on which a calibration is proved and never made. Keys, mushrooms and trees, 20 × 20.

Drawn with other arithmetic, at another size and in another palette than the worlds that limits are worked out from.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.taste.sprites import Sprites, sprites_from_arrays
from pixelreef.taste.worlds import World

KINDS = ("key", "mushroom", "tree")
SEASONS = ("spring", "autumn")
PALETTE = Palette.from_hex(
    [
        "000000",
        "2b1d14",
        "5c3a21",
        "8a5a2b",
        "c98f4a",
        "f2d58a",
        "2f5d34",
        "5b9440",
        "a8cf5e",
        "7a1f1f",
        "c8402f",
        "f08a4b",
        "f7f0dc",
    ],
    transparent=0,
    name="charms",
)
_SIDE = 20
_LEAVES = {"spring": (6, 7, 8), "autumn": (9, 10, 11)}
_METAL = {"spring": (3, 4, 5), "autumn": (2, 3, 4)}
_WHITE = 12
Plane = NDArray[np.float64]


def charms() -> World:
    """Keys, mushrooms and trees in two seasons."""
    return World("charms", _charms)


def _charms(seed: int, per_cell: int) -> Sprites:
    draw = {"key": _key, "mushroom": _mushroom, "tree": _tree}
    labels = [f"{kind}/{season}" for kind in KINDS for season in SEASONS for _ in range(per_cell)]
    cells = [
        draw[kind](rng(seed, "charm", kind, season, number), season)
        for kind in KINDS
        for season in SEASONS
        for number in range(per_cell)
    ]
    return sprites_from_arrays(np.stack(cells), PALETTE, labels, {"kind": KINDS, "season": SEASONS}, "charms")


def _planes() -> tuple[Plane, Plane]:
    y, x = np.mgrid[:_SIDE, :_SIDE].astype(np.float64)
    return y, x


def _key(random: np.random.Generator, season: str) -> Cells:
    """A bow with a hole, a shaft, some teeth; lit from above."""
    y, x = _planes()
    dark, middle, light = _METAL[season]
    reach, hole = random.uniform(3, 5), random.uniform(0.3, 0.6)
    at = reach + random.uniform(0.5, 2)
    away = np.hypot(y - 10, (x - at) * random.uniform(0.8, 1.25))
    made = np.where((away < reach) & (away > hole * reach), middle, 0).astype(np.uint8)
    made[(made > 0) & (y < 10 - reach / 3)] = light
    end = int(random.integers(14, 20))
    made[9:11, int(at + reach) - 1 : end] = middle
    made[11, int(at + reach) - 1 : end] = dark
    for tooth in random.permutation(np.arange(end - 6, end))[: int(random.integers(1, 4))]:
        made[12 : 12 + int(random.integers(1, 5)), tooth] = dark
    return made[:, ::-1] if random.random() < 0.5 else made


def _mushroom(random: np.random.Generator, season: str) -> Cells:
    """A spotted cap on a pale stem."""
    y, x = _planes()
    dark, middle, light = _LEAVES[season]
    brim, wide, tall = random.uniform(8, 13), random.uniform(5, 9.5), random.uniform(4, 8)
    middle_x, stem = random.uniform(8.5, 10.5), random.uniform(1.2, 3)
    foot = random.uniform(15, 19)
    made = np.zeros((_SIDE, _SIDE), np.uint8)
    made[(np.abs(x - middle_x) < stem + (y - brim) * random.uniform(0, 0.15)) & (y >= brim) & (y <= foot)] = _WHITE
    cap = (((x - middle_x) / wide) ** 2 + ((y - brim) / tall) ** 2 < 1) & (y <= brim)
    made[cap] = middle
    made[cap & (x - middle_x > wide * 0.4)] = dark
    made[cap & (y > brim - 1)] = dark
    for _ in range(int(random.integers(1, 6))):
        spot = np.hypot(y - random.uniform(brim - tall, brim), x - random.uniform(middle_x - wide, middle_x + wide))
        made[cap & (spot < random.uniform(0.8, 2))] = random.choice([light, _WHITE])
    return made


def _tree(random: np.random.Generator, season: str) -> Cells:
    """A trunk under a crown of round tufts."""
    y, x = _planes()
    dark, middle, light = _LEAVES[season]
    lean, thick = random.uniform(-0.15, 0.15), random.uniform(0.8, 2)
    made = np.where((np.abs(x - 9.5 - lean * (y - 10)) < thick) & (y > 7), np.uint8(2), np.uint8(0))
    tufts = random.uniform([3, 5, 2], [11, 14, 4.5], (int(random.integers(3, 7)), 3))
    for top, left, reach in tufts[np.argsort(-tufts[:, 0])]:
        away = np.hypot(y - top, x - left)
        made[away < reach] = dark
        made[(away < reach) & (y < top + reach / 3)] = middle
        made[(away < reach * 0.7) & (y < top - reach / 4)] = light
    return made
