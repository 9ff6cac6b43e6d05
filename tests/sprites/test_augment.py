from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pixelreef.core.ramps import Ramps
from pixelreef.core.reef import reef_ramps
from pixelreef.core.seeds import rng
from pixelreef.sprites.augment import augmentation

NO_LABELS = np.zeros((20, 0), np.intp)
RAMPS = reef_ramps()


def sprites(ramp_of: list[int]) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    """4×4, each in the colours of one ramp."""
    random = rng(0, "sprites")
    return np.stack([1 + 7 * ramp + random.integers(0, 7, (4, 4)) for ramp in ramp_of]).astype(np.uint8)


@given(st.integers(0, 2**32))
def test_an_exchange_keeps_steps_ground_and_what_differs(seed: int) -> None:
    grid = rng(seed, "grid").integers(0, 64, (6, 6)).astype(np.uint8)
    safe = augmentation(np.stack([grid] * 20), NO_LABELS, {}, RAMPS, flip=False, exchange=True)
    found = safe.apply(grid, rng(seed, "apply"))
    assert np.array_equal(RAMPS.step_of[found], RAMPS.step_of[grid])
    assert np.array_equal(found == 0, grid == 0)
    pairs = set(zip(grid.ravel().tolist(), found.ravel().tolist(), strict=True))
    assert len({old for old, _ in pairs}) == len({new for _, new in pairs}) == len(pairs)


def test_half_of_the_sprites_are_mirrored_and_half_exchanged() -> None:
    grid = sprites([0])[0]
    safe = augmentation(np.stack([grid] * 20), NO_LABELS, {}, RAMPS, flip=True, exchange=True)
    found = [safe.apply(grid, rng(0, number)) for number in range(400)]
    steps = RAMPS.step_of[grid]
    mirrored = sum(np.array_equal(RAMPS.step_of[one], steps[:, ::-1]) for one in found)
    recoloured = sum(RAMPS.ramp_of[one[0, 0]] != 0 for one in found)
    assert 160 <= mirrored <= 240
    assert 130 <= recoloured <= 220  # one exchange in nine leaves a ramp in its place


def test_a_label_that_goes_with_colour_forbids_the_exchange() -> None:
    labels = np.array([[number % 2] for number in range(20)], np.intp)
    factors = {"zone": ("light", "dark")}
    bound = augmentation(
        sprites([number % 2 for number in range(20)]), labels, factors, RAMPS, flip=True, exchange=True
    )
    assert bound.lines == ()
    assert bound.notes == ("Ramps are not exchanged: colours go with zone.",)
    assert bound.flip
    free = augmentation(
        sprites([number // 2 % 9 for number in range(20)]), labels, factors, RAMPS, flip=True, exchange=True
    )
    assert len(free.lines) == 1


def test_a_label_that_tells_a_side_forbids_the_mirror_and_moving() -> None:
    labels = np.zeros((20, 1), np.intp)
    facing = {"facing": ("left", "up")}
    found = augmentation(sprites([0] * 20), labels, facing, RAMPS, flip=True, exchange=False, shift=2)
    assert not found.flip
    assert not found.shift
    assert "facing" in found.notes[0]


def moved(grid: np.ndarray[tuple[int, int], np.dtype[np.uint8]], shift: int) -> set[tuple[int, int]]:
    """The first places of anything seen, over many draws; what is seen must stay the same."""
    safe = augmentation(grid[None], NO_LABELS[:1], {}, RAMPS, flip=False, exchange=False, shift=shift, ground=9)
    first = set()
    for number in range(800):
        found = safe.apply(grid, rng(0, number))
        y, x = (found != 9).nonzero()
        first.add((int(y.min()), int(x.min())))
        assert np.array_equal(found[y.min() : y.max() + 1, x.min() : x.max() + 1], [[1, 2], [9, 3]])
    return first


def test_sprites_are_moved_as_far_as_there_is_ground_and_told_to() -> None:
    grid = np.full((8, 9), 9, np.uint8)
    grid[2:4, 3:5] = [[1, 2], [9, 3]]
    assert moved(grid, 2) == {(y, x) for y in range(5) for x in range(1, 6)}
    assert moved(grid, 1) == {(y, x) for y in (1, 2, 3) for x in (2, 3, 4)}
    assert moved(grid, 9) == {(y, x) for y in range(7) for x in range(8)}


def test_what_stands_on_an_edge_moves_along_it_alone() -> None:
    grid = np.full((8, 9), 9, np.uint8)
    grid[6:, 3:5] = [[1, 2], [9, 3]]
    assert moved(grid, 1) == {(6, 2), (6, 3), (6, 4)}


def test_an_empty_sprite_stays() -> None:
    grid = np.full((4, 4), 9, np.uint8)
    safe = augmentation(grid[None], NO_LABELS[:1], {}, RAMPS, flip=False, exchange=False, shift=1, ground=9)
    assert np.array_equal(safe.apply(grid, rng(0, 0)), grid)


def test_ramps_of_different_lengths_stay() -> None:
    ramps = Ramps(((1, 2), (3,)), ("a", "b"), 4)
    grids = np.zeros((3, 2, 2), np.uint8)
    found = augmentation(grids, np.zeros((3, 0), np.intp), {}, ramps, flip=False, exchange=True)
    assert found.notes == ("Ramps are not exchanged: no two are of one length.",)
