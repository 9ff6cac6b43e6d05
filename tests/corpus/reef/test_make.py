"""The maker: the same seed, the same sprites, and enough of them different."""

from typing import Any

import numpy as np
import pytest

from pixelreef.corpus.cells import ZONES
from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.canvas import Canvas
from pixelreef.corpus.reef.make import GENERATOR, make_reef, make_sprite
from pixelreef.corpus.reef.shapes import ellipse
from pixelreef.corpus.reef.species import species
from pixelreef.corpus.reef.zones import Traits
from pixelreef.errors import InputError
from pixelreef.metrics.likeness import groups, signatures

CATEGORIES = sorted({kind.category for kind in species().values()})


def test_a_sprite_does_not_depend_on_what_else_is_made() -> None:
    cells = ["reef-fish/abyss", "reef-fish/shallows"]
    many = list(make_reef(5, 4, cells=cells))
    assert [entry.cell for entry in many] == [cell for cell in cells for _ in range(4)]
    for entry in many:
        again = make_sprite(entry.factors["category"], entry.factors["zone"], 5, entry.parameters["number"])
        assert np.array_equal(entry.cells, again.cells)
        assert entry.parts is not None
        assert again.parts is not None
        assert np.array_equal(entry.parts, again.parts)
        assert entry.parameters == again.parameters


def test_seed_and_number_matter() -> None:
    hashes = {make_sprite("reef-fish", "shallows", seed, number).hash for seed in (1, 2) for number in range(5)}
    assert len(hashes) == 10


def test_what_is_too_large_is_drawn_again_as_the_same_animal(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []

    def draw(canvas: Canvas, random: np.random.Generator, traits: Traits) -> dict[str, Any]:
        canvas.pose()
        canvas.paint(ellipse(canvas, 0, 0, 1.3, 0.5), "body", 0, 2, 5)
        drawn.append((traits, random.random()))
        return {}

    monkeypatch.setattr("pixelreef.corpus.reef.make.living_in", lambda *_: (Species("giant", "reef-fish", draw),))
    entry = make_sprite("reef-fish", "hadal", 1, 1)
    assert len(drawn) >= 2
    assert all(other == drawn[0] for other in drawn)
    columns = np.flatnonzero(entry.cells.any(axis=0))
    assert (columns[0], columns[-1]) == (1, 30)


def test_where_it_comes_from() -> None:
    entry = make_sprite("reef-fish", "hadal", 1, 2)
    assert (entry.origin.source, entry.origin.author, entry.origin.licence) == ("reef", "Pixelreef", "CC0-1.0")
    assert entry.parameters["generator"] == GENERATOR
    assert entry.cell == "reef-fish/hadal"


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("zone", ZONES)
def test_a_cell_is_varied(category: str, zone: str) -> None:
    entries = [make_sprite(category, zone, 21, number) for number in range(60)]
    distinct = groups(signatures(np.stack([entry.cells for entry in entries]), 0)).max() + 1
    assert distinct >= 0.95 * len(entries)
    names = [entry.species for entry in entries]
    assert len(set(names)) >= 4
    assert max(names.count(name) for name in names) <= 0.4 * len(names)


@pytest.mark.parametrize("size", [15, 513])
def test_sizes_are_bounded(size: int) -> None:
    with pytest.raises(InputError, match="--size must be from 16 to 512"):
        make_sprite("reef-fish", "hadal", 1, 1, size)


@pytest.mark.parametrize("cell", ["reef-fish", "reef-fish/moon", "bird/abyss", ""])
def test_unknown_cells_are_refused(cell: str) -> None:
    with pytest.raises(InputError, match="cell must be category/zone"):
        list(make_reef(1, 1, cells=[cell]))


def test_unknown_species_are_refused() -> None:
    with pytest.raises(InputError, match="species must live in reef-fish/hadal"):
        make_sprite("reef-fish", "hadal", 1, 1, species_name="sparrow")
