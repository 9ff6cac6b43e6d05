"""The grid of a sheet: cell size, offset and gutters, found from what its lines would cut, or given.

Both axes are judged together, since most grids are square with equal gutters and offsets. A grid is credible when its
lines cut clearly fewer links between visible pixels than lines elsewhere would; the best others are told as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.sheets.axis import Line, Profile, lines, profiles
from pixelreef.corpus.sheets.background import packed_rgb, visible

CREDIBLE = 0.5  # confidence
STRONG = 3.5  # strength that an opaque sheet's grid must have: noise reaches 3, six tiles have 4
MAX_CELLS = 100_000
_KEPT = 60  # lines of each axis that are paired
_ALTERNATIVES = 3


@dataclass(frozen=True)
class Lattice:
    """Cells of one size, evenly spaced; all numbers (x, y) in pixels."""

    cell: tuple[int, int]
    offset: tuple[int, int] = (0, 0)
    gutter: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        width, height = self.cell
        return (
            f"cell {width}x{height}, offset {self.offset[0]},{self.offset[1]}, gutter {self.gutter[0]},{self.gutter[1]}"
        )


@dataclass(frozen=True)
class Found:
    """The best lattice, how far it can be trusted, and the best others."""

    lattice: Lattice
    confidence: float
    """1 when no line cuts a link; 0 when they cut as many as lines anywhere; 0 for a single cell."""
    strength: float
    """Of the stronger axis: how many times the usual deviation its lines stand out."""
    alternatives: tuple[Lattice, ...]

    @property
    def credible(self) -> bool:
        return self.confidence >= CREDIBLE


def find_lattice(rgba: NDArray[np.uint8]) -> Found | None:
    """The lattice of a restored sheet (transparent is nothing); None when nothing is seen."""
    seen = visible(rgba)
    if not seen.any():
        return None
    x, y = profiles(seen, packed_rgb(rgba))
    ranked = _ranked(lines(x)[:_KEPT], lines(y)[:_KEPT])
    best = ranked[0]
    others = [pair for pair in ranked[1:200] if (pair[0].pitch, pair[1].pitch) != (best[0].pitch, best[1].pitch)]
    distinct = {(across.pitch, down.pitch): _lattice(across, down) for across, down in reversed(others)}
    return Found(
        _lattice(*best),
        _confidence((x, best[0]), (y, best[1])),
        max(best[0].strength, best[1].strength),
        tuple(reversed(distinct.values()))[:_ALTERNATIVES],
    )


def boxes(lattice: Lattice, seen: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """(row, column, y, x) of every cell, cut off ones at the border too where something is seen in them.

    Rows and columns count from the first that hold anything; y and x can be negative for a cell that is cut off.
    """
    tops = _starts(lattice.offset[1], lattice.cell[1], lattice.gutter[1], np.asarray(seen.any(axis=1)))
    lefts = _starts(lattice.offset[0], lattice.cell[0], lattice.gutter[0], np.asarray(seen.any(axis=0)))
    return [(row, column, y, x) for row, y in enumerate(tops) for column, x in enumerate(lefts)]


def _starts(offset: int, cell: int, gutter: int, seen: NDArray[np.bool_]) -> list[int]:
    pitch = cell + gutter
    first = offset % pitch - pitch if offset % pitch else 0
    starts = [start for start in range(first, len(seen), pitch) if seen[max(0, start) : max(0, start + cell)].any()]
    return list(range(starts[0], starts[-1] + 1, pitch)) if starts else []


def _ranked(across: list[Line], down: list[Line]) -> list[tuple[Line, Line]]:
    """All pairs, the best first."""
    pairs = [(x.score + y.score + _agreement(x, y), x, y) for x in across for y in down]
    pairs.sort(key=lambda pair: -pair[0])
    return [(x, y) for _, x, y in pairs]


def _agreement(x: Line, y: Line) -> float:
    return 2.0 * (x.cell == y.cell) + 1.0 * (x.gutter == y.gutter) + 0.5 * (x.offset == y.offset)


def _lattice(x: Line, y: Line) -> Lattice:
    return Lattice((x.cell, y.cell), (x.offset, y.offset), (x.gutter, y.gutter))


def _confidence(*axes: tuple[Profile, Line]) -> float:
    """1 − links cut per line / links per place, over both axes."""
    cut = places = usual = 0.0
    for profile, line in axes:
        inner = np.arange(profile.first + 1, profile.last)
        on_line = inner % line.pitch == line.offset
        cut += float(profile.links[inner[on_line]].sum())
        places += float(on_line.sum())
        usual += float(profile.links[inner].mean() * on_line.sum()) if len(inner) else 0.0
    return 0.0 if not places or not usual else round(max(0.0, 1 - cut / usual), 3)
