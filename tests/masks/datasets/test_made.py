"""The two datasets made from the reef."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from pixelreef.core.reef import reef_palette
from pixelreef.corpus.parts import PARTS
from pixelreef.corpus.reef.scene import make_scene
from pixelreef.errors import InputError
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.datasets.reef_parts import DATASET as PARTS_OF_ONE
from pixelreef.masks.datasets.reef_parts import labels_from_parts
from pixelreef.masks.datasets.reef_scenes import DATASET as SCENES
from pixelreef.masks.palette_make import make

MADE = (PARTS_OF_ONE, SCENES)


@pytest.mark.parametrize("one", MADE, ids=lambda one: one.name)
def test_same_seed_same_pictures_and_another_seed_others(one: MadeDataset) -> None:
    first, again, other = (one.items(n=2, seed=seed).items[1] for seed in (5, 5, 6))
    assert np.array_equal(first.photograph(), again.photograph())
    assert np.array_equal(first.truth(), again.truth())
    assert not np.array_equal(first.truth(), other.truth())
    assert (first.id, other.id) == (f"{one.name}-5-0001", f"{one.name}-6-0001")
    assert np.array_equal(pickle.loads(pickle.dumps(first)).truth(), first.truth())


@pytest.mark.parametrize("one", MADE, ids=lambda one: one.name)
def test_every_block_of_a_whole_factor_is_one_pixel(one: MadeDataset) -> None:
    item = one.items(n=1, seed=2).items[0]
    picture, truth = item.read()
    factor = 512 // one.side
    assert truth.shape == (512, 512)
    small = one.sized(one.side).items(n=1, seed=2).items[0]
    for y in range(factor):
        for x in range(0, factor, 3):
            assert np.array_equal(truth[y::factor, x::factor], small.truth())
            assert np.array_equal(picture[y::factor, x::factor], small.photograph())
    assert one.sized(3 * one.side).items(n=1).items[0].truth().shape == (3 * one.side, 3 * one.side)


@pytest.mark.parametrize("one", MADE, ids=lambda one: one.name)
def test_wrong_sizes_and_numbers_and_folders_are_refused(one: MadeDataset) -> None:
    for size in (500, 0, -one.side, 8192):
        with pytest.raises(InputError, match=f"be a multiple of {one.side} up to 4096"):
            one.sized(size)
    with pytest.raises(InputError, match="be at least 1"):
        one.items(n=0)
    with pytest.raises(InputError, match="be given no folder"):
        one.items("somewhere")
    assert one.items().total == 50


def test_scenes_are_those_of_the_corpus() -> None:
    scene = make_scene(4, 1)
    item = SCENES.sized(128).items(n=2, seed=4).items[1]
    assert np.array_equal(item.truth(), scene.classes)
    assert np.array_equal(item.photograph(), reef_palette().rgb[scene.cells])


def test_every_part_is_met_and_every_pixel_is_creature_or_background() -> None:
    items = PARTS_OF_ONE.sized(64).items(n=90, seed=0).items
    counts = np.stack([np.bincount(item.truth().ravel(), minlength=21) for item in items])
    assert counts.shape == (90, 21)
    assert ((counts > 0).sum(axis=0) >= 4).all()  # every class in several pictures
    assert ((counts > 0).sum(axis=1) >= 3).all()  # background and at least two parts
    assert counts[:, 0].max() < 0.95 * 64 * 64
    assert counts[counts > 0].min() >= 4


def test_partners_come_together_or_one_is_hidden() -> None:
    classes = PARTS_OF_ONE.classes
    assert [classes.names[place] for place, partner in enumerate(classes.partners) if partner is not None] == [
        *("left fin", "right fin", "left limb", "right limb", "left eye", "right eye"),
    ]
    both = 0
    for item in PARTS_OF_ONE.sized(64).items(n=60, seed=1).items:
        present = {classes.names[label] for label in np.unique(item.truth())}
        both += {"left eye", "right eye"} <= present
    assert both >= 6


def test_a_surface_becomes_the_part_it_lies_on() -> None:
    index = {name: number for number, name in enumerate(PARTS)}
    rows = [
        ["none", "pattern", "shell", "shell", "shell", "shell", "none"],
        ["belly", "organ", "gill", "none", "eye", "none", "none"],
        ["body", "body", "body", "none", "none", "none", "organ"],
    ]
    names = PARTS_OF_ONE.classes.names
    labels = labels_from_parts(np.array([[index[name] for name in row] for row in rows], np.uint8))
    # The lone eye is too few pixels to be asked for, and the lone organ has nothing to lie on.
    assert [[names[label] for label in row] for row in labels] == [
        ["background", *["shell"] * 5, "background"],
        ["body", "body", "shell", "background", "shell", "background", "background"],
        ["body", "body", "body", "background", "background", "background", "body"],
    ]


@pytest.mark.parametrize("name", ["reef-scenes", "reef-parts", pytest.param("ade20k", marks=pytest.mark.slow)])
def test_shipped_palettes_are_made(name: str) -> None:
    classes = dataset(name).classes
    assert np.array_equal(classes.rgb, make(len(classes)).rgb)
