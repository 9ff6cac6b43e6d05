"""Every species that is found, in every zone it lives in."""

import json

import numpy as np
import pytest

from pixelreef.core.orphans import orphans
from pixelreef.core.reef import STEPS
from pixelreef.corpus.cells import CATEGORIES, ZONES
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.parts import PARTS
from pixelreef.corpus.reef.animal import Species
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.species import living_in, species

LIVES = [(kind, zone) for kind in species().values() for zone in kind.zones]
each_life = pytest.mark.parametrize(
    ("kind", "zone"), LIVES, ids=[f"{kind.category}-{kind.name}-{zone}" for kind, zone in LIVES]
)


def sprites(kind: Species, zone: str, count: int, size: int = 32, seed: int = 11) -> list[Entry]:
    return [make_sprite(kind.category, zone, seed, number, size, kind.name) for number in range(count)]


@each_life
def test_it_is_a_sprite_with_parts(kind: Species, zone: str) -> None:
    for entry in sprites(kind, zone, 5):
        assert entry.parts is not None
        assert ((entry.cells == 0) == (entry.parts == 0)).all()
        assert entry.cells.max() < 64
        assert entry.parts.max() < len(PARTS)
        assert (entry.cells != 0).sum() >= 90, "a creature that can be seen"
        assert len(np.unique(entry.parts)) >= 4, "anatomy: at least three parts and nothing"
        assert entry.species == kind.name
        assert json.loads(json.dumps(entry.parameters)) == entry.parameters


@each_life
@pytest.mark.parametrize("size", [16, 48])
def test_any_size_keeps_the_margin_and_the_middle(kind: Species, zone: str, size: int) -> None:
    for entry in sprites(kind, zone, 1, size):
        opaque = entry.cells != 0
        assert opaque.shape == (size, size)
        assert opaque.any()
        rows, columns = np.flatnonzero(opaque.any(axis=1)), np.flatnonzero(opaque.any(axis=0))
        for places in (rows, columns):
            assert places[0] >= 1
            assert places[-1] <= size - 2
            assert abs(places[0] - (size - 1 - places[-1])) <= 1


@each_life
def test_no_orphans_and_few_pieces(kind: Species, zone: str) -> None:
    from scipy.ndimage import label

    for entry in sprites(kind, zone, 5, seed=12):
        assert not (orphans(entry.cells) & (entry.cells != 0)).any()
        labels, count = label(entry.cells, np.ones((3, 3)))
        assert min(np.bincount(labels.ravel())[1:]) >= 4, f"{count} pieces"


@each_life
def test_the_light_comes_from_the_upper_left(kind: Species, zone: str) -> None:
    """The rim at the upper left is lighter than the one at the lower right, but for skins that hide that."""
    upper = lower = 0.0
    for entry in sprites(kind, zone, 10, seed=13):
        if entry.parameters["pattern"] in ("countershading", "stripes"):
            continue
        step = np.where(entry.cells == 0, np.nan, (entry.cells.astype(float) - 1) % STEPS)
        inside = entry.cells != 0
        near = inside & ~_moved(inside, 3, 3)
        far = inside & ~_moved(inside, -3, -3)
        upper += float(np.nanmean(step[near & ~far]))
        lower += float(np.nanmean(step[far & ~near]))
    assert upper >= lower - 1e-9


def _moved(mask: np.ndarray, rows: int, columns: int) -> np.ndarray:
    return np.roll(mask, (rows, columns), (0, 1))


def test_every_drawn_cell_has_enough_species() -> None:
    for category in {kind.category for kind in species().values()}:
        assert category in CATEGORIES
        for zone in ZONES:
            assert len(living_in(category, zone)) >= 4
