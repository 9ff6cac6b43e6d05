"""Naming: the right regions under the wrong names.

The best permutation is found by the Hungarian method on the IoU of every truth class with every predicted label, which
is exactly the one that maximises the mean IoU. Of its cycles only those are kept that bring points by themselves. Left
and right are asked after first: a swap of partners that does as well as any permutation is the plainer explanation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.masks.classes import Classes
from pixelreef.masks.diagnosis.points import Table, overlaps, points

LEAST = 1.0  # points that a cycle must bring
_STAY = 1e-6  # of IoU in favour of the own name


@dataclass(frozen=True)
class Renaming:
    """Predicted label → the class it stands for, where that is another; and the points under it."""

    names: Mapping[int, int]
    points: float

    def words(self, classes: Classes) -> str:
        """For people: 'labels swapped: left_eye ↔ right_eye', 'labels permuted: a → b → c → a', a painted as b."""
        rings = _cycles({name: painted for painted, name in self.names.items()})
        told = [classes.names[ring[0]] + " ↔ " + classes.names[ring[1]] for ring in rings if len(ring) == 2]
        told += [" → ".join(classes.names[one] for one in [*ring, ring[0]]) for ring in rings if len(ring) > 2]
        return f"labels {'swapped' if all(len(ring) == 2 for ring in rings) else 'permuted'}: {', '.join(told)}"


def best_permutation(table: Table) -> Renaming:
    """The permutation of the classes under which the mask scores best."""
    order = assigned(overlaps(table)[:, : len(table)])
    names = {int(column): int(row) for row, column in enumerate(order) if row != column}
    return _kept(table, _cycles(names))


def best_sides(table: Table, classes: Classes) -> Renaming:
    """The pairs of left and right that score better when swapped."""
    pairs = [[a, b] for a, b in enumerate(classes.partners) if b is not None and a < b]
    return _kept(table, pairs)


def assigned(gains: Floats) -> list[int]:
    """For each row of a square table its column, no column twice, with the largest sum; of equals the own place."""
    from scipy.optimize import linear_sum_assignment

    _, columns = linear_sum_assignment(gains + _STAY * np.eye(len(gains)), maximize=True)
    return [int(column) for column in columns]


def renamed_table(table: Table, names: Mapping[int, int]) -> Table:
    """The table with the predicted labels under their new names."""
    order = np.arange(table.shape[1])
    for old, new in names.items():
        order[new] = old
    return np.asarray(table[:, order])


def _kept(table: Table, rings: Sequence[Sequence[int]]) -> Renaming:
    """The cycles that bring points, each by itself."""
    before, names = points(table), {}
    for ring in rings:
        turn = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
        if points(renamed_table(table, turn)) >= before + LEAST:
            names.update(turn)
    return Renaming(names, points(renamed_table(table, names)))


def _cycles(names: dict[int, int]) -> list[list[int]]:
    """A permutation as rings: each label is followed by its new name."""
    rings, left = [], dict(names)
    while left:
        start = min(left)
        ring, one = [], start
        while one in left:
            ring.append(one)
            one = left.pop(one)
        rings.append(ring)
    return rings
