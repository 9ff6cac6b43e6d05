"""The shortest way through a mask, from cell to cell along edges.

A mask is held as one whole number, a bit a cell, with an empty column between rows so that nothing wraps round. A step
in all four directions is then four shifts, and the flood of a 24×24 maze takes some tens of microseconds.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pixelreef.draw.vision.sight import Mask

Cell = tuple[int, int]


def shortest(floor: Mask, start: Mask, goal: Mask) -> list[Cell]:
    """The cells of a shortest way on the floor from any start to any goal, both ends included; [] without one.

    >>> floor = np.array([[1, 0, 1], [1, 1, 1]], bool)
    >>> start, goal = np.zeros((2, 2, 3), bool)
    >>> start[0, 0] = goal[0, 2] = True
    >>> shortest(floor, start, goal)
    [(0, 0), (1, 0), (1, 1), (1, 2), (0, 2)]
    """
    stride = floor.shape[1] + 1
    free, aim = _bits(floor), _bits(goal & floor)
    reached = front = _bits(start & floor)
    fronts = [front]
    while front and not front & aim:
        front = _neighbours(front, stride) & free & ~reached
        reached |= front
        fronts.append(front)
    if not front:
        return []
    here = front & aim
    here &= -here
    way = [here]
    for earlier in reversed(fronts[:-1]):
        here = _neighbours(here, stride) & earlier
        here &= -here
        way.append(here)
    return [divmod(bit.bit_length() - 1, stride) for bit in reversed(way)]


def turns(way: list[Cell]) -> int:
    """How often a way changes its direction."""
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)]
    return sum(first != second for first, second in pairwise(steps))


def _neighbours(bits: int, stride: int) -> int:
    return bits << 1 | bits >> 1 | bits << stride | bits >> stride


def _bits(mask: Mask) -> int:
    wide = np.zeros((mask.shape[0], mask.shape[1] + 1), bool)
    wide[:, :-1] = mask
    return int.from_bytes(np.packbits(wide.ravel(), bitorder="little").tobytes(), "little")
