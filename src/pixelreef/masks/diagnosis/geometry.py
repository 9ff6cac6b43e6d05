"""Geometry: the shift, scale or flip under which a mask scores best.

Shifts go up to a sixteenth of the picture each way, scales from 0.8 to 1.25 about the middle (with a shift of their
own, for a mask that was drawn smaller *and* elsewhere), flips left for right, top for bottom or both. All are searched
on a grid of 128 pixels, and the best few are followed up at full size. What comes in at a side is the mask's own edge
continued, so nothing is gained by pushing errors out of the picture.

A move says how the mask lies against the truth: `right=3, down=−1` lies 3 pixels too far right and 1 too high.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.diagnosis.points import Match
from pixelreef.masks.diagnosis.shifts import Shifts
from pixelreef.metrics.overlap import Labels

REACH = 1 / 16  # of the longer side
COARSE, MIDDLE = 128, 256
SCALES = (0.8, 0.84, 0.88, 0.92, 0.96, 1.04, 1.08, 1.12, 1.16, 1.2, 1.25)
FLIPS = ((1,), (0,), (0, 1))
_KEPT = 3  # candidates followed up
_CLIMB = 6  # steps at most
_NEAR = 2  # pixels about a move that are looked at together
_SCALE_REACH = 2  # coarse pixels of shift that are tried with every scale
_SEEN = 0.5  # points that a scale must bring on the coarse grid to be followed up
_FLIP_WORDS = {(1,): "flipped left to right", (0,): "flipped top to bottom", (0, 1): "turned by 180°"}


@dataclass(frozen=True)
class Move:
    """How a mask lies: first scaled, then flipped, then shifted, in pixels of the truth."""

    right: int = 0
    down: int = 0
    scale: float = 1.0
    flip: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """For people.

        >>> Move(3, -1).words, Move(scale=0.9).words
        ('shifted by (3, −1)', 'scaled by 0.90')
        """
        said = []
        if self.flip:
            said.append(_FLIP_WORDS[self.flip])
        if self.scale != 1:
            said.append(f"scaled by {self.scale:.2f}")
        if self.right or self.down:
            said.append(f"shifted by ({self.right}, {self.down})".replace("-", "−"))
        return " and ".join(said) or "in place"


def undone(labels: Labels, move: Move) -> Labels:
    """The mask with the move taken back, of the same size.

    >>> undone(np.array([[1, 1, 2, 3]]), Move(right=1)).tolist()
    [[1, 2, 3, 3]]
    """
    rows, columns = (
        _places(size, shift, move.scale, axis in move.flip)
        for axis, (size, shift) in enumerate(zip(labels.shape, (move.down, move.right), strict=True))
    )
    return labels.take(rows, axis=0).take(columns, axis=1)


def best_shift(match: Match) -> tuple[Move, float]:
    """The shift under which the mask scores best, and its points."""
    small = match.reduced(COARSE)
    step, far = _step(match, small), max(1, round(REACH * max(small.truth.shape)))
    near = Shifts(small, far)
    scored = sorted(
        ((near.score(right, down), Move(right * step, down * step)) for down, right in _square(far)),
        key=lambda pair: -pair[0],
    )
    return _followed(match, [move for _, move in scored[:_KEPT]])


def best_scale(match: Match) -> tuple[Move, float]:
    """The best scale, with the best small shift; and its points."""
    small = match.reduced(COARSE)
    step = _step(match, small)
    found = sorted(((small.score(_at(small, Move(scale=scale), step)), scale) for scale in SCALES), reverse=True)
    if found[0][0] < small.score(small.predicted) + _SEEN:
        move = Move(scale=found[0][1])
        return move, match.score(undone(match.predicted, move))
    moves = [
        Move(right * step, down * step, scale) for _, scale in found[:_KEPT] for down, right in _square(_SCALE_REACH)
    ]
    scored = sorted(((small.score(_at(small, move, step)), move) for move in moves), key=lambda pair: -pair[0])
    return _followed(match, [move for _, move in scored[:_KEPT]])


def best_flip(match: Match) -> tuple[Move, float]:
    """The best flip, and its points; which one is told on the middle grid."""
    middle = match.reduced(MIDDLE)
    move = max((Move(flip=flip) for flip in FLIPS), key=lambda one: middle.score(undone(middle.predicted, one)))
    return move, match.score(undone(match.predicted, move))


def _followed(match: Match, moves: list[Move]) -> tuple[Move, float]:
    """The best of the moves after small changes, on finer and finer grids."""
    middle = match.reduced(MIDDLE)
    tried = [_climbed(middle, move, _step(match, middle), 0.02) for move in moves]
    return _climbed(match, max(tried, key=lambda pair: pair[1])[0], 1, 0.01)


def _climbed(level: Match, move: Move, step: int, finer: float) -> tuple[Move, float]:
    """Uphill in steps of one pixel of the level, and of `finer` in scale, until nothing is better."""
    score = _scorer(level, move, step)
    best = score(move)
    for _ in range(_CLIMB):
        near = [replace(move, right=move.right + dx * step, down=move.down + dy * step) for dx, dy in _AROUND]
        if move.scale != 1:
            near += [replace(move, scale=round(move.scale + sign * finer, 4)) for sign in (-1, 1)]
        inside = [one for one in near if SCALES[0] <= one.scale <= SCALES[-1] and (one.scale != 1 or move.scale == 1)]
        top, one = max(((score(one), one) for one in inside), key=lambda pair: pair[0])
        if top <= best + 1e-9:
            break
        best, move = top, one
    return move, best


def _scorer(level: Match, start: Move, step: int) -> Callable[[Move], float]:
    """Move → the level's points with it undone, for moves near the start, none counted twice."""
    if start.scale != 1:
        return cache(lambda move: level.score(_at(level, move, step)))
    places = round(start.right / step), round(start.down / step)
    near = Shifts(level, _NEAR, *places)

    def score(move: Move) -> float:
        nonlocal near
        right, down = round(move.right / step), round(move.down / step)
        if (right, down) not in near:
            near = Shifts(level, _NEAR, right, down)
        return near.score(right, down)

    return score


def _square(reach: int) -> Iterator[tuple[int, int]]:
    return product(range(-reach, reach + 1), range(-reach, reach + 1))


_AROUND = [(dx, dy) for dx, dy in _square(1) if dx or dy]


def _at(level: Match, move: Move, step: int) -> Labels:
    """The level's prediction with a move undone that is given in pixels of the truth."""
    return undone(level.predicted, replace(move, right=round(move.right / step), down=round(move.down / step)))


def _step(match: Match, level: Match) -> int:
    return int(-(-max(match.truth.shape) // max(level.truth.shape)))


def _places(size: int, shift: int, scale: float, flip: bool) -> NDArray[np.intp]:
    """For every place of the repaired mask the place in the mask that shows it."""
    places = np.arange(size)
    if scale != 1:
        places = np.floor((places + 0.5 - size / 2) * scale + size / 2).astype(np.intp)
    if flip:
        places = size - 1 - places
    return np.clip(places + shift, 0, size - 1)
