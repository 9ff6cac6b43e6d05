"""Stairs: the ramps of a palette as one table, ramp × level, in which lighting is walking along a row.

Each colour has a row and a level; a row holds at each level the nearest of its colours, so every walk ends on the ramp.
Declared ramps, as the reef's, have a level for each of their colours. For any other palette levels are lightness, four
to the step of the reef's palette: a step of light is as strong in a palette of many close colours as in one of few.
Found ramps are broken where they wander off to another colour, because there light would look like paint.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps, ramps_from_palette
from pixelreef.core.reef import LIGHTNESS, reef_palette, reef_ramps

PER_STEP = 4
# OKLab lightness of a level: 0.0294, less than the 0.03 by which neighbours on a found ramp differ at least, so no two
# of them share a level.
_LEVEL = (LIGHTNESS[1] - LIGHTNESS[0]) / PER_STEP
_LEVELS = 1 + round(1 / _LEVEL)  # black to white: 35
_INK = 6  # levels: a lightness of 0.16
# In OKLab's units. Chosen by eye from 25 of the worst joins in 150 public tiles: red is not lit to pink-grey, nor skin
# to silver; yet a highlight may be white and a shadow black.
_BLACK, _WHITE = 0.25, 0.93
_GREY, _COLOUR = 0.02, 0.05
_MOST_TURN = 1.25
_BASE = 2  # steps below the reef's darkest colours, whose lightness is 0.23


@dataclass(frozen=True, eq=False)
class Stairs:
    """Where each colour stands, and what stands at each level."""

    table: Cells
    """(ramps, levels): palette indices, in each row from dark to light."""
    row: Cells
    """(colours,): the ramp of each index; 0 for those on none."""
    level: Cells
    """(colours,): the level of each index; 0 for those on no ramp."""
    solid: NDArray[np.bool_]
    """(colours,): whether an index stands on a ramp; what does not, such as the transparent one, is ground."""
    ink: NDArray[np.bool_]
    """(colours,): whether an index is nearly black, as outlines are; never so on declared ramps."""
    per_step: int
    """Levels that one step of light climbs."""
    base: int
    """Levels from black to level 0; of declared ramps as many as below the reef's, two steps."""

    @property
    def levels(self) -> int:
        return int(self.table.shape[1])


@lru_cache(maxsize=256)
def stairs_from(colours: Palette | Ramps) -> Stairs:
    """The stairs of a palette, its ramps declared (the reef's) or found; or of given ramps, a level for each colour.

    >>> stairs_from(Ramps(((1, 2, 3), (4,)), ("red", "blue"), 5)).table.tolist()
    [[1, 2, 3], [4, 4, 4]]
    """
    if isinstance(colours, Ramps):
        return _stairs(colours, colours.step_of.clip(0).astype(np.int64), 1, 0, _BASE)
    if colours == reef_palette():
        return stairs_from(reef_ramps())
    level = np.floor(colours.oklab[:, 0].clip(0, 1) / _LEVEL + 0.5).astype(np.int64)
    return _stairs(_broken(ramps_from_palette(colours), colours.oklab), level, PER_STEP, _LEVELS, 0)


def _broken(ramps: Ramps, lab: Floats) -> Ramps:
    """Found ramps, broken where a step would change the colour rather than light it."""
    lines = []
    for line in ramps.lines:
        breaks = [place for place in range(1, len(line)) if _changes(lab[line[place - 1]], lab[line[place]])]
        lines += [line[start:end] for start, end in pairwise((0, *breaks, len(line)))]
    return Ramps(tuple(lines), tuple(f"ramp {number + 1}" for number in range(len(lines))), ramps.colours)


def _changes(darker: Floats, lighter: Floats) -> bool:
    """Whether a step turns the hue more than it climbs, or leads from a colour to a grey; black and white may."""
    if darker[0] < _BLACK or lighter[0] > _WHITE:
        return False
    climb, turn = lighter[0] - darker[0], np.hypot(*(lighter[1:] - darker[1:]))
    grey, colour = sorted((np.hypot(*darker[1:]), np.hypot(*lighter[1:])))
    return bool(turn > _MOST_TURN * climb or (grey < _GREY and colour > _COLOUR))


def _stairs(ramps: Ramps, level: NDArray[np.int64], per_step: int, levels: int, base: int) -> Stairs:
    levels = levels or max((len(line) for line in ramps.lines), default=1)
    table = np.zeros((max(1, len(ramps.lines)), levels), np.uint8)
    for number, line in enumerate(ramps.lines):
        apart = np.abs(np.arange(levels)[:, None] - level[list(line)])
        table[number] = np.array(line)[apart.argmin(axis=1)]  # between two, the darker
    solid = ramps.ramp_of >= 0
    ink = solid & ((base + level) * (PER_STEP // per_step) < _INK)
    row, level_of = ramps.ramp_of.clip(0).astype(np.uint8), np.where(solid, level, 0).astype(np.uint8)
    for array in (table, row, level_of, solid, ink):
        array.flags.writeable = False
    return Stairs(table, row, level_of, solid, ink, per_step, base)
