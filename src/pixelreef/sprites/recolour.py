"""Recolouring by ramp: `coral=teal` exchanges two ramps of the palette, step by step.

Both ways: what was coral becomes teal and what was teal becomes coral, so no two colours fall together. Between ramps
of equal length that is a permutation of the palette, and the same swap again gives the sprite back. Between ramps of
unequal length a step is scaled to the other's length, ends to ends. The palette itself never changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.ramps import Ramps
from pixelreef.core.reef import ramps_of
from pixelreef.core.sprite import Sprite
from pixelreef.errors import InputError, PaletteError

Swap = tuple[str, str]
"""Two ramps, each by its name or its number from 1."""
_TOLD = 12  # names of ramps in a message


def swaps_from_text(texts: Iterable[str]) -> list[Swap]:
    """Swaps as they are typed, several between commas.

    >>> swaps_from_text(["coral=teal, amber=violet", "ramp 1=2"])
    [('coral', 'teal'), ('amber', 'violet'), ('ramp 1', '2')]
    """
    swaps = []
    for typed in (part for text in texts for part in text.split(",")):
        names = [name.strip() for name in typed.split("=")]
        if len(names) != 2 or not all(names):
            raise InputError("--swap", "be two ramps such as coral=teal", typed)
        swaps.append((names[0], names[1]))
    return swaps


def recoloured(sprite: Sprite, swaps: Iterable[Swap]) -> Sprite:
    """The sprite with ramps exchanged in every frame; its lineage says which."""
    swaps = list(swaps)
    if not swaps:
        return sprite
    table = table_from_swaps(ramps_of(sprite.palette), swaps)
    frames = tuple(replace(frame, grid=Grid(table[frame.grid.cells])) for frame in sprite.frames)
    lineage = {**sprite.lineage, "recoloured": ["=".join(swap) for swap in swaps]}
    return replace(sprite, frames=frames, lineage=lineage)


def table_from_swaps(ramps: Ramps, swaps: Iterable[Swap]) -> NDArray[np.uint8]:
    """(colours,): the index that each index becomes.

    >>> ramps = Ramps(((1, 2, 3), (4, 5, 6), (7,)), ("red", "blue", "grey"), 8)
    >>> table_from_swaps(ramps, [("red", "blue")]).tolist()
    [0, 4, 5, 6, 1, 2, 3, 7]
    """
    table = np.arange(ramps.colours, dtype=np.uint8)
    taken: set[int] = set()
    for swap in swaps:
        one, other = (_number(ramps, name) for name in swap)
        if one == other or {one, other} & taken:
            raise PaletteError("--swap", "name every ramp once", "=".join(swap))
        taken |= {one, other}
        for line, onto in ((one, other), (other, one)):
            table[list(ramps.lines[line])] = _scaled(ramps.lines[line], ramps.lines[onto])
    return table


def _scaled(line: tuple[int, ...], onto: tuple[int, ...]) -> list[int]:
    """For every step of a line the one on the other that stands as high; the only step of a line meets the middle."""
    last, top = len(line) - 1, len(onto) - 1
    if not last:
        return [onto[top // 2]]
    return [onto[(2 * step * top + last) // (2 * last)] for step in range(len(line))]  # rounded, halves up


def _number(ramps: Ramps, name: str) -> int:
    """The place of a ramp from its name or its number from 1."""
    names = [known.casefold() for known in ramps.names]
    if name.casefold() in names:
        return names.index(name.casefold())
    if name.isascii() and name.isdigit() and len(name) <= 3 and 1 <= int(name) <= len(names):
        return int(name) - 1
    more = f" … {ramps.names[-1]}" if len(names) > _TOLD else ""
    there = f"There are: {', '.join(ramps.names[:_TOLD])}{more}." if names else "It has none."
    raise PaletteError("--swap", "name ramps of the palette", name, there)
