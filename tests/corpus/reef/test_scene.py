from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core.reef import reef_palette
from pixelreef.corpus.cells import ZONES
from pixelreef.corpus.fit import subject_box
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.scene import CLASSES, Scene, make_scene, stands
from pixelreef.errors import InputError

SIZES = ((64, 64), (96, 160), (128, 128), (512, 256))


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [make_scene(5, number, *size) for size in SIZES for number in range(4)]


def test_the_same_seed_and_number_give_the_same_scene() -> None:
    first, again, other = make_scene(1, 2), make_scene(1, 2), make_scene(1, 3)
    assert np.array_equal(first.cells, again.cells)
    assert first.creatures == again.creatures
    assert not np.array_equal(first.cells, other.cells)


def test_classes_and_instances_say_the_same(scenes: list[Scene]) -> None:
    for scene in scenes:
        assert scene.cells.shape == scene.classes.shape == scene.instances.shape
        assert 0 < scene.cells.min() <= scene.cells.max() < len(reef_palette())  # nothing is transparent
        assert np.array_equal(scene.classes >= 2, scene.instances > 0)
        for number, creature in enumerate(scene.creatures, 1):
            assert set(scene.classes[scene.instances == number]) == {CLASSES.index(creature.category)}


def test_every_creature_is_the_sprite_it_names_and_at_least_half_in_sight(scenes: list[Scene]) -> None:
    for scene, seed in ((scene, 5) for scene in scenes):
        assert scene.creatures
        for number, one in enumerate(scene.creatures, 1):
            entry = make_sprite(one.category, scene.zone, seed, one.number, one.size)
            assert entry.species == one.species
            sprite = entry.cells[subject_box(entry.cells, 0)]
            box = np.s_[one.top : one.top + sprite.shape[0], one.left : one.left + sprite.shape[1]]
            mine = scene.instances[box] == number
            assert mine.sum() == (scene.instances == number).sum() >= 0.5 * (sprite != 0).sum()
            assert np.array_equal(scene.cells[box][mine], sprite[mine])


def test_corals_worms_and_grazers_stand_on_the_floor() -> None:
    for number in range(12):
        scene = make_scene(9, number)
        for place, one in enumerate(scene.creatures, 1):
            entry = make_sprite(one.category, scene.zone, 9, one.number, one.size)
            assert stands(entry) == (one.category in ("coral", "grazer") or one.species == "tube-worm")
            if not stands(entry):
                continue
            foot = np.flatnonzero((scene.instances == place).any(axis=1))[-1]
            below = scene.classes[min(foot + 1, scene.classes.shape[0] - 1)]
            assert (below[one.left : one.left + one.size] != 0).any()


def test_a_zone_can_be_named_and_all_zones_come_up() -> None:
    assert {make_scene(0, number, 64, 64).zone for number in range(40)} == set(ZONES)
    assert make_scene(0, 0, zone="hadal").zone == "hadal"
    with pytest.raises(InputError, match="zone must be one of"):
        make_scene(0, 0, zone="attic")
    with pytest.raises(InputError, match="be from 64 to 512"):
        make_scene(0, 0, 63, 64)
