from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import sprites

from pixelreef.core import Palette, Sprite
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.errors import GridError

PALETTE = Palette.from_hex(["000000", "ff0000", "00ff00"], 0)
ORIGIN = Origin("test")


def entry(rows: list[list[int]], palette: Palette = PALETTE, **known: object) -> Entry:
    return Entry(np.array(rows, np.uint8), palette, ORIGIN, **known)  # type: ignore[arg-type]


def test_the_cell_is_the_factor_values_in_their_order() -> None:
    assert entry([[0]], factors={"category": "coral", "zone": "abyss"}).cell == "coral/abyss"
    assert entry([[0]], factors={"zone": "abyss", "category": ""}).cell == "abyss"
    assert entry([[0]]).cell == "all"


@pytest.mark.parametrize("cells", [np.zeros((0, 3), np.uint8), np.zeros(3, np.uint8), np.zeros((2, 2), np.int64)])
def test_cells_are_a_grid_of_bytes(cells: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    with pytest.raises(GridError, match="cells must be"):
        Entry(cells, PALETTE, ORIGIN)


def test_parts_are_as_large_as_the_sprite() -> None:
    with pytest.raises(GridError, match="parts must be as large"):
        entry([[0, 1]], parts=np.zeros((2, 2), np.uint8))


@given(sprites(side=9), st.randoms(use_true_random=False))
def test_the_hash_is_of_what_is_seen_and_not_of_the_order_of_colours(sprite: Sprite, chance: object) -> None:
    order = list(range(len(sprite.palette)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    place = np.argsort(order).astype(np.uint8)
    transparent = sprite.palette.transparent
    other = Palette(sprite.palette.rgb[order], None if transparent is None else int(place[transparent]))
    one = Entry(sprite.grid.cells, sprite.palette, ORIGIN)
    assert one.hash == Entry(place[sprite.grid.cells], other, Origin("elsewhere")).hash
    assert len(one.hash) == 32


def test_the_hash_tells_size_and_colour_and_transparency_apart() -> None:
    wide, high = entry([[1, 1]]), entry([[1], [1]])
    black = entry([[0, 0]], Palette.from_hex(["000000"]))
    assert len({one.hash for one in (wide, high, black, entry([[0, 0]]), entry([[1, 2]]))}) == 5


def test_what_hides_under_transparency_is_not_seen() -> None:
    hidden = Palette.from_hex(["abcdef", "ff0000", "00ff00"], 0)
    assert entry([[0, 1]]).hash == entry([[0, 1]], hidden).hash
