"""From shifts to frames: pixels move, and the model redraws what that uncovers.

    idle = animated(cells, palette, labels, sampler, told)
    idle.frames, idle.way, idle.why

A sprite without sure parts, or with nothing loose, breathes as a whole: a row in its middle goes and comes back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError
from pixelreef.sprites.completion import Given, colours_of
from pixelreef.sprites.idle.sway import FRAMES, Shifts, distance, shifts
from pixelreef.sprites.parts.labeller import Labels
from pixelreef.sprites.sample import Sampler, Wanted

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
Whole = TypeVar("Whole", np.uint8, np.int64)


@dataclass(frozen=True, eq=False)
class Idle:
    """Frames of one creature."""

    frames: list[Cells]
    way: str
    """`parts` or `whole`."""
    why: str
    """Why not by parts; empty where it is."""
    redrawn: int
    """Pixels that the model drew, in all frames."""


def animated(cells: Cells, ground: int, found: Labels | None, sampler: Sampler | None, told: Mapping[str, str]) -> Idle:
    """Four frames, the first as it is; without a sampler, what is uncovered becomes ground."""
    filled = cells != ground
    if not filled.any():
        raise InputError("sprite", "have a pixel that is not transparent", "none", verbatim=True)
    if found is None or found.unsure:
        return Idle(breathing(cells, ground), "whole", "its parts are unsure", 0)
    moved = moved_by_parts(cells, ground, found.labels)
    if not moved:
        return Idle(breathing(cells, ground), "whole", "none of its parts is loose", 0)
    if sampler is None:
        return Idle([frame for frame, _ in moved], "parts", "", 0)
    return Idle(*_redrawn(moved, ground, sampler, told))


def breathing(cells: NDArray[Whole], ground: int) -> list[NDArray[Whole]]:
    """The upper half sinks by a pixel, comes back, and rises by one; the lowest row keeps its place."""
    rows = np.flatnonzero((cells != ground).any(axis=1))
    middle = (rows[0] + rows[-1] + 1) // 2
    down, up = np.full_like(cells, ground), np.full_like(cells, ground)
    down[1 : middle + 1], down[middle + 1 :] = cells[:middle], cells[middle + 1 :]
    up[: middle - 1], up[middle - 1], up[middle:] = cells[1:middle], cells[middle], cells[middle:]
    if rows[0] == 0:
        up = cells
    return [cells, down, cells, up]


def moved_by_parts(cells: NDArray[Whole], ground: int, labels: Cells) -> list[tuple[NDArray[Whole], Bits]]:
    """For every frame what `_moved` gives; none where no part is loose."""
    filled = cells != ground
    moves = shifts(labels, filled)
    if moves is None:
        return []
    far = distance(filled & (np.abs(moves).sum(axis=(0, 3)) == 0), filled)
    return [_moved(cells, ground, one, far) for one in moves]


def _moved(cells: NDArray[Whole], ground: int, shift: Shifts, far: NDArray[np.int64]) -> tuple[NDArray[Whole], Bits]:
    """A frame, and where it has gaps: uncovered pixels between two that are filled."""
    height, width = cells.shape
    frame = np.full_like(cells, ground)
    rows, columns = np.nonzero(cells != ground)
    order = np.argsort(-far[rows, columns], kind="stable")  # what is nearer to the trunk covers what is further
    rows, columns = rows[order], columns[order]
    to = np.stack([rows, columns], axis=1) + shift[rows, columns]
    kept = (to >= 0).all(axis=1) & (to < (height, width)).all(axis=1)
    frame[to[kept, 0], to[kept, 1]] = cells[rows[kept], columns[kept]]
    padded = np.pad(frame != ground, 1)
    between = (padded[:-2, 1:-1] & padded[2:, 1:-1]) | (padded[1:-1, :-2] & padded[1:-1, 2:])
    corners = (padded[:-2, :-2] & padded[2:, 2:]) | (padded[:-2, 2:] & padded[2:, :-2])
    open_before = np.pad(cells == ground, 1)[1:-1, 1:-1]
    gaps = (frame == ground) & (between | corners) & ~open_before
    return frame, gaps


def _redrawn(
    moved: list[tuple[Cells, Bits]], ground: int, sampler: Sampler, told: Mapping[str, str]
) -> tuple[list[Cells], str, str, int]:
    config = sampler.config
    own = colours_of((frame for frame, _ in moved), config)
    known = [np.where(gaps, config.unknown, frame.astype(np.int64)) for frame, gaps in moved]
    wanted = [Wanted(told, 0, Given(codes, own)) for codes in known]
    drawn = [one.cells for one in sampler.draw(wanted, 0)]
    frames = [frame if not gaps.any() else one for (frame, gaps), one in zip(moved, drawn, strict=True)]
    assert len(frames) == FRAMES
    return frames, "parts", "", sum(int(gaps.sum()) for _, gaps in moved)
