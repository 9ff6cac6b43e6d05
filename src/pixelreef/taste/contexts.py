"""Contexts of a pixel: what is known of a sprite when it is drawn row by row and this pixel comes next.

A *shape* of context looks at some neighbours to the left and above, and at the field of the picture that the pixel is
in. A context is one number: its neighbours' colours and its field as the digits of a polynomial, modulo 2⁶⁴. Two
different contexts have one number with a chance of about 2⁻⁶⁴.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells

Codes = NDArray[np.uint64]
_BASE = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio; odd, so that no digit is lost
REACH = 2  # pixels that a context looks to the left, to the right and up


@dataclass(frozen=True)
class Shape:
    """Which neighbours are looked at, as (up, left; a negative left is right), and in how many fields each way."""

    neighbours: Sequence[tuple[int, int]] = ()
    fields: int = 1


_NEAR = ((0, 1), (1, 0))
_AROUND = (*_NEAR, (1, 1), (1, -1))
_WIDE = (*_AROUND, (0, 2), (2, 0))
SHAPES = (
    Shape(),
    Shape(((0, 1),)),
    Shape(_NEAR),
    Shape(_NEAR, 6),
    Shape(_AROUND),
    Shape(_AROUND, 4),
    Shape(_WIDE),
    Shape((*_WIDE, (2, -1), (1, -2)), 4),
)
"""From coarse to fine."""


def framed(cells: Cells, colours: int) -> Codes:
    """The sprites in a frame of a colour of its own, so that every context can be looked at."""
    return np.pad(cells.astype(np.uint64), ((0, 0), (REACH, 0), (REACH, REACH)), constant_values=np.uint64(colours + 1))


def contexts(frames: Codes, shape: Shape) -> Codes:
    """(N, H, W): the context of every pixel."""
    height, width = frames.shape[1] - REACH, frames.shape[2] - 2 * REACH
    code = np.zeros((len(frames), height, width), np.uint64)
    code += _fields(height, width, shape.fields)
    for up, left in shape.neighbours:
        top, start = REACH - up, REACH - left
        code *= _BASE
        code += frames[:, top : top + height, start : start + width]
    return code


def context_at(frames: Codes, shape: Shape, y: int, x: int) -> Codes:
    """(N,): the context of the pixel at one place."""
    height, width = frames.shape[1] - REACH, frames.shape[2] - 2 * REACH
    code = np.full(len(frames), _fields(height, width, shape.fields)[y, x], np.uint64)
    for up, left in shape.neighbours:
        code *= _BASE
        code += frames[:, y + REACH - up, x + REACH - left]
    return code


def followed(context: Codes, colour: Codes) -> Codes:
    """The numbers of contexts together with the colour that comes next."""
    return np.asarray((context + np.uint64(1)) * _BASE + colour)


def _fields(height: int, width: int, fields: int) -> Codes:
    """(H, W): the number of the field that each pixel is in, from 1."""
    rows, columns = (np.arange(side) * fields // side for side in (height, width))
    return (rows[:, None] * fields + columns[None] + 1).astype(np.uint64)
