"""How far each pixel of a creature moves in each frame, by its parts.

What is loose (tentacles, limbs, fins, tails, branches) swings across the direction it points in, further the further
it is from the trunk along the body, so that neighbours never part by more than a pixel. A creature that stands on a
base stays; any other rises and sinks by a pixel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.parts import PART_INDEX

Bits = NDArray[np.bool_]
Labels = NDArray[np.uint8]
Shifts = NDArray[np.int64]

FRAMES = 4
SWING = (0, 1, 0, -1)
RISE = (0, 0, -1, -1)
LOOSE = ("fin", "left fin", "right fin", "tail", "limb", "left limb", "right limb", "tentacle", "branch", "polyp")
FIXED = ("base",)
_REACH = 12  # pixels from the trunk at which a loose part swings two pixels
_LEAST = 2  # pixels of length below which a loose part keeps still


def shifts(labels: Labels, filled: Bits) -> Shifts | None:
    """(frames, height, width, 2) rows and columns that each pixel moves; None where nothing is loose."""
    loose = filled & _among(labels, LOOSE)
    trunk = filled & ~loose
    if not trunk.any():
        trunk = _lowest(filled)
        loose = filled & ~trunk
    far = distance(trunk, filled)
    still = _among(labels, FIXED).any() or _stands(labels)
    swing = _swings(loose, trunk, far)
    if not swing.any():
        return None
    found = np.zeros((FRAMES, *labels.shape, 2), np.int64)
    for frame in range(FRAMES):
        found[frame] = SWING[frame] * swing
        if not still:
            found[frame, ..., 0] += RISE[frame]
    return found


def distance(start: Bits, inside: Bits) -> NDArray[np.int64]:
    """Steps from `start` without leaving `inside`; −1 where there is no way."""
    found = np.where(start & inside, 0, -1)
    edge, step = start & inside, 0
    while edge.any():
        step += 1
        padded = np.pad(edge, 1)
        near = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
        near |= padded[:-2, :-2] | padded[:-2, 2:] | padded[2:, :-2] | padded[2:, 2:]
        edge = near & inside & (found < 0)
        found[edge] = step
    return found


def _swings(loose: Bits, trunk: Bits, far: NDArray[np.int64]) -> Shifts:
    """(height, width, 2): the furthest that each pixel swings."""
    from scipy.ndimage import label

    found = np.zeros((*loose.shape, 2), np.int64)
    pieces, count = label(loose, np.ones((3, 3)))
    for piece in range(1, count + 1):
        here = pieces == piece
        length = int(far[here].max())
        if length < _LEAST:
            continue
        size = np.clip(far * 2 / max(_REACH, length), 0, 2)
        # Half up, so that a piece of any length has a tip that moves.
        amount = np.where(here, np.floor(size + 0.5), 0).astype(np.int64)
        if length < _REACH / 2:
            amount = np.where(here, (far * 2 > length).astype(np.int64), 0)
        found[..., _across(here, trunk, far)] += amount
    return found


def _across(piece: Bits, trunk: Bits, far: NDArray[np.int64]) -> int:
    """0 where a piece points sideways and so swings up and down, else 1."""
    tip = np.argwhere(piece & (far >= far[piece].max())).mean(axis=0)
    root = np.argwhere(piece & (far <= far[piece].min())).mean(axis=0)
    rows, columns = np.abs(tip - root)
    return 0 if columns > rows else 1


def _among(labels: Labels, names: tuple[str, ...]) -> Bits:
    return np.isin(labels, [PART_INDEX[name] for name in names])


def _stands(labels: Labels) -> bool:
    """Whether most of it is branches."""
    there = labels > 0
    return bool(_among(labels, ("branch", "polyp")).sum() > there.sum() / 2)


def _lowest(filled: Bits) -> Bits:
    """The lowest rows, for what is loose all over."""
    rows = np.flatnonzero(filled.any(axis=1))
    found = np.zeros_like(filled)
    if len(rows):
        found[rows[-1] - 1 : rows[-1] + 1] = True
    return found & filled
