"""A rougher world: what is done to its sprites, and what is left alone."""

from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core.palette import Palette
from pixelreef.taste.grain import grain
from pixelreef.taste.handmade import OVERLAP, SHADED, handmade, near_colours
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.worlds import World, tokens


@pytest.fixture(scope="module")
def made() -> tuple[Sprites, Sprites]:
    return tokens().make(3, 60), handmade(tokens()).make(3, 60)


def test_sizes_labels_and_colours_stay(made: tuple[Sprites, Sprites]) -> None:
    plain, rough = made
    assert rough.labels() == plain.labels()
    assert rough.cells.shape == plain.cells.shape
    assert rough.palette == plain.palette
    assert int(rough.cells.max()) < len(rough.palette)


def test_the_same_seed_gives_the_same_and_another_another() -> None:
    world = handmade(tokens())
    assert world.name == "tokens by hand"
    assert (world.make(1, 5).cells == world.make(1, 5).cells).all()
    assert (world.make(1, 5).cells != world.make(2, 5).cells).any()


def test_pixels_stand_alone_here_and_there_and_not_alike_in_all_cells(made: tuple[Sprites, Sprites]) -> None:
    _, rough = made
    before, after = (grain(one.cells, one.palette)["orphans"] for one in made)
    assert np.nanmean(before) < 0.01
    means = [float(np.nanmean(after[places])) for places in rough.by_cell.values()]
    assert min(means) < 0.06
    assert 0.1 < max(means) < 0.4


def test_near_colours_are_neither_the_same_nor_the_transparent_one() -> None:
    palette = Palette.from_hex(["000000", "ff0000", "fa0000", "0000ff", "0000fa", "ffffff"], transparent=0)
    near = near_colours(palette)
    assert near[1, 0] == 2
    assert near[3, 0] == 4
    assert not (near == np.arange(6)[:, None]).any()
    assert not (near[1:] == 0).any()


def test_sisters_exchange_the_same_number_and_strangers_none() -> None:
    """Cells of one colour each, so that whose a sprite was can be read off it."""
    palette = Palette.from_hex(["000000", "ff0000", "00ff00", "0000ff", "ffff00", "ffffff"], transparent=0)

    def plain(seed: int, per_cell: int) -> Sprites:
        from pixelreef.taste.sprites import sprites_from_arrays

        cells = np.zeros((4 * per_cell, 6, 6), np.uint8)
        for number in range(4):
            cells[number * per_cell : (number + 1) * per_cell, 1 : 2 + number, 1:3] = 1
        labels = [name for name in "abcd" for _ in range(per_cell)]
        return sprites_from_arrays(cells, palette, labels)

    rough = handmade(World("plain", plain)).make(5, 300)
    rows = (rough.cells != 0).any(axis=2).sum(axis=1)  # moved or mirrored, a sprite keeps its rows
    own = {name: float((rows[rough.of(name)] == number + 1).mean()) for number, name in enumerate("abcd")}
    assert all(1 - OVERLAP[1] - 0.1 < share <= 1 for share in own.values())
    assert own["a"] == own["b"]
    assert own["c"] == own["d"]
    assert set(rows[rough.of("a")]) <= {1, 2}
    assert SHADED[0] > 0
