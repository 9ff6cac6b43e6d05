"""Geometry: the shift, scale or flip under which a mask scores best.

Shifts go up to a sixteenth of the picture each way, scales from 0.8 to 1.25 about the middle (with a shift of their
own, for a mask that was drawn smaller *and* elsewhere), flips left for right, top for bottom or both. All are searched
on a grid of 128 pixels, and the best few are followed up at full size. What comes in at a side is the mask's own edge
continued, so nothing is gained by pushing errors out of the picture.

A move says how the mask lies against the truth: `right=3, down=−1` lies 3 pixels too far right and 1 too high.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.diagnosis.points import Match
from pixelreef.metrics.overlap import Labels

REACH = 1 / 16  # of the longer side
COARSE, MIDDLE = 128, 256
SCALES = (0.8, 0.84, 0.88, 0.92, 0.96, 1.04, 1.08, 1.12, 1.16, 1.2, 1.25)
FLIPS = ((1,), (0,), (0, 1))
_KEPT = 3  # candidates followed up
_CLIMB = 6  # steps at most
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
    return _followed(match, _searched(match, [Move()]))


def best_scale(match: Match) -> tuple[Move, float]:
    """The best scale, with the best small shift; and its points."""
    small = match.reduced(COARSE)
    step = _step(match, small)
    found = sorted(((small.score(_at(small, Move(scale=scale), step)), scale) for scale in SCALES), reverse=True)
    if found[0][0] < small.score(small.predicted) + _SEEN:
        move = Move(scale=found[0][1])
        return move, match.score(undone(match.predicted, move))
    starts = [Move(scale=scale) for _, scale in found[:_KEPT]]
    return _followed(match, _searched(match, starts, reach=2))


def best_flip(match: Match) -> tuple[Move, float]:
    """The best flip, and its points."""
    scored = [(match.score(undone(match.predicted, Move(flip=flip))), Move(flip=flip)) for flip in FLIPS]
    best, move = max(scored, key=lambda pair: pair[0])
    return move, best


def _searched(match: Match, starts: list[Move], reach: int | None = None) -> list[Move]:
    """The best few on the coarse grid, of every shift within reach (in coarse pixels) of the starts."""
    small = match.reduced(COARSE)
    step = _step(match, small)
    far = max(1, round(REACH * max(small.truth.shape))) if reach is None else reach
    scored = []
    for start, down, right in product(starts, range(-far, far + 1), range(-far, far + 1)):
        move = replace(start, right=right * step, down=down * step)
        scored.append((small.score(_at(small, move, step)), move))
    scored.sort(key=lambda pair: -pair[0])
    return [move for _, move in scored[:_KEPT]]


def _followed(match: Match, moves: list[Move]) -> tuple[Move, float]:
    """The best of the moves after small changes, on finer and finer grids."""
    middle = match.reduced(MIDDLE)
    tried = [_climbed(middle, move, _step(match, middle), 0.02) for move in moves]
    return _climbed(match, max(tried, key=lambda pair: pair[1])[0], 1, 0.01)


def _climbed(level: Match, move: Move, step: int, finer: float) -> tuple[Move, float]:
    """Uphill in steps of one pixel of the level, and of `finer` in scale, until nothing is better."""
    best = level.score(_at(level, move, step))
    for _ in range(_CLIMB):
        near = [replace(move, right=move.right + dx * step, down=move.down + dy * step) for dx, dy in _AROUND]
        if move.scale != 1:
            near += [replace(move, scale=round(move.scale + sign * finer, 4)) for sign in (-1, 1)]
        inside = [one for one in near if SCALES[0] <= one.scale <= SCALES[-1] and (one.scale != 1 or move.scale == 1)]
        scored = [(level.score(_at(level, one, step)), one) for one in inside]
        top, one = max(scored, key=lambda pair: pair[0])
        if top <= best + 1e-9:
            break
        best, move = top, one
    return move, best


_AROUND = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if dx or dy]


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
