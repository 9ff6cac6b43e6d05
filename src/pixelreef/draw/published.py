"""The grid as the published formulas take it: whatever integers a reply holds, ragged, tall and out of range.

The published profile is computed from this; it is no drawing, and nothing here is repaired.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pixelreef.core.palette import Palette
from pixelreef.draw.drawing import Drawing

_ZERO = ord("0")
_VALUES = bytes((byte - _ZERO) % 256 for byte in range(256))
_LARGEST = 2**31


@dataclass(frozen=True)
class PublishedGrid:
    """Palette and rows of integers, as they stand."""

    palette: tuple[str, ...]
    """The entries that are text as they stand, of others their type; the formulas use their number only."""
    rows: tuple[tuple[int, ...], ...]
    """Rows of any number and length, of any integers."""


def published_from_value(value: Any, palette: Palette | None) -> PublishedGrid | None:
    """From the parsed reply; None where there are no two keys with a list of colours and rows of integers.

    >>> published_from_value({"palette": ["000000"], "grid": ["012", [7]]}, None)
    PublishedGrid(palette=('000000',), rows=((0, 1, 2), (7,)))
    """
    if not isinstance(value, dict) or not isinstance(value.get("grid"), list):
        return None
    colours = value.get("palette") if palette is None else palette.hex()
    if not isinstance(colours, list):
        return None
    rows: list[tuple[int, ...]] = []
    for row in map(_row, value["grid"]):
        if row is None:
            return None
        rows.append(row)
    entries = tuple(entry if isinstance(entry, str) else type(entry).__name__ for entry in colours)
    return PublishedGrid(entries, tuple(rows))


def published_from_drawing(drawing: Drawing) -> PublishedGrid:
    """From a drawing, for encodings whose reply has no rows of integers."""
    return PublishedGrid(tuple(drawing.palette.hex()), tuple(tuple(row) for row in drawing.cells.tolist()))


def _row(row: Any) -> tuple[int, ...] | None:
    if isinstance(row, str):
        return tuple(row.encode().translate(_VALUES)) if row.isascii() and (row.isdigit() or not row) else None
    if isinstance(row, list) and set(map(type, row)) <= {int}:
        return tuple(row) if not row or (min(row) > -_LARGEST and max(row) < _LARGEST) else None
    return None
