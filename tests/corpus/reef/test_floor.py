"""Creatures of the floor: corals stand on a base; grazers seen from the front or above keep their own left."""

import numpy as np
import pytest

from pixelreef.corpus.cells import ZONES
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.species import living_in


def middle(entry: Entry, part: str) -> tuple[float, float]:
    assert entry.parts is not None
    ys, xs = np.nonzero(entry.parts == PART_INDEX[part])
    return float(xs.mean()), float(ys.mean())


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("name", [kind.name for kind in living_in("coral", "shallows")])
def test_a_coral_stands_on_its_base(name: str, zone: str) -> None:
    for number in range(6):
        parts = make_sprite("coral", zone, 4, number, species_name=name).parts
        assert parts is not None
        last = parts[np.flatnonzero(parts.any(axis=1))[-1]]
        assert set(last[last != 0].tolist()) == {PART_INDEX["base"]}
        assert (last != 0).sum() >= 4, "flat on the ground"
        assert (parts == PART_INDEX["base"]).sum() < 0.5 * (parts != 0).sum(), "something grows on it"


@pytest.mark.parametrize("zone", ZONES)
def test_a_crab_faces_us_with_its_left_on_our_right(zone: str) -> None:
    entries = [make_sprite("grazer", zone, 5, number, species_name="crab") for number in range(8)]
    assert {entry.parameters["facing"] for entry in entries} == {"left", "right"}
    for entry in entries:
        for part in ("eye", "limb"):
            assert middle(entry, f"left {part}")[0] > middle(entry, f"right {part}")[0]


@pytest.mark.parametrize("zone", ZONES)
def test_a_turtle_seen_from_above_has_its_left_left_of_its_head(zone: str) -> None:
    for number in range(8):
        entry = make_sprite("grazer", zone, 6, number, species_name="turtle")
        (head_x, head_y), (shell_x, shell_y) = middle(entry, "head"), middle(entry, "shell")
        (left_x, left_y), (right_x, right_y) = middle(entry, "left limb"), middle(entry, "right limb")
        across = (head_x - shell_x) * (right_y - left_y) - (head_y - shell_y) * (right_x - left_x)
        assert across > 0, "from the head's way to the right is a quarter turn clockwise"
