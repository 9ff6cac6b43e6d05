"""Which trials make a calibration, and which prove it: the same harness on seeds that the other never saw.

A *round* of calibration is two trials of the first world at the usual size, one of every other world, and one of each
world at each small size, on either side; more rounds, sharper limits.
"""

from __future__ import annotations

from collections.abc import Sequence

from pixelreef.taste.faults import Side
from pixelreef.taste.harness import SAMPLES, Trial

PER_CELL = 200
SIZES = (10, 25, 50, 100)
SIDES: tuple[Side, ...] = ("corpus", "samples")
ROUNDS = 10
_CALIBRATION, _PROOF = 1_000_000, 2_000_000  # where the seeds of each begin; a user's seed moves both
_APART = 10_000  # seeds of one user's seed, and of one kind of trial


def calibration_trials(
    world: str, others: Sequence[str] = (), seed: int = 0, rounds: int = ROUNDS, sides: Sequence[Side] = SIDES
) -> list[Trial]:
    """Those that limits are worked out from; other worlds at every size, lest one generator's habits be law.

    >>> len(calibration_trials("reef", ["tokens"], rounds=3, sides=["samples"]))
    33
    """
    first = _CALIBRATION + seed * 10 * _APART
    return [
        trial
        for number in range(rounds)
        for side in sides
        for trial in (
            *(_usual(side, world, first + 2 * number + place) for place in (0, 1)),
            *(_small(side, one, first + _APART + number, size) for one in (world, *others) for size in SIZES),
            *(_usual(side, other, first + 2 * _APART + number) for other in others),
        )
    ]


def proof_trials(
    world: str, others: Sequence[str], seed: int = 0, rounds: int = ROUNDS, sides: Sequence[Side] = SIDES
) -> list[Trial]:
    """Those that limits are proved on: two clean and two faulty at the usual size in every round; every other round
    the small sizes, and each other world both faulty and clean.
    """
    first = _PROOF + seed * 10 * _APART
    found = []
    for number in range(rounds):
        for side in sides:
            found += [_usual(side, world, first + 2 * number + place, clean=True) for place in (0, 1)]
            found += [_usual(side, world, first + _APART + 2 * number + place) for place in (0, 1)]
            if number % 2 == 0:
                found += [_small(side, world, first + 2 * _APART + number, size) for size in SIZES]
                for other in others:
                    found.append(_usual(side, other, first + 3 * _APART + number))
                    found.append(_usual(side, other, first + 3 * _APART + number, clean=True))
    return found


def _usual(side: Side, world: str, seed: int, clean: bool = False) -> Trial:
    return Trial(side, world, seed, PER_CELL, SAMPLES if side == "samples" else 0, clean)


def _small(side: Side, world: str, seed: int, size: int) -> Trial:
    return Trial(side, world, seed, size, size if side == "samples" else 0)
