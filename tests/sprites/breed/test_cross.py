"""Children: what is inherited stays as it was, and the document says from whom it is."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from sprite_models import perturbed, small_config, weights

from pixelreef.core.document import json_from_sprite, sprite_from_json
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.errors import InputError
from pixelreef.sprites.breed.cross import Breeder, Cross, cell_of
from pixelreef.sprites.breed.inherit import DRAWN, FIRST, SECOND, Kind, Parent
from pixelreef.sprites.breed.place import aligned, placed
from pixelreef.sprites.breed.sheet import breeding_sheet
from pixelreef.sprites.sample import Sampler

PLAIN = [Kind.halves, Kind.checker, Kind.prefix, Kind.silhouette]


@pytest.fixture(scope="module")
def breeder() -> Breeder:
    return Breeder(Sampler(weights(perturbed(small_config())), threads=1))


def sprite(breeder: Breeder, top: int, left: int, size: int, colour: int, cell: str | None) -> Sprite:
    cells = np.zeros((16, 16), np.uint8)
    cells[top : top + size, left : left + size] = colour
    lineage = {"cell": cell} if cell else {}
    return Sprite(breeder.sampler.weights.palette, (Frame(Grid(cells)),), f"of {colour}", lineage)


@pytest.fixture(scope="module")
def parents(breeder: Breeder) -> tuple[Sprite, Sprite]:
    return sprite(breeder, 2, 2, 9, 3, "fish/top"), sprite(breeder, 5, 5, 10, 6, "coral/deep")


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("mutate", [0.0, 0.3])
def test_what_is_inherited_is_as_it_was(
    breeder: Breeder, parents: tuple[Sprite, Sprite], kind: Kind, mutate: float
) -> None:
    a, b = breeder.parents(*parents)
    children = breeder.children(*parents, Cross(kind, mutate, new_colours=True), n=5, seed=2)
    assert [child.drawn.number for child in children] == list(range(5))
    for child in children:
        cells = child.drawn.cells
        assert (cells[child.map == FIRST] == a.cells[child.map == FIRST]).all()
        assert (cells[child.map == SECOND] == b.cells[child.map == SECOND]).all()
        assert sum(child.shares().values()) == pytest.approx(1)
        if kind == Kind.silhouette:
            assert ((cells != 0) == a.filled).all()
    drawn = {child.drawn.cells[child.map == DRAWN].tobytes() for child in children}
    assert len(drawn) == 5


@pytest.mark.parametrize("kind", PLAIN)
def test_what_is_drawn_has_colours_of_its_parents_unless_new_ones_are_asked_for(
    breeder: Breeder, parents: tuple[Sprite, Sprite], kind: Kind
) -> None:
    children = breeder.children(*parents, Cross(kind, mutate=0.5), n=5)
    seen = {int(colour) for child in children for colour in np.unique(child.drawn.cells)}
    assert seen <= ({0, 6} if kind == Kind.silhouette else {0, 3, 6})
    free = breeder.children(*parents, Cross(kind, mutate=0.5, new_colours=True), n=5)
    assert len({int(colour) for child in free for colour in np.unique(child.drawn.cells)}) > 3
    empty = replace(parents[1], frames=(Frame(Grid(np.zeros((16, 16), np.uint8))),))
    assert len(breeder.children(empty, empty, Cross(kind), n=2)) == 2  # no colours to keep to


def test_a_child_is_the_same_however_many_there_are(breeder: Breeder, parents: tuple[Sprite, Sprite]) -> None:
    many = breeder.children(*parents, Cross(), n=6, seed=1)
    few = breeder.children(*parents, Cross(), n=2, seed=1)
    assert [one.drawn.cells.tobytes() for one in few] == [one.drawn.cells.tobytes() for one in many[:2]]
    other = breeder.children(*parents, Cross(), n=2, seed=2)
    assert [one.drawn.cells.tobytes() for one in other] != [one.drawn.cells.tobytes() for one in few]


def test_one_child_of_each_pair_is_as_if_bred_alone(breeder: Breeder, parents: tuple[Sprite, Sprite]) -> None:
    pairs = [parents, parents[::-1], parents]
    found = breeder.one_of_each(pairs, Cross(), seed=1)
    for number, (child, pair) in enumerate(zip(found, pairs, strict=True)):
        alone = breeder.children(*pair, Cross(), n=number + 1, seed=1)[number]
        assert child.drawn.cells.tobytes() == alone.drawn.cells.tobytes()
        assert child.lineage == alone.lineage


def test_children_are_told_the_cell_of_the_parent_that_gives_more(
    breeder: Breeder, parents: tuple[Sprite, Sprite]
) -> None:
    mask = np.full((16, 16), SECOND, np.uint8)
    mask[:, :12] = FIRST
    cross, other = Cross(Kind.mask, mask=mask), (FIRST + SECOND - mask).astype(np.uint8)
    assert {one.drawn.cell for one in breeder.children(*parents, cross, n=1)} == {"fish/top"}
    assert {one.drawn.cell for one in breeder.children(*parents, replace(cross, mask=other), n=1)} == {"coral/deep"}
    assert {one.drawn.cell for one in breeder.children(*parents, Cross(Kind.prefix), n=1)} == {"coral/deep"}
    assert {one.drawn.cell for one in breeder.children(*parents, Cross(cell="fish/deep"), n=1)} == {"fish/deep"}
    nobody = sprite(breeder, 2, 2, 9, 3, None), sprite(breeder, 5, 5, 10, 6, "worm/hill")
    assert cell_of(nobody[1], breeder.sampler) is None
    assert {one.drawn.cell for one in breeder.children(*nobody, Cross(), n=1)} == {"*/*"}


def test_a_document_says_from_whom_a_child_is(breeder: Breeder, parents: tuple[Sprite, Sprite]) -> None:
    (child,) = breeder.children(*parents, Cross(Kind.checker, 0.1), n=1, seed=4)
    kept = sprite_from_json(json_from_sprite(child.sprite(breeder.sampler, "child")).encode())
    lineage = json.loads(json.dumps(kept.lineage))
    assert (lineage["kind"], lineage["seed"], lineage["number"], lineage["mutate"]) == ("checker", 4, 0, 0.1)
    assert [one["name"] for one in lineage["parents"]] == ["of 3", "of 6"]
    assert [one["cell"] for one in lineage["parents"]] == ["fish/top", "coral/deep"]
    assert lineage["parents"][0]["hash"] != lineage["parents"][1]["hash"]
    found = np.array([["*AB".index(sign) for sign in row] for row in lineage["inheritance"]])
    assert (found == child.map).all()


def test_of_a_parents_lineage_only_plain_words_are_told(breeder: Breeder, parents: tuple[Sprite, Sprite]) -> None:
    told = {"cell": [["fish/top"]], "by": "x" * 201, "seed": 7, "number": 10**201, "kind": "y" * 200, "other": 1}
    (child,) = breeder.children(replace(parents[0], lineage=told), parents[1], Cross(), n=1)
    assert {*child.lineage["parents"][0]} == {"name", "hash", "seed", "kind"}


def test_what_is_planned_is_what_is_drawn(breeder: Breeder, parents: tuple[Sprite, Sprite]) -> None:
    sampler = breeder.sampler
    plans = breeder.planned(*parents, Cross(Kind.checker, 0.2), n=4, seed=3)
    grids = sampler.engine.draw(sampler.task([one.wanted for one in plans], 3))
    children = breeder.children(*parents, Cross(Kind.checker, 0.2), n=4, seed=3)
    for plan, cells, child in zip(plans, grids, children, strict=True):
        name = f"checker-000{child.drawn.number}"
        assert plan.sprite(cells, sampler.weights.palette) == child.sprite(sampler, name)


def test_a_parent_in_other_colours_and_smaller_is_taken_too(breeder: Breeder) -> None:
    palette = Palette.from_hex(["ffffff", breeder.sampler.weights.palette.hex()[4]], 0)
    cells: NDArray[np.uint8] = np.zeros((8, 6), np.uint8)
    cells[2:6, 1:5] = 1
    found = breeder.parent(Sprite(palette, (Frame(Grid(cells)),)))
    assert found.cells.shape == (16, 16)
    assert set(np.unique(found.cells)) == {0, 4}
    assert found.filled.sum() == 16
    assert found.cells[6:10, 6:10].all()
    with pytest.raises(InputError, match="parent must be at most 16 × 16 pixels, got 17 × 4"):
        placed(np.zeros((4, 17), np.uint8), 16, 16, 0)


def test_the_second_parent_is_moved_over_the_first_and_mirrored_where_that_helps() -> None:
    cells = np.zeros((16, 16), np.uint8)
    cells[4:12, 4:8] = 1
    cells[4:6, 8:12] = 2  # an L
    still = Parent(cells, 0)
    shifted = Parent(np.roll(cells, (3, 2), (0, 1)), 0)
    assert (aligned(shifted, still).cells == cells).all()
    turned = Parent(np.roll(cells[:, ::-1], -3, 1), 0)
    assert (aligned(turned, still).cells == cells).all()
    blank = Parent(np.zeros((16, 16), np.uint8), 0)
    assert not aligned(blank, still).filled.any()


def test_a_sheet_has_parents_maps_and_children(breeder: Breeder, parents: tuple[Sprite, Sprite]) -> None:
    children = breeder.children(*parents, Cross(), n=10)
    palette = breeder.sampler.weights.palette
    picture = breeding_sheet(*breeder.parents(*parents), children, palette, "a × b")
    colours = {tuple(colour) for colour in picture.reshape(-1, 3)}
    assert {tuple(palette.rgb[3]), tuple(palette.rgb[6])} <= colours
    assert {(232, 128, 96), (86, 152, 226)} <= colours
    with pytest.raises(InputError, match="--mutate must be from 0 to 1"):
        Cross(mutate=1.5)
