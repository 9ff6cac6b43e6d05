"""Jellies: a bell above, what hangs below, and never an eye."""

import math

import numpy as np
import pytest

from pixelreef.corpus.cells import ZONES
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef.jelly import hem, roots
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.species import living_in

NAMES = [kind.name for kind in living_in("jellyfish", "abyss")]
BELL, HANGING = ("body", "fin"), ("tentacle", "limb", "polyp")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("zone", ZONES)
def test_the_bell_is_above_what_hangs(name: str, zone: str) -> None:
    for number in range(6):
        parts = make_sprite("jellyfish", zone, 31, number, species_name=name).parts
        assert parts is not None
        rows = [np.nonzero(np.isin(parts, [PART_INDEX[part] for part in kinds]))[0] for kinds in (BELL, HANGING)]
        assert rows[0].mean() + 3 < rows[1].mean()
        assert not np.isin(parts, [PART_INDEX[part] for part in ("eye", "left eye", "right eye")]).any()


def test_a_hem_rises_to_the_sides_and_between_lobes() -> None:
    v = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    assert hem(v, 0.2, 0, 0.0) == pytest.approx([0.2, 0.0, 0.05, 0.2, 0.2])
    # Two lobes over half a turn: notches a quarter turn from the middle of each, at sin 45°.
    notch = hem(np.array([0.0, math.sqrt(0.5), 1.0]), 0.0, 2, 0.1)
    assert notch == pytest.approx([0.0, 0.1, 0.0], abs=1e-9)


def test_roots_are_even_and_alike_on_both_sides() -> None:
    assert roots(0.5, 3, 0.8) == pytest.approx([-0.4, 0.0, 0.4])
    assert roots(0.5, 1) == [0.0]
