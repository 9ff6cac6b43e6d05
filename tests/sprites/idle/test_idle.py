"""Idle animations: what is loose moves, the rest stays, nothing falls apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray
from scipy.ndimage import label
from sprite_models import perturbed, small_config, weights

from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef.make import make_reef
from pixelreef.errors import InputError
from pixelreef.sprites.idle.frames import animated, breathing
from pixelreef.sprites.idle.sway import FRAMES, distance, shifts
from pixelreef.sprites.parts.labeller import Labels
from pixelreef.sprites.sample import Sampler

BODY, TAIL, BASE, BRANCH = (PART_INDEX[name] for name in ("body", "tail", "base", "branch"))


def labelled(size: int = 16) -> NDArray[np.uint8]:
    """A body with a tail to its right."""
    labels = np.zeros((size, size), np.uint8)
    labels[5:11, 2:8] = BODY
    labels[7:9, 8:14] = TAIL
    return labels


def pieces(filled: NDArray[np.bool_]) -> int:
    return int(label(filled, np.ones((3, 3)))[1])


def test_steps_go_round_corners_and_not_through_walls() -> None:
    inside = np.array([[1, 1, 1], [0, 0, 1], [1, 1, 1]], np.bool_)
    start = np.zeros((3, 3), np.bool_)
    start[0, 0] = True
    assert distance(start, inside).tolist() == [[0, 1, 2], [-1, -1, 2], [4, 3, 3]]
    assert distance(start, np.eye(3, dtype=np.bool_)).tolist()[2] == [-1, -1, 2]


def test_a_tail_swings_up_and_down_and_its_root_stays() -> None:
    labels = labelled()
    found = shifts(labels, labels > 0)
    assert found is not None
    assert found.shape == (FRAMES, 16, 16, 2)
    assert not found[0].any()
    tip, root = found[:, 7, 13], found[:, 7, 8]
    rise = found[:, 6, 4]
    assert (tip - rise).tolist() == [[0, 0], [1, 0], [0, 0], [-1, 0]]
    assert (root == rise).all()
    assert rise[:, 0].tolist() == [0, 0, -1, -1]


def test_what_stands_on_a_base_does_not_rise_and_its_branches_swing_sideways() -> None:
    labels = np.zeros((16, 16), np.uint8)
    labels[13:15, 4:12] = BASE
    labels[3:13, 7:9] = BRANCH
    found = shifts(labels, labels > 0)
    assert found is not None
    assert not found[:, 13:].any()
    assert not found[..., 0].any()
    assert found[1, 3, 7, 1] >= 1
    assert found[3, 3, 7, 1] == -found[1, 3, 7, 1]


def test_nothing_loose_is_no_swing() -> None:
    labels = np.zeros((8, 8), np.uint8)
    labels[2:6, 2:6] = BODY
    assert shifts(labels, labels > 0) is None


def test_an_unsure_sprite_breathes_as_a_whole_and_says_why() -> None:
    cells = labelled()
    unsure = animated(cells, 0, Labels(cells, 0.3), None, {})
    assert (unsure.way, unsure.why) == ("whole", "its parts are unsure")
    assert animated(cells, 0, None, None, {}).way == "whole"
    still = np.where(cells == BODY, cells, 0).astype(np.uint8)
    assert animated(still, 0, Labels(still, 1.0), None, {}).why == "none of its parts is loose"
    with pytest.raises(InputError, match="sprite must have a pixel that is not transparent"):
        animated(np.zeros((4, 4), np.uint8), 0, None, None, {})


@given(some.integers(0, 2**32 - 1), some.sampled_from([(6, 9), (16, 16), (5, 4)]))
def test_breathing_keeps_the_lowest_row_and_moves_the_highest(seed: int, size: tuple[int, int]) -> None:
    random = np.random.default_rng(seed)
    cells = np.zeros(size, np.uint8)
    cells[1:-1] = random.integers(0, 3, (size[0] - 2, size[1]))
    cells[1, 0] = cells[-2, 0] = 1
    frames = breathing(cells, 0)
    assert len(frames) == FRAMES
    assert (frames[0] == cells).all()
    assert all((frame[-2] == cells[-2]).all() for frame in frames)
    assert (frames[1][2] == cells[1]).all()
    assert (frames[3][0] == cells[1]).all()
    assert all(set(np.unique(frame)) <= set(np.unique(cells)) for frame in frames)


def test_the_model_redraws_gaps_and_nothing_else() -> None:
    sampler = Sampler(weights(perturbed(small_config())), threads=1)
    labels = labelled()
    cells = np.where(labels == BODY, 3, np.where(labels == TAIL, 5, 0)).astype(np.uint8)
    cells[8, 8:14] = 6
    moved = animated(cells, 0, Labels(labels, 1.0), None, {})
    drawn = animated(cells, 0, Labels(labels, 1.0), sampler, {"category": "fish"})
    assert (drawn.way, drawn.why) == ("parts", "")
    assert (drawn.frames[0] == cells).all()
    differing = sum(int((one != other).sum()) for one, other in zip(drawn.frames, moved.frames, strict=True))
    assert differing <= drawn.redrawn
    assert len({frame.tobytes() for frame in drawn.frames}) == FRAMES


def test_real_creatures_of_every_cell_move_and_do_not_fall_apart() -> None:
    worse = moved = 0
    entries = list(make_reef(0, 2))
    for entry in entries:
        assert entry.parts is not None
        idle = animated(entry.cells, 0, Labels(entry.parts, 1.0), None, {})
        moved += idle.way == "parts"
        before = pieces(entry.cells != 0)
        worse += max(pieces(frame != 0) for frame in idle.frames) > before + 1
    assert moved > 0.8 * len(entries)
    assert worse < 0.1 * len(entries)
