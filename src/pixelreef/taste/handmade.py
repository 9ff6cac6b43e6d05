"""A world made rougher, as corpora are that many hands drew: nothing in it is a fault, and no cell of it may fail.

What one program draws is cleaner than any public set of tiles: no pixel stands alone, every label can be told, no
sprite comes twice. Limits between such cells and spoilt ones would call most real art spoilt. So of every cell

    shading    a share of its pixels takes a near colour, another share in every cell, as texture and dithering do
    variants   some sprites are others of the cell again, in other colours, mirrored, or moved by a pixel
    overlap    some sprites of one cell could as well be in its sister, and are: what is a monster, what a demon?
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.worlds import World

SHADED = (0.02, 0.22)
"""Share of pixels, from the plainest to the roughest cell."""
VARIED = (0.0, 0.4)
"""Share of sprites that are variants."""
OVERLAP = (0.0, 0.2)
"""Share of sprites that are under the name of the sister cell."""
_NEAR = 3  # colours that a pixel may take instead
_WINDOW = 40  # sprites back, of which one is varied: frames and sets stand together


def handmade(world: World) -> World:
    """The sprites of another world as if many hands had drawn them."""

    def make(seed: int, per_cell: int) -> Sprites:
        sprites = world.make(seed, per_cell)
        cells = sprites.cells.copy()
        near = near_colours(sprites.palette)
        for cell, places in sprites.by_cell.items():
            random = rng(seed, "handmade", cell)
            cells[places] = _shaded(cells[places], near, random.uniform(*SHADED), sprites.palette, random)
            cells[places] = _varied(cells[places], random.uniform(*VARIED), sprites.palette, random)
        return sprites.changed(_overlapping(cells, sprites, seed))

    return World(f"{world.name} by hand", make)


def near_colours(palette: Palette) -> NDArray[np.intp]:
    """(colours, 3): those that are nearest to each, itself and the transparent one left out."""
    apart = np.linalg.norm(palette.oklab[:, None] - palette.oklab[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    if palette.transparent is not None:
        apart[:, palette.transparent] = np.inf
    return np.asarray(np.argsort(apart, axis=1)[:, :_NEAR])


def _shaded(cells: Cells, near: NDArray[np.intp], share: float, palette: Palette, random: np.random.Generator) -> Cells:
    struck = random.random(cells.shape) < share
    if palette.transparent is not None:
        struck &= cells != palette.transparent
    instead = near[cells, random.integers(0, near.shape[1], cells.shape)].astype(np.uint8)
    return np.where(struck, instead, cells)


def _varied(cells: Cells, share: float, palette: Palette, random: np.random.Generator) -> Cells:
    made = cells.copy()
    for place in np.flatnonzero(random.random(len(cells)) < share):
        if place:
            before = int(random.integers(max(0, int(place) - _WINDOW), int(place)))
            made[place] = _variant(cells[before], palette, random)
    return made


def _variant(one: Cells, palette: Palette, random: np.random.Generator) -> Cells:
    kind = int(random.integers(3))
    if kind == 0:
        return one[:, ::-1]
    if kind == 1:
        return np.roll(one, int(random.choice([-1, 1])), axis=int(random.integers(2)))
    used = np.unique(one if palette.transparent is None else one[one != palette.transparent])
    table = np.arange(256, dtype=np.uint8)
    table[used] = random.permutation(used)
    return table[one]


def _overlapping(cells: Cells, sprites: Sprites, seed: int) -> Cells:
    """Every two cells that follow one another are sisters, and exchange sprites in the same places of both."""
    made = cells.copy()
    for first, second in zip(sprites.names[::2], sprites.names[1::2], strict=False):
        a, b = sprites.of(first), sprites.of(second)
        random = rng(seed, "handmade", "sisters", first)
        given = np.flatnonzero(random.random(min(len(a), len(b))) < random.uniform(*OVERLAP))
        made[a[given]], made[b[given]] = cells[b[given]], cells[a[given]]
    return made
