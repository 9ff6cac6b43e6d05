"""Which sprites of the roll a mix keeps: one of all copies, then as many as the caps allow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from pixelreef.core.seeds import derive
from pixelreef.corpus.mix.amounts import Resolved
from pixelreef.corpus.mix.roll import Line, Roll
from pixelreef.metrics.near_copies import keepers


def without_copies(lines: Sequence[Line], weights: Sequence[float]) -> list[int]:
    """Of the sprites with one hash the one with a licence, then with more labels, then with more weight, the first."""
    best: dict[str, int] = {}
    for number, line in enumerate(lines):
        other = best.setdefault(line.hash, number)
        if _worth(line, weights[number]) > _worth(lines[other], weights[other]):
            best[line.hash] = number
    return sorted(best.values())


def stand_ins(
    roll: Roll, single: Sequence[int], weights: Sequence[float], tell: Callable[[int, int], None]
) -> dict[int, int]:
    """For each sprite the one of its cell that stays in its stead: itself, or a near-copy of more worth.

    Near-copies are merged inside a cell only: a creature of the same outline in another cell is another example. Of
    equal worth, the smaller hash stays, so that the order of files decides nothing.
    """
    lines = roll.lines
    place = {hash: number for number, hash in enumerate(roll.first)}
    cells: dict[str, list[int]] = {}
    for number in sorted(single, key=lambda one: lines[one].hash):
        cells.setdefault(lines[number].cell, []).append(number)
    found: dict[int, int] = {}
    for numbers in cells.values():
        numbers.sort(key=lambda one: _worth(lines[one], weights[one]), reverse=True)  # equals stay as they are
        keeper = keepers(roll.facts[np.array([place[lines[one].hash] for one in numbers])])
        found |= {number: numbers[stays] for number, stays in zip(numbers, keeper.tolist(), strict=True)}
        tell(len(found), len(single))
    return found


def _worth(line: Line, weight: float) -> tuple[bool, int, float]:
    return line.has_licence, line.labels, weight


def relabelled_copies(lines: Sequence[Line], kept: Sequence[int]) -> int:
    """Sprites left out that have the pixels of one that is kept, and another cell: a label may be wrong."""
    cell_of = {lines[number].hash: lines[number].cell for number in kept}
    return sum(line.labels > 0 and line.cell != cell_of[line.hash] for line in lines)


def within_caps(
    lines: Sequence[Line],
    kept: Sequence[int],
    weights: Sequence[float],
    caps: Resolved,
    cap_cell: int | None,
    seed: int,
) -> list[int]:
    """As many as the caps of each sprite's source and cell leave room for.

    Chance decides, by the seed and the sprite's hash, and a sprite of twice the weight is twice as likely to come
    first: each draws −ln(u) / weight, and the smaller number goes before.
    """
    room: dict[tuple[str, str], float] = {("source", name): number for name, number in caps.sources.items()}
    if cap_cell is not None:
        room |= {("cell", lines[number].cell): cap_cell for number in kept}
    room |= {("cell", name): number for name, number in caps.cells.items()}
    if not room:
        return list(kept)

    def turn(number: int) -> tuple[float, str]:
        chance = (derive(seed, "cap", lines[number].hash) + 1) / 2**64  # in (0, 1]
        return (-math.log(chance) / weights[number] if weights[number] else math.inf), lines[number].hash

    stay = []
    for number in sorted(kept, key=turn):
        asked = [one for one in (("source", lines[number].source), ("cell", lines[number].cell)) if one in room]
        if all(room[one] >= 1 for one in asked):
            stay.append(number)
            for one in asked:
                room[one] -= 1
    return sorted(stay)
