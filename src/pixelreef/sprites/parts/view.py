"""What the labeller sees of a pixel: the neighbourhood, its place in the whole, and the shape of the whole.

Nothing here depends on the palette but lightness and which colours stand on one ramp, so that a sprite in foreign
colours looks like one of the corpus. Sprites of other sizes are seen as if they were as large as those of the corpus.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.reef import ramps_of

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
Reals = NDArray[np.float32]

SHAPE, LIGHT = 9, 7  # pixels along a side of the windows on the shape and on light and ramps
COARSE = 8  # squares along a side of the whole shape
_NUMBERS = 10  # of a pixel and of the whole, beside the windows
WIDTH = SHAPE**2 + 2 * LIGHT**2 + 2 * COARSE**2 + _NUMBERS


def opaque(cells: Cells, palette: Palette) -> Bits:
    """Where there is anything."""
    return np.ones(cells.shape, np.bool_) if palette.transparent is None else np.asarray(cells != palette.transparent)


def view(cells: Cells, palette: Palette) -> Reals:
    """(opaque pixels, WIDTH) of one sprite (height, width), row by row."""
    filled = opaque(cells, palette)
    rows, columns = np.nonzero(filled)
    if not len(rows):
        return np.zeros((0, WIDTH), np.float32)
    light = palette.oklab[:, 0].astype(np.float32)[cells]
    ramp = ramps_of(palette).ramp_of[cells]
    box = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    around = _windows(filled.astype(np.float32), rows, columns, SHAPE)
    inside = _windows(filled.astype(np.float32), rows, columns, LIGHT)
    lighter = (_windows(light, rows, columns, LIGHT) - light[rows, columns][:, None]) * inside
    alike = (_windows(ramp.astype(np.float32), rows, columns, LIGHT) == ramp[rows, columns][:, None]) * inside
    whole = np.concatenate([_coarse(filled, box), _coarse(light * filled, box)])
    numbers = _numbers(cells, filled, ramp, light, rows, columns, box)
    repeated = np.broadcast_to(whole, (len(rows), len(whole)))
    return np.concatenate([around, lighter * 4, alike, repeated, numbers], axis=1, dtype=np.float32)


Box = tuple[int, int, int, int]


def _windows(values: Reals, rows: NDArray[np.intp], columns: NDArray[np.intp], side: int) -> Reals:
    """(pixels, side²) around each, 0 outside."""
    reach = side // 2
    padded = np.pad(values, reach)
    every = np.lib.stride_tricks.sliding_window_view(padded, (side, side))
    return np.asarray(every[rows, columns].reshape(len(rows), -1))


def _coarse(values: NDArray[np.floating] | Bits, box: Box) -> Reals:
    """(COARSE²,): means of squares of what lies in a box, stretched to it."""
    top, bottom, left, right = box
    tall = top + (np.arange(4 * COARSE) + 0.5) * (bottom - top) / (4 * COARSE)
    wide = left + (np.arange(4 * COARSE) + 0.5) * (right - left) / (4 * COARSE)
    fine = values[np.ix_(tall.astype(np.intp), wide.astype(np.intp))].astype(np.float32)
    return np.asarray(fine.reshape(COARSE, 4, COARSE, 4).mean(axis=(1, 3)).ravel())


def _numbers(
    cells: Cells,
    filled: Bits,
    ramp: NDArray[np.int16],
    light: Reals,
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    box: Box,
) -> Reals:
    """(pixels, _NUMBERS)."""
    top, bottom, left, right = box
    height, width = filled.shape
    own = np.bincount(cells[filled], minlength=256)[cells[rows, columns]] / len(rows)
    ramps = np.bincount(ramp[filled] + 1, minlength=257)[ramp[rows, columns] + 1] / len(rows)
    shades = light[rows, columns]
    return np.stack(
        [
            2 * (rows + 0.5 - top) / (bottom - top) - 1,
            2 * (columns + 0.5 - left) / (right - left) - 1,
            np.full(len(rows), (bottom - top) / height),
            np.full(len(rows), (right - left) / width),
            np.full(len(rows), len(rows) / filled.size * 2),
            _depth(filled)[rows, columns] / 4,
            own,
            ramps,
            shades,
            shades - shades.mean(),
        ],
        axis=1,
    ).astype(np.float32)


def _depth(filled: Bits) -> Reals:
    """Pixels to the nearest edge, along rows and columns, at most eight."""
    depth = np.zeros(filled.shape, np.float32)
    left = np.pad(filled, 1)
    for _ in range(8):
        depth += left[1:-1, 1:-1]
        middle = left[1:-1, 1:-1] & left[:-2, 1:-1] & left[2:, 1:-1] & left[1:-1, :-2] & left[1:-1, 2:]
        left = np.pad(middle, 1)
    return depth
