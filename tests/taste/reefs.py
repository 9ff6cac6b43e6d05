"""Small corpora for tests of taste: a few cells of the reef, and ways to spoil one of them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.reef.make import make_reef
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import Limit, Limits
from pixelreef.taste.sprites import Sprites, sprites_from_arrays

CELLS = (
    "reef-fish/shallows",
    "coral/shallows",
    "jellyfish/shallows",
    "coral/hadal",
    "jellyfish/hadal",
    "abyssal/hadal",
)
FACTORS = {"category": ("reef-fish", "coral", "jellyfish", "abyssal"), "zone": ("shallows", "hadal")}
EACH = 32
LIMITS = Calibration(
    {
        "distinct": Limits(10, (Limit(100, 0.8, 0.3),)),
        "orphans": Limits(10, (Limit(100, 0.1, 0.2),)),
        "crumbled": Limits(10, (Limit(100, None, 1.2),)),
        "recall": Limits(10, (Limit(100, 0.5, None),)),
        "learnable": Limits(10, (Limit(100, None, 0.1),)),
    }
)
"""Of tests alone, so that none hangs on what is shipped."""


@cache
def reef(seed: int = 0) -> Sprites:
    """Six cells of 32 sprites."""
    entries = list(make_reef(seed, EACH, 32, CELLS))
    cells = np.stack([entry.cells for entry in entries])
    return sprites_from_arrays(cells, reef_palette(), [entry.cell for entry in entries], FACTORS)


def spoilt(sprites: Sprites, cell: str, how: str) -> Sprites:
    """The sprites with one cell's pixels spoilt."""
    places, random = sprites.of(cell), rng(0, "spoil", how)
    cells = sprites.cells.copy()
    cells[places] = _WAYS[how](cells[places], random)
    return sprites.changed(cells=cells)


def mixed(sprites: Sprites, a: str, b: str) -> Sprites:
    """Half of each of two cells under the other's name."""
    labels = sprites.cell.copy()
    first, second = sprites.of(a)[::2], sprites.of(b)[::2]
    labels[first], labels[second] = sprites.names.index(b), sprites.names.index(a)
    return sprites.changed(cell=labels)


Cells = NDArray[np.uint8]


def _shuffled(cells: Cells, random: np.random.Generator) -> Cells:
    return np.asarray(random.permuted(cells.reshape(len(cells), -1), axis=1).reshape(cells.shape))


def _static(cells: Cells, random: np.random.Generator) -> Cells:
    noise = random.integers(0, 64, cells.shape).astype(np.uint8)
    return np.where(random.random(cells.shape) < 0.2, noise, cells)


def _copied(cells: Cells, _: np.random.Generator) -> Cells:
    return np.asarray(cells[np.arange(len(cells)) % 8])


def _half_blank(cells: Cells, random: np.random.Generator) -> Cells:
    return np.where(np.arange(len(cells))[:, None, None] % 2, cells, np.uint8(0))


def _one_mode(cells: Cells, random: np.random.Generator) -> Cells:
    steps = random.integers(-2, 3, (len(cells), 2))
    return np.stack([np.roll(cells[0], (int(dy), int(dx)), (0, 1)) for dy, dx in steps])


def _blurred(cells: Cells, random: np.random.Generator) -> Cells:
    """Photographs of murky water: light that falls off slowly, in the palette's greys."""
    y, x = np.mgrid[:32, :32] / 32
    turns = random.random((len(cells), 3))
    light = 3 + 3 * np.sin(turns[:, :1, None] * 3 * y + turns[:, 1:2, None] * 3 * x + 6 * turns[:, 2:, None])
    return np.asarray(1 + np.clip(light.round(), 0, 6), np.uint8)


_WAYS = {
    "blurred": _blurred,
    "shuffled": _shuffled,
    "static": _static,
    "copied": _copied,
    "half blank": _half_blank,
    "one mode": _one_mode,
}
