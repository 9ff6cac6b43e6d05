"""Mates: which of many suits a sprite best, and that nobody is mated with itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sprite_models import perturbed, small_config, weights

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.errors import InputError
from pixelreef.sprites.breed.cross import Breeder, Cross
from pixelreef.sprites.breed.inherit import Kind, Parent
from pixelreef.sprites.breed.mate import CANDIDATES, best_mate, candidates, mate_for, suits
from pixelreef.sprites.parts.labeller import labeller_from
from pixelreef.sprites.sample import GOOD, Sampler
from pixelreef.sprites.weights import weights_from
from pixelreef.taste.gather import sprites_from_entries
from pixelreef.taste.samples import judge_samples
from pixelreef.taste.sprites import sprites_from_arrays

PALETTE = Palette.from_hex(["000000", "ff0000", "00ff00", "0000ff"], transparent=0)


@pytest.fixture(scope="module")
def breeder() -> Breeder:
    return Breeder(Sampler(weights(perturbed(small_config())), threads=1))


def parent(rows: list[str]) -> Parent:
    return Parent(np.array([[int(sign) for sign in row] for row in rows], np.uint8), 0)


def test_shape_and_colour_count_alike_wherever_a_sprite_stands() -> None:
    corner = parent(["1100", "1100", "0000", "0000"])
    moved, mirrored = parent(["0000", "0011", "0011", "0000"]), parent(["0012", "0012", "0000", "0000"])
    assert suits(corner, corner) == suits(corner, moved) == 1
    assert suits(corner, parent(["2200", "2200", "0000", "0000"])) == 0.5
    assert suits(corner, mirrored) == 0.75
    assert suits(corner, parent(["1000", "1000", "0000", "0000"])) == 0.5
    assert suits(corner, parent(["0000"] * 4)) == suits(parent(["0000"] * 4), parent(["0000"] * 4)) == 0


@given(arrays(np.uint8, (2, 6, 6), elements=st.integers(0, 3)))
def test_a_suit_is_a_share(pair: NDArray[np.uint8]) -> None:
    assert 0 <= suits(Parent(pair[0], 0), Parent(pair[1], 0)) <= 1


def test_the_best_is_taken_and_a_twin_only_where_there_is_nothing_else() -> None:
    first = parent(["110", "110", "000"])
    rows = {"other": ["220", "200", "000"], "near": ["110", "120", "000"], "twin": ["110", "110", "000"]}
    found = [(sprite(name, own), own) for name, own in ((name, parent(of)) for name, of in rows.items())]
    assert best_mate(first, found).sprite.name == "near"
    assert best_mate(first, found).suits == 0.875
    assert best_mate(first, found[2:]).sprite.name == "twin"


def test_a_mate_is_one_of_its_cell_that_can_be_drawn_again(breeder: Breeder) -> None:
    sampler = breeder.sampler
    (sample,) = sampler.sample("fish/top", 1)
    one = Sprite(sampler.weights.palette, (Frame(Grid(sample.cells)),), "one", {"cell": "fish/top"})
    found = mate_for(breeder, one, seed=3)
    lineage = found.sprite.lineage
    assert lineage["cell"] == "fish/top"
    seed, number = int(str(lineage["seed"])), int(str(lineage["number"]))
    again = list(sampler.sample("fish/top", 1, seed, first=number))
    assert (again[0].cells == found.sprite.grid.cells).all()
    told = sampler.factors_from("fish/top")
    every = [suits(breeder.parent(one), breeder.parent(other)) for other in candidates(sampler, told, 3)]
    assert len(every) == CANDIDATES
    assert found.suits == max(every) < 1
    assert mate_for(breeder, one, seed=3).sprite == found.sprite
    assert mate_for(breeder, one, seed=3, cell="coral/deep").sprite.lineage["cell"] == "coral/deep"
    assert mate_for(breeder, replace(one, lineage={})).sprite.lineage["cell"] == "*/*"
    unlabelled = mate_for(breeder, one, seed=3, parts=True)  # nobody's parts are sure without a labeller
    assert unlabelled.sprite == found.sprite
    with pytest.raises(InputError, match="--cell must be a cell of these weights"):
        mate_for(breeder, one, cell="fish/nowhere")


def test_for_parts_a_mate_has_sure_ones() -> None:
    shipped = Breeder(Sampler(weights_from(None), threads=1), labeller_from(None))
    (sample,) = shipped.sampler.sample("grazer/twilight", 1)
    one = Sprite(shipped.sampler.weights.palette, (Frame(Grid(sample.cells)),), "one", {"cell": "grazer/twilight"})
    every = [shipped.parent(other) for other in candidates(shipped.sampler, sample.factors, 0)]
    assert 0 < sum(own.labels is None for own in every) < CANDIDATES
    assert shipped.parent(mate_for(shipped, one, parts=True).sprite).labels is not None


@pytest.mark.slow
def test_children_of_mates_stand_among_the_real_and_those_of_any_two_do_not() -> None:
    """The whole of it, thirty cells and all kinds: `experiments/breeding.py`."""
    names, each = ["reef-fish/shallows", "jellyfish/abyss", "cephalopod/hadal"], 64
    shipped = Breeder(Sampler(weights_from(None)))
    sampler, palette = shipped.sampler, shipped.sampler.weights.palette
    real = sprites_from_entries(list(make_reef(7, 300, cells=names)), REEF_FACTORS)
    bred: dict[str, list[NDArray[np.uint8]]] = {"mates": [], "any": []}
    for name in names:
        firsts = [
            Sprite(palette, (Frame(Grid(one.cells)),), "one", {"cell": name})
            for one in sampler.sample(name, 2 * each, seed=5)
        ]
        found = [(one, shipped.parent(one)) for one in candidates(sampler, sampler.factors_from(name), 5)]
        mates = [(one, best_mate(shipped.parent(one), found).sprite) for one in firsts[:each]]
        for way, pairs in (("mates", mates), ("any", list(zip(firsts[:each], firsts[each:], strict=True)))):
            bred[way] += [child.drawn.cells for child in shipped.one_of_each(pairs, Cross(Kind.halves))]
    labels = [name for name in names for _ in range(each)]
    words = {}
    for way, grids in bred.items():
        samples = sprites_from_arrays(np.stack(grids), palette, labels, REEF_FACTORS, "bred")
        words[way] = {cell: judge_samples(samples, real).cells[cell].word for cell in names}
    assert set(words["mates"].values()) <= set(GOOD)
    assert not set(words["any"].values()) & set(GOOD)


def sprite(name: str, own: Parent) -> Sprite:
    return Sprite(PALETTE, (Frame(Grid(own.cells)),), name)
