"""The cells of a reply: 24 rows of 24 indices, as digits or as whole numbers, to the letter or repaired.

Filling up is always with what is there: a row with its own most common index (its background, in most pictures), a
missing row with the picture's. Among equals the lowest index wins. Whether an index fits the palette is a fault here;
clamping it is the work of `colours`, which knows the palette.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.draw.drawing import SIDE
from pixelreef.draw.failures import Faults
from pixelreef.draw.repairs import Log
from pixelreef.errors import shown

BAD = -(10**9)
"""Stands for a cell that could not be read, until it is replaced."""
ROWS_LOOKED_AT = 4 * SIDE
"""More rows are one fault; what is wrong in the thousandth of them is not asked."""
_FARTHEST = 10**6  # an index beyond is clamped all the same; keeps huge numbers out of arrays
_SEPARATORS = re.compile(r"[\s,;|/_\[\]()\"'-]+")
_DIGITS = re.compile(r"[0-9]+\Z")
_ZERO = ord("0")


def rows_schema(colours: int) -> dict[str, Any]:
    """The JSON Schema of 24 strings of 24 digits below the number of colours."""
    row = {"type": "string", "pattern": f"^[0-{colours - 1}]{{{SIDE}}}$"}
    return {"type": "array", "items": row, "minItems": SIDE, "maxItems": SIDE}


def ints_schema(colours: int) -> dict[str, Any]:
    """The JSON Schema of 24 lists of 24 whole numbers below the number of colours."""
    cell = {"type": "integer", "minimum": 0, "maximum": colours - 1}
    row = {"type": "array", "items": cell, "minItems": SIDE, "maxItems": SIDE}
    return {"type": "array", "items": row, "minItems": SIDE, "maxItems": SIDE}


def text_from_cells(cells: NDArray[np.uint8]) -> list[str]:
    """(24, 24) indices below 10 → 24 strings of digits."""
    return [row.tobytes().decode("ascii") for row in cells + np.uint8(_ZERO)]


def rows_strictly(value: Any, colours: int | None, faults: Faults) -> Grid | None:
    """24 strings of exactly 24 digits, each below the number of colours where that is known."""
    rows = row_list(value, str, "a string", faults)
    for y, row in rows:
        if len(row) != SIDE:
            faults.add("wrong row length", f"row {y} has {len(row):,} characters, must have {SIDE}")
        if not _DIGITS.match(row):
            faults.add("bad digit", f"row {y} must hold digits only, got {shown(row)}")
    text = "".join(row for _, row in rows)
    digits = re.sub(r"[^0-9]", "", text) if "bad digit" in faults.messages else text
    _check_indices([int(digit) for digit in set(digits)], colours, faults)
    return None if faults.messages else Grid((np.frombuffer(text.encode(), np.uint8) - _ZERO).reshape(SIDE, SIDE))


def ints_strictly(value: Any, colours: int | None, faults: Faults) -> Grid | None:
    """24 lists of exactly 24 whole numbers, each below the number of colours where that is known."""
    rows = row_list(value, list, "a list", faults)
    ends: list[int] = []
    for y, row in rows:
        if len(row) != SIDE:
            faults.add("wrong row length", f"row {y} has {len(row):,} cells, must have {SIDE}")
        if set(map(type, row)) - {int}:
            faults.add("bad digit", f"row {y} must hold whole numbers only")
        whole = [cell for cell in row if type(cell) is int] if "bad digit" in faults.messages else row
        ends += [min(whole, default=0), max(whole, default=0)]
    _check_indices(ends, colours, faults)
    return None if faults.messages else Grid(np.array(value, np.uint8))


def cells_repaired(value: Any, as_text: bool, log: Log) -> NDArray[np.int64] | None:
    """Whatever stands for a grid → (24, 24) indices of any size, every repair logged; None where nothing does."""
    rows = _split(value, log)
    if rows is None:
        return None
    dropped(rows, log)
    return filled([_row(row, as_text, log) for row in rows[:SIDE]], log)


def filled(rows: list[list[int]], log: Log) -> NDArray[np.int64] | None:
    """Up to 24 rows of any length → (24, 24), cut, padded, and `BAD` cells replaced; None where no cell was read."""
    cells = np.full((SIDE, SIDE), BAD, np.int64)
    for place, row in enumerate(rows):
        cells[place, : len(row)] = row[:SIDE]
        log.note("row cut", int(len(row) > SIDE))
        log.note("row padded", int(len(row) < SIDE))
        log.note("bad digit replaced", row[:SIDE].count(BAD))
        log.cells_dropped += max(len(row) - SIDE, 0)
    log.note("rows added", SIDE - len(rows))
    missing = cells == BAD
    if missing.all():
        return None
    log.changed |= missing
    background = _most_common(cells[~missing])
    for y in np.flatnonzero(missing.any(axis=1)).tolist():
        lost = missing[y]
        cells[y, lost] = background if lost.all() else _most_common(cells[y, ~lost])
    return cells


def row_list(value: Any, kind: type, called: str, faults: Faults) -> list[tuple[int, Any]]:
    """(place, row) of the rows that are of the right kind."""
    if not isinstance(value, list):
        faults.add("wrong type", "the grid must be a list")
        return []
    if len(value) != SIDE:
        faults.add("wrong row count", f"the grid has {len(value):,} rows, must have {SIDE}")
    looked_at = value[:ROWS_LOOKED_AT]
    rows = [(y, row) for y, row in enumerate(looked_at) if isinstance(row, kind)]
    if len(rows) < len(looked_at):
        faults.add("wrong type", f"every row must be {called}")
    return rows


def _check_indices(indices: Sequence[int], colours: int | None, faults: Faults) -> None:
    if colours is None or not indices:
        return
    lowest, highest = min(indices), max(indices)
    if lowest < 0 or highest >= colours:
        worst = shown(highest if highest >= colours else lowest)
        faults.add("index outside the palette", f"a cell has index {worst} in a palette of {colours:,} colours")


def _split(value: Any, log: Log) -> list[Any] | None:
    """The rows of a grid, also of one that is a single string, a flat list or an object."""
    if isinstance(value, dict):
        log.note("grid split")
        return list(value.values()) or None
    if isinstance(value, list):
        if len(value) > ROWS_LOOKED_AT and all(type(cell) is int for cell in value[: SIDE * SIDE]):
            log.note("grid split")
            return [value[start : start + SIDE] for start in range(0, len(value), SIDE)]
        return value or None
    if not isinstance(value, str):
        return None
    log.note("grid split")
    lines = value.replace("\\n", "\n").split()
    if len(lines) == 1:
        return [value[start : start + SIDE] for start in range(0, len(value), SIDE)]
    return [line for line in value.replace("\\n", "\n").splitlines() if line.strip()] or None


def dropped(rows: list[Any], log: Log) -> None:
    """Log the rows past the 24th."""
    extra = rows[SIDE:]
    log.note("rows dropped", len(extra))
    log.cells_dropped += sum(len(row) for row in extra if isinstance(row, str | list))


def _row(row: Any, as_text: bool, log: Log) -> list[int]:
    if isinstance(row, str):
        if not as_text:
            log.note("row given as text")
        return cells_from_text(row, log)
    if isinstance(row, list):
        if as_text:
            log.note("row given as list")
        return _cells_from_list(row, as_text, log)
    return []


def cells_from_text(row: str, log: Log) -> list[int]:
    """The indices in a row of text; `BAD` for a character that is none.

    >>> cells_from_text("0, 1, 12", Log()), cells_from_text("01x", Log())
    ([0, 1, 12], [0, 1, -1000000000])
    """
    if _DIGITS.match(row):
        return [byte - _ZERO for byte in row.encode("ascii")]
    words = [word for word in _SEPARATORS.split(row) if word]
    joined = "".join(words)
    if len(joined) < len(row):
        log.note("row separators removed")
    # "0 12 3" has numbers of two digits; "000 111" is digits in groups. Told apart by what comes to 24 cells.
    if any(len(word) > 1 for word in words) and len(joined) != SIDE and len(words) > 1:
        numbers = [int(word) if len(word) < 4 and _DIGITS.match(word) else BAD for word in words]
        if abs(len(numbers) - SIDE) < abs(len(joined) - SIDE) or len(numbers) < 4:
            return numbers
    return [int(sign) if sign in "0123456789" else BAD for sign in joined]


def _cells_from_list(row: list[Any], as_text: bool, log: Log) -> list[int]:
    if len(row) == 1 and isinstance(row[0], str):
        return cells_from_text(row[0], log)
    cells = [_cell(cell) for cell in row]
    if not as_text:
        given = [found for cell, found in zip(row, cells, strict=True) if type(cell) is not int and found != BAD]
        log.note("index given as text", len(given))
    return cells


def _cell(cell: Any) -> int:
    if type(cell) is int:
        return min(max(cell, -_FARTHEST), _FARTHEST)
    if isinstance(cell, str) and len(cell) < 4 and _DIGITS.match(cell):
        return int(cell)
    if isinstance(cell, float) and math.isfinite(cell) and cell.is_integer() and abs(cell) <= _FARTHEST:
        return int(cell)
    return BAD


def _most_common(cells: NDArray[np.int64]) -> int:
    values, counts = np.unique(cells, return_counts=True)
    return int(values[counts.argmax()])
