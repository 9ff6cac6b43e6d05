"""What may be mended in a reply: one table of repairs, and the log in which a reading writes them down.

A repaired drawing is never passed off as what the model said: every repair is named and counted, and every cell of
the 576 that a repair invented or altered is marked. A repair that only drops something (a 25th row, a 25th digit,
a key, prose) alters no cell; the cells it drops are counted apart.

When more than half of the cells would be ours, the picture is ours and not the model's: there is no repaired drawing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import SIDE

REPAIRS: dict[str, str] = {
    "reply cut": "What stands past 256 KB was not read.",
    "thinking dropped": "A block of thinking, `<think>…</think>`, was dropped.",
    "fence stripped": "The Markdown fence around the JSON was taken off.",
    "prose removed": "What stood before or after the JSON was dropped, other objects too.",
    "trailing comma": "A comma before a closing bracket was dropped.",
    "single quotes": "Single quotes were read as double quotes.",
    "JSON mended": "Brackets, quotes or commas were added or dropped until it was JSON.",
    "duplicate key dropped": "Of two equal keys the last was kept.",
    "nested object unwrapped": "The object stood inside another object or a list.",
    "bare grid": "The reply was the grid alone, with no object around it.",
    "key renamed": "A key of another name was taken for the one asked for (pixels, rows, data; colors, colours).",
    "key dropped": "A key that the contract does not know was ignored.",
    "palette listed": "The palette was an object or one string, and was made a list.",
    "colour with #": "A colour began with `#` or `0x`, or had spaces around it.",
    "colour of 3 digits": "A colour had three hex digits, or eight with its opacity.",
    "colour name": "A colour was one of the 16 basic CSS names, or orange, pink, brown, gold or a British grey.",
    "colour given in parts": "A colour was a list of three channels, or an object.",
    "colour invented": "A colour could not be read and became mid-grey; cells that use it are counted as changed.",
    "palette padded": "A one-colour palette was given black or white, whichever is farther from it.",
    "palette cut": "Of more than 10 colours the most used were kept; other cells took the nearest kept one in OKLab.",
    "grid split": "The grid was one string, one flat list or an object, and was split into rows.",
    "row given as list": "A row that should be a string was a list.",
    "row given as text": "A row that should be a list was a string.",
    "index given as text": "An index that should be a whole number was a string or a float.",
    "row separators removed": "Spaces, commas or bars between the digits of a row were dropped.",
    "row given in full": "A row that should be runs was written cell by cell.",
    "run respelled": "The runs of a row were written with other signs between index, count and the next run.",
    "bad digit replaced": "Something that is no index became the row's most common index.",
    "row padded": "A short row was filled up on the right with its most common index.",
    "row cut": "A long row was cut on the right.",
    "rows added": "Missing rows were added at the bottom, of the picture's most common index.",
    "rows dropped": "Rows past the 24th were dropped.",
    "index clamped": "An index outside the palette became the nearest one inside.",
    "command respelled": "A shape command was written with other signs, letter case or a list, and could be read.",
    "command dropped": "A shape command that could not be read, or past the 64th, was ignored.",
    "coordinate clamped": "A coordinate off the canvas was moved to its edge.",
    "background added": "No background came first; what no shape covered became index 0.",
}
"""Name → a sentence for people, in the order in which they are applied."""

MOST_CHANGED = SIDE * SIDE // 2
_PLACE = {name: place for place, name in enumerate(REPAIRS)}


@dataclass(frozen=True, order=True)
class Repair:
    """One kind of repair, and how often it was made."""

    name: str
    count: int


class Log:
    """The repairs of one reading.

    >>> log = Log()
    >>> log.note("row padded")
    >>> log.changed[3, 20:] = True
    >>> log.repairs(), log.cells_changed
    ((Repair(name='row padded', count=1),), 4)
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.changed: NDArray[np.bool_] = np.zeros((SIDE, SIDE), bool)
        """(24, 24): the cells that a repair invented or altered."""
        self.cells_dropped = 0
        """Cells of the reply that are not in the drawing: the rest of long rows, and rows past the 24th."""

    def note(self, name: str, count: int = 1) -> None:
        """Write down that a repair was made; a count of 0 is none."""
        if count:
            assert name in REPAIRS, name
            self._counts[name] += count

    @property
    def cells_changed(self) -> int:
        return int(self.changed.sum())

    @property
    def mostly_ours(self) -> bool:
        """Whether more than half of the cells would be invented or altered."""
        return self.cells_changed > MOST_CHANGED

    def repairs(self) -> tuple[Repair, ...]:
        """Each kind once, in the order of the table."""
        return tuple(Repair(name, self._counts[name]) for name in sorted(self._counts, key=_PLACE.__getitem__))
