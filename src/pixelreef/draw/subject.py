"""A subject: what a model is asked to draw, a hand-drawn answer to it, and a check that needs no judge.

Canonical subjects are the files of `subjects`, held-out ones come from `heldout`; both are the same `Subject`. A check
takes any drawing and says whether the subject is in it, with one plain sentence of what it saw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.draw.drawing import MAX_COLOURS, MIN_COLOURS, SIDE, Drawing
from pixelreef.errors import GridError, InputError, PaletteError

CATEGORIES = ("character", "nature", "space", "abstract", "art")


@dataclass(frozen=True)
class Check:
    """The verdict of a subject check."""

    passed: bool
    saw: str
    """One plain sentence of what it saw, such as 'a ring crosses the disc, 1.6 times as wide'."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Something to draw."""

    id: str
    text: str
    """The phrase that a prompt asks for, such as 'the planet Saturn with its rings'."""
    category: str
    """One of `CATEGORIES`."""
    reference: Drawing
    """A drawing of it that passes the check."""
    check: Callable[[Drawing], Check] | None
    """None where nothing exact can be tested; `unchecked` then says why."""
    unchecked: str = ""
    specification: Mapping[str, Any] = field(default_factory=dict)
    """What a held-out subject's text and check are made from, as JSON data; empty for a canonical one."""

    def __post_init__(self) -> None:
        if self.category not in CATEGORIES:
            raise InputError(f"category of {self.id}", f"be one of {', '.join(CATEGORIES)}", self.category)
        if (self.check is None) != bool(self.unchecked):
            raise InputError(f"subject {self.id}", "have either a check or a reason for none", self.unchecked)


def drawing_from_rows(palette: Sequence[str], rows: Sequence[str]) -> Drawing:
    """2 to 10 colours as hex, and 24 strings of 24 digits.

    >>> drawing_from_rows(["000000", "ffffff"], ["01" * 12] * 24).cells[0, :4].tolist()
    [0, 1, 0, 1]
    """
    if not MIN_COLOURS <= len(palette) <= MAX_COLOURS:
        raise PaletteError("palette", f"have {MIN_COLOURS} to {MAX_COLOURS} colours", len(palette))
    if len(rows) != SIDE or any(len(row) != SIDE or not row.isdecimal() for row in rows):
        raise GridError("rows", f"be {SIDE} strings of {SIDE} digits", [len(row) for row in rows])
    cells = np.array([[int(digit) for digit in row] for row in rows], np.uint8)
    if cells.max() >= len(palette):
        raise GridError("rows", f"hold digits from 0 to {len(palette) - 1}", int(cells.max()))
    return Drawing(Grid(cells), Palette.from_hex(palette))
