"""Ramps: the colours of a palette, sorted into lines from dark to light.

Every colour stands on exactly one ramp, so `darker` and `lighter` are total functions that stay inside the palette:
the ends of a ramp, and the transparent entry, map to themselves. Shading, recolouring and palette-aware sampling all
walk these tables and nothing else.

The reef palette declares its ramps. For any other palette they are found: each colour is joined to at most one
lighter colour, so that the sum of the joins' costs is least (an assignment problem). A join is cheap when hue and
saturation stay put while lightness climbs. Colour may come out of the dark and go into the light: a grey begins a
ramp of a colour only where it is dark, and ends one only where it is light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.core.palette import Palette
from pixelreef.errors import PaletteError

# The numbers below were searched on a grid, among settings that find the reef palette's nine ramps back exactly. They
# were held against nine well-known palettes of 16 to 64 colours: which joins are of colours listed side by side there.
# By that count alone hues would weigh 1.6; 2.0 was chosen by eye, because 1.6 leads from brown through olive to green.
# Units are OKLab's.
END_COST = 0.2  # a join that costs more than ending the ramp is not made
_LEAST_CLIMB = 0.03  # a step that is hardly lighter is no step
_CHROMA_WEIGHT = 0.4
_HUE_WEIGHT = 2.0
_CLIMB_WEIGHT = 0.15  # climbing is what a ramp is for, yet nearer steps come first
_GREY_WEIGHT = 0.6  # of a step all the way from grey to colour
_HALF_COLOURED = 0.04  # the chroma that counts as half way from grey to colour
_DARK, _LIGHT = 0.3, 0.85  # lightness below which colour may begin at no cost, and above which it may end
_DUSK = 0.15  # of lightness, over which the cost sets in


@dataclass(frozen=True)
class Ramps:
    """Lines of palette indices, each from dark to light; every opaque index stands on exactly one."""

    lines: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    colours: int

    def __post_init__(self) -> None:
        indices = [index for line in self.lines for index in line]
        if len(indices) != len(set(indices)) or any(not 0 <= index < self.colours for index in indices):
            raise PaletteError("ramps", f"hold each index from 0 to {self.colours - 1} at most once", sorted(indices))
        if len(self.names) != len(self.lines):
            raise PaletteError("ramp names", f"be {len(self.lines)}", len(self.names))

    @cached_property
    def darker(self) -> NDArray[np.uint8]:
        """(colours,): the next darker index on the same ramp, or the index itself."""
        return self._walk(-1)

    @cached_property
    def lighter(self) -> NDArray[np.uint8]:
        """(colours,): the next lighter index on the same ramp, or the index itself."""
        return self._walk(+1)

    @cached_property
    def ramp_of(self) -> NDArray[np.int16]:
        """(colours,): the number of the ramp that holds each index, −1 for the transparent entry."""
        return self._place([np.full(len(line), number) for number, line in enumerate(self.lines)])

    @cached_property
    def step_of(self) -> NDArray[np.int16]:
        """(colours,): the place of each index on its ramp, 0 darkest, −1 for the transparent entry."""
        return self._place([np.arange(len(line)) for line in self.lines])

    def walk(self, steps: int) -> NDArray[np.uint8]:
        """(colours,): the index `steps` lighter (negative: darker) on the same ramp, stopping at its end."""
        return self._walk(steps)

    def _walk(self, steps: int) -> NDArray[np.uint8]:
        table = np.arange(self.colours, dtype=np.uint8)
        for line in self.lines:
            places = np.clip(np.arange(len(line)) + steps, 0, len(line) - 1)
            table[list(line)] = np.array(line, np.uint8)[places]
        table.flags.writeable = False
        return table

    def _place(self, values: Sequence[NDArray[np.int_]]) -> NDArray[np.int16]:
        table = np.full(self.colours, -1, np.int16)
        for line, value in zip(self.lines, values, strict=True):
            table[list(line)] = value
        table.flags.writeable = False
        return table


def ramps_from_palette(palette: Palette) -> Ramps:
    """Find the ramps of any palette. Deterministic; names are `ramp 1`, `ramp 2`, … from the longest down.

    >>> greys = Palette.from_hex(["000000", "555555", "aaaaaa", "ffffff"])
    >>> ramps_from_palette(greys).lines
    ((0, 1, 2, 3),)
    """
    opaque = palette.opaque
    count = len(opaque)
    if not count:
        return Ramps((), (), len(palette))
    chosen = _cheapest(_join_costs(palette.oklab[opaque]))
    after = {i: int(j) for i, j in enumerate(chosen) if j < count}
    starts = sorted(set(range(count)) - set(after.values()))
    lines = [_follow(start, after) for start in starts]
    lines.sort(key=lambda line: (-len(line), line))
    indexed = tuple(tuple(int(opaque[i]) for i in line) for line in lines)
    return Ramps(indexed, tuple(f"ramp {n + 1}" for n in range(len(indexed))), len(palette))


def _cheapest(joins: Floats) -> NDArray[np.intp]:
    """For each row the column chosen, where the columns past the last stand for ending the ramp."""
    # Half the import time of scipy.optimize, whose dense assignment would give the same answer.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    count = len(joins)
    rows, columns = np.nonzero(joins < END_COST)  # any other would be better ended, and ending is open to all
    every = np.arange(count)
    costs = np.concatenate([joins[rows, columns], np.full(count, END_COST)])
    places = (np.concatenate([rows, every]), np.concatenate([columns, count + every]))
    _, chosen = min_weight_full_bipartite_matching(csr_array((costs, places), shape=(count, 2 * count)))
    return np.asarray(chosen)


def _join_costs(lab: Floats) -> Floats:
    """(n, n): the cost of stepping from colour i to a lighter colour j, infinite where j is not lighter enough."""
    climb = lab[None, :, 0] - lab[:, None, 0]
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    # Turning the hue matters as much as there is colour to turn: a chord on the circle of the two chromas' mean, whose
    # square is 2·r²·(1 − cos).
    along = lab[:, 1:] @ lab[:, 1:].T
    turn = np.sqrt(np.maximum(2 * (chroma[None, :] * chroma[:, None] - along), 0))
    fade = np.abs(chroma[None, :] - chroma[:, None])
    cost = _HUE_WEIGHT * turn + _CHROMA_WEIGHT * fade + _CLIMB_WEIGHT * climb
    cost += _GREY_WEIGHT * _greyed(lab[:, 0], chroma)
    return np.where(climb > _LEAST_CLIMB, cost, np.inf)


def _greyed(lightness: Floats, chroma: Floats) -> Floats:
    """(n, n): how far a step from i to j leads from grey to colour or back, from 0 to 1, where no dark or light is."""
    coloured = chroma / (chroma + _HALF_COLOURED)
    gain = coloured[None, :] - coloured[:, None]
    not_dark = ((lightness - _DARK) / _DUSK).clip(0, 1)[:, None]
    not_light = ((_LIGHT - lightness) / _DUSK).clip(0, 1)[None, :]
    return np.asarray(np.where(gain > 0, gain * not_dark, -gain * not_light))


def _follow(start: int, after: dict[int, int]) -> list[int]:
    line = [start]
    while line[-1] in after:
        line.append(after[line[-1]])
    return line
