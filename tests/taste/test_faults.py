"""Every fault does what it says, at every strength, and leaves the rest alone."""

from __future__ import annotations

import numpy as np
import pytest

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.metrics.likeness import NEAR_COPY, keepers, nearest, signatures
from pixelreef.taste.faults import Fault, Material, faults
from pixelreef.taste.faults.photographs import photograph
from pixelreef.taste.worlds import tokens

SPRITES = tokens().make(3, 30)
GEMS, FLASKS = (SPRITES.cells[SPRITES.of(cell)] for cell in ("gem/red", "flask/blue"))
MATERIAL = Material(
    GEMS[:20], FLASKS[:20], GEMS[20:], SPRITES.palette, draw=lambda count, seed: FLASKS[:count] + np.uint8(0)
)
ALL = [
    pytest.param(fault, strength, id=f"{fault.name}-{strength}")
    for fault in faults().values()
    for strength in fault.strengths
]


@pytest.mark.parametrize(("fault", "strength"), ALL)
def test_a_fault_keeps_number_size_and_palette_and_follows_its_seed(fault: Fault, strength: float) -> None:
    before = MATERIAL.cells.copy()
    made = fault.spoilt(MATERIAL, strength, rng(1, "fault"))
    assert made.shape == before.shape
    assert made.dtype == np.uint8
    assert made.max() < len(MATERIAL.palette)
    assert (MATERIAL.cells == before).all()
    assert (made != before).any()
    assert (made == fault.spoilt(MATERIAL, strength, rng(1, "fault"))).all()
    assert (made != fault.spoilt(MATERIAL, strength, rng(2, "fault"))).any() == (fault.name != "mixed")


@pytest.mark.parametrize("fault", faults().values(), ids=lambda fault: fault.name)
def test_a_fault_says_what_it_applies_to(fault: Fault) -> None:
    assert set(fault.applies) <= {"corpus", "samples"}
    assert fault.applies
    assert list(fault.strengths) == sorted(fault.strengths)
    assert fault.full == fault.strengths[-1] <= 1
    with pytest.raises(InputError, match="above 0"):
        fault.spoilt(MATERIAL, 0, rng(1, "fault"))


@pytest.mark.parametrize("name", ["mixed", "originals", "photographs", "one_mode", "half_empty", "copies", "learner"])
def test_a_share_of_the_sprites_is_replaced(name: str) -> None:
    fault = faults()[name]
    made = fault.spoilt(MATERIAL, fault.strengths[0], rng(1, "fault"))
    same = (made == MATERIAL.cells).all(axis=(1, 2)).sum()
    assert len(made) - round(fault.strengths[0] * len(made)) <= same


def spoilt(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return faults()[name].spoilt(MATERIAL, faults()[name].full, rng(5, "fault"))


def distances(
    name: str, to: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return nearest(signatures(spoilt(name), 0), signatures(to, 0))[1]


def test_shuffling_keeps_the_colours() -> None:
    for before, after in zip(MATERIAL.cells, spoilt("shuffled"), strict=True):
        assert (np.bincount(before.ravel(), minlength=16) == np.bincount(after.ravel(), minlength=16)).all()


def test_mixing_exchanges_half_of_two_cells_and_copies_none() -> None:
    assert (distances("mixed", FLASKS) == 0).sum() == 10
    turned = Material(FLASKS[:20], GEMS[:20], FLASKS[20:], SPRITES.palette)
    both = np.concatenate([spoilt("mixed"), faults()["mixed"].spoilt(turned, 0.5, rng(5, "fault"))])
    before = np.concatenate([GEMS[:20], FLASKS[:20]])
    assert sorted(one.tobytes() for one in both) == sorted(one.tobytes() for one in before)


def test_eight_originals_are_left() -> None:
    assert len(np.unique(keepers(signatures(spoilt("originals"), 0)))) <= 8


def test_training_copies_are_near_copies_though_mirrored_and_recoloured() -> None:
    made = spoilt("copies")
    assert (distances("copies", MATERIAL.training) <= NEAR_COPY).all()
    assert not all((one == MATERIAL.training).all(axis=(1, 2)).any() for one in made)


def test_half_of_the_sprites_are_all_but_empty() -> None:
    assert ((spoilt("half_empty") != 0).sum(axis=(1, 2)) <= 3).sum() == 10


def test_variations_of_one_mode_are_mostly_no_copies() -> None:
    made = spoilt("one_mode")
    assert len(np.unique(made, axis=0)) > 15
    areas = (made != 0).sum(axis=(1, 2))
    assert areas.max() - areas.min() < 0.1 * areas.mean() + 12


def test_static_strikes_its_share_of_pixels() -> None:
    made = faults()["static"].spoilt(MATERIAL, 0.5, rng(5, "fault"))
    assert (made != MATERIAL.cells).mean() == pytest.approx(0.5 * 15 / 16, abs=0.03)


def test_photographs_are_rougher_than_sprites_and_come_cut_out_or_whole() -> None:
    pictures = [photograph(24, 24, rng(seed, "photo")) for seed in range(40)]
    whole = [bool((picture[..., 3] == 255).all()) for picture in pictures]
    assert 8 < sum(whole) < 32
    assert len(np.unique(pictures[whole.index(True)][..., :3].reshape(-1, 3), axis=0)) > 300


def test_real_photographs_are_taken_where_there_are_some() -> None:
    real = np.full((3, 24, 24), 9, np.uint8)
    given = Material(GEMS[:20], FLASKS, GEMS[20:], SPRITES.palette, photographs=real)
    assert (faults()["photographs"].spoilt(given, 1.0, rng(1, "fault")) == 9).all()


def test_the_ground_is_the_commonest_colour_where_nothing_is_transparent() -> None:
    palette = Palette(SPRITES.palette.rgb)
    opaque = Material(GEMS[:20] % 3, FLASKS, GEMS, palette)
    assert opaque.ground == int(np.bincount((GEMS[:20] % 3).ravel()).argmax())


def test_the_learner_must_be_fitted() -> None:
    with pytest.raises(InputError, match="be fitted"):
        faults()["learner"].spoilt(Material(GEMS, FLASKS, GEMS, SPRITES.palette), 1.0, rng(1, "fault"))
