"""Where pixels of idle frames come from: found again from the frames alone, and never believed where it is not so."""

from __future__ import annotations

import numpy as np
import pytest
from sprite_models import perturbed, small_config, weights

from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef.make import make_reef
from pixelreef.sprites.idle.frames import Cells, animated, breathing
from pixelreef.sprites.idle.motion import ANEW, carried, sources
from pixelreef.sprites.parts.labeller import Labels
from pixelreef.sprites.sample import Sampler

BODY, TAIL = PART_INDEX["body"], PART_INDEX["tail"]


def fish() -> tuple[Cells, Cells]:
    """A body with a tail to its right, no two pixels of the body alike; and its parts."""
    labels = np.zeros((16, 16), np.uint8)
    labels[5:11, 2:8] = BODY
    labels[7:9, 8:14] = TAIL
    cells = np.zeros((16, 16), np.uint8)
    cells[labels > 0] = 1 + np.arange(int((labels > 0).sum()))
    return cells, labels


def test_a_tail_that_swings_is_followed_and_the_body_with_it() -> None:
    cells, labels = fish()
    frames = animated(cells, 0, Labels(labels, 1.0), None, {}).frames
    came = sources(frames, 0, labels)
    assert came is not None
    for frame, one in zip(frames, came, strict=True):
        assert ((one == ANEW) == (frame == 0)).all()
        assert (cells.ravel()[one[one != ANEW]] == frame[one != ANEW]).all()
    assert came[1][8, 13] == 7 * 16 + 13  # the tip is a pixel lower
    assert came[2][4, 2] == 5 * 16 + 2  # and all of it a pixel higher
    assert (carried(labels, came[1], np.zeros_like(labels))[[7, 8, 9], 13] == [0, TAIL, TAIL]).all()


def test_breathing_is_known_without_parts() -> None:
    cells, labels = fish()
    came = sources(breathing(cells, 0), 0)
    assert came is not None
    assert came[1][6, 2] == 5 * 16 + 2
    assert came[3][4, 2] == 5 * 16 + 2
    assert sources(animated(cells, 0, Labels(labels, 1.0), None, {}).frames, 0) is None  # that is by parts


def test_what_a_model_drew_in_gaps_comes_from_nowhere() -> None:
    cells, labels = fish()
    cells = np.where(cells > 0, 1 + cells % 8, 0).astype(np.uint8)
    drawn = animated(cells, 0, Labels(labels, 1.0), Sampler(weights(perturbed(small_config())), threads=1), {})
    came = sources(drawn.frames, 0, labels)
    assert came is not None
    assert sum(int(((frame != 0) & (one == ANEW)).sum()) for frame, one in zip(drawn.frames, came, strict=True)) > 0


@pytest.mark.parametrize("frame", [1, 2, 3])
def test_frames_with_one_pixel_that_is_otherwise_are_no_idle_animation(frame: int) -> None:
    cells, labels = fish()
    for frames in (breathing(cells, 0), animated(cells, 0, Labels(labels, 1.0), None, {}).frames):
        changed = [one.copy() for one in frames]
        changed[frame][0, 15] = 1
        assert sources(changed, 0, labels) is None
        changed[frame][0, 15] = 0
        assert sources(changed, 0, labels) is not None
        changed[frame][changed[frame] == 20] = 21
        assert sources(changed, 0, labels) is None
    assert sources(frames[:3], 0, labels) is None
    assert sources([np.zeros_like(cells)] * 4, 0, labels) is None


def test_what_is_carried_keeps_its_own_where_it_comes_from_nowhere() -> None:
    came = np.array([[1, ANEW]])
    made = carried(np.array([[[1, 2], [3, 4]]]), came, np.array([[[5, 6], [7, 8]]]))
    assert made.tolist() == [[[3, 4], [7, 8]]]


def test_creatures_of_every_cell_are_followed() -> None:
    for entry in make_reef(0, 1):
        assert entry.parts is not None
        idle = animated(entry.cells, 0, Labels(entry.parts, 1.0), None, {})
        assert sources(idle.frames, 0, entry.parts) is not None
