"""From a canvas to a sprite: the outline, then no islands and no orphans, then the middle cut out.

The outline lies around the shapes, so that thin fins keep their colour. It is one pixel wide, 8-connected (a corner is
not doubled), in the local ramp: darker on the side away from the light.
"""

from __future__ import annotations

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.orphans import orphans
from pixelreef.core.reef import STEPS
from pixelreef.corpus.reef.canvas import Canvas, Labels

MARGIN = 1  # pixels left free on every side
_SMALLEST = 4  # pixels: fewer, apart from the rest, are a speck and not a part of the creature


def outline(canvas: Canvas, shadow: float, lit: float) -> None:
    """Put a line around what is painted: tone `shadow` below and to the right, `lit` above and to the left.

    Rows lie one after the other, so a neighbour is a fixed number of places away; the border of a canvas is empty, or
    the painting is too large and is made again.
    """
    part, ramp, tone = canvas.part.ravel(), canvas.ramp.ravel(), canvas.tone.ravel()
    free = part == 0
    around = ~(free | canvas.bare.ravel())
    # Where the outline lies from the pixel that it belongs to: below and right of it first, so that shadow wins.
    for away, step in ((canvas.side, shadow), (1, shadow), (-canvas.side, lit), (-1, lit)):
        if away > 0:
            places = np.flatnonzero(free[away:] & around[:-away]) + away
        else:
            places = np.flatnonzero(free[:away] & around[-away:])
        owners = places - away
        part[places] = part[owners]
        ramp[places] = ramp[owners]
        tone[places] = step
        free[places] = False


def extent(canvas: Canvas) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of what is painted, ends excluded; all 0 when nothing is."""
    opaque = canvas.part != 0
    rows, columns = np.flatnonzero(opaque.any(axis=1)), np.flatnonzero(opaque.any(axis=0))
    if not len(rows):
        return 0, 0, 0, 0
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def fit(canvas: Canvas) -> float:
    """By how much the painting must shrink to lie within the sprite and its margin; 1 or more when it does."""
    top, bottom, left, right = extent(canvas)
    if min(top, left) == 0 < bottom or max(bottom, right) == canvas.side:  # cut off: it may go on for ever
        return 0.85
    return (canvas.size - 2 * MARGIN) / max(bottom - top, right - left, 1)


def sprite(canvas: Canvas) -> tuple[Cells, Labels]:
    """Cells and parts, (size, size) each: the painting with its extent in the middle, cleaned."""
    steps = np.minimum(np.maximum(np.rint(canvas.tone), 0), STEPS - 1).astype(np.uint8)
    cells = np.where(canvas.part != 0, 1 + STEPS * canvas.ramp + steps, 0).astype(np.uint8)
    top, bottom, left, right = extent(canvas)
    from_y = min(max((top + bottom - canvas.size + 1) // 2, 0), canvas.side - canvas.size)
    from_x = min(max((left + right - canvas.size + 1) // 2, 0), canvas.side - canvas.size)
    box = (slice(from_y, from_y + canvas.size), slice(from_x, from_x + canvas.size))
    cells, parts = cells[box].copy(), canvas.part[box].copy()
    _drop_specks(cells, parts)
    _join_orphans(cells)
    return cells, parts


def _join_orphans(cells: Cells) -> None:
    """Give every orphan the colour most common around it, in place."""
    found = np.argwhere(orphans(cells) & (cells != 0)).tolist()
    rows = cells.tolist() if found else []  # single places of a list are several times faster than of an array
    for y, x in found:
        own = rows[y][x]
        around = [colour for row in rows[max(y - 1, 0) : y + 2] for colour in row[max(x - 1, 0) : x + 2]]
        if around.count(own) > 1:  # a neighbour has joined it meanwhile
            continue
        colours = [colour for colour in around if colour not in (0, own)]
        if colours:  # of several the nearest in the palette: its own ramp, if that is there
            joined = max(set(colours), key=lambda colour: (colours.count(colour), -abs(colour - own), colour))
            rows[y][x] = cells[y, x] = joined


def _drop_specks(cells: Cells, parts: Labels) -> None:
    """Take away what is fewer than four pixels and touches nothing else.

    All that holds a square of 2 × 2 is large enough, and so is what hangs on it. The grid is one whole number with a
    bit per pixel (and an empty column), so that a step of the flood is a few shifts.
    """
    row = cells.shape[1] + 1
    left = _bits(cells)
    solid = left & left >> 1 & left >> row & left >> (row + 1)
    flood = solid | solid << 1 | solid << row | solid << (row + 1)
    left = _unreached(left, flood, row)
    while left:
        rest = _unreached(left, left & -left, row)
        piece, left = left ^ rest, rest
        if piece.bit_count() < _SMALLEST:
            for place in (bit for bit in range(piece.bit_length()) if piece >> bit & 1):
                cells[divmod(place, row)] = parts[divmod(place, row)] = 0


def _bits(cells: Cells) -> int:
    """Opaque pixels as bits, pixel (y, x) at y · (width + 1) + x."""
    framed = np.zeros((cells.shape[0], cells.shape[1] + 1), np.bool_)
    np.not_equal(cells, 0, out=framed[:, :-1])
    return int.from_bytes(np.packbits(framed, bitorder="little").tobytes(), "little")


def _unreached(pixels: int, flood: int, row: int) -> int:
    """What of the pixels a flood over neighbours, diagonal ones too, does not reach."""
    before = 0
    while flood != before:
        before = flood
        flood |= flood << 1 | flood >> 1
        flood |= flood << row | flood >> row
        flood &= pixels
    return pixels & ~flood
