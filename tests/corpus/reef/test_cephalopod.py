"""Cephalopods: eyes that are always seen, arms, and the creature's own left and right."""

import itertools
import math

import numpy as np
import pytest

from pixelreef.corpus.cells import ZONES
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef.cephalopod import curl
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.species import living_in

NAMES = [kind.name for kind in living_in("cephalopod", "abyss")]


def middle(entry: Entry, part: str) -> tuple[float, float]:
    """The middle of a part in the picture, x and y."""
    assert entry.parts is not None
    ys, xs = np.nonzero(entry.parts == PART_INDEX[part])
    assert len(xs) > 0, f"no {part}"
    return float(xs.mean()), float(ys.mean())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("zone", ZONES)
def test_it_looks_and_has_arms(name: str, zone: str) -> None:
    for number in range(6):
        entry = make_sprite("cephalopod", zone, 32, number, species_name=name)
        assert entry.parts is not None
        paired = entry.parameters.get("view", "side") != "side"
        for part in ("left eye", "right eye") if paired else ("eye",):
            assert (entry.parts == PART_INDEX[part]).sum() >= 4
        limbs = [PART_INDEX[part] for part in ("limb", "left limb", "right limb")]
        assert np.isin(entry.parts, limbs).sum() >= 20


@pytest.mark.parametrize("name", NAMES)
def test_left_is_its_own(name: str) -> None:
    """From the front its left is on our right; from above, with the head ahead, on our left."""
    for number in range(12):
        entry = make_sprite("cephalopod", "shallows", 33, number, species_name=name)
        view = entry.parameters.get("view", "side")
        if view == "front":
            assert middle(entry, "left eye")[0] > middle(entry, "right eye")[0]
        if view == "above":
            body, left, right = (middle(entry, part) for part in ("body", "left eye", "right eye"))
            ahead = ((left[0] + right[0]) / 2 - body[0], (left[1] + right[1]) / 2 - body[1])
            to_left = (left[0] - right[0], left[1] - right[1])
            # y runs down: left of (1, 0) is (0, −1).
            assert ahead[0] * to_left[1] - ahead[1] * to_left[0] < 0


def test_an_arm_turns_as_far_as_it_is_told() -> None:
    way = curl((0.1, 0.2), 0.0, 0.6, math.pi / 2)
    assert way[0] == (0.1, 0.2)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(way)]
    assert [math.hypot(*step) for step in steps] == pytest.approx([0.1] * 6)
    assert math.atan2(steps[-1][1], steps[-1][0]) == pytest.approx(math.pi / 2)
