"""The columns of a board and what may stand in their cells.

A column has a kind, and the kind decides what a cell takes, how it reads and how it sorts. A missing value is `None` or
not a finite number; it reads `–`, and never as 0. Nothing here knows HTML; drawing an interval is `whisker`.

    Column("score", "Score", "interval", better="high", flag="Does not rank references above nulls.")
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np

from pixelreef.errors import InputError

Kind: TypeAlias = Literal["text", "number", "interval", "count", "percent", "mark"]
Turn: TypeAlias = Literal["up", "down", "level", "none"]
MISSING = "–"
SIGNS: dict[Turn, str] = {"up": "▲", "down": "▼", "level": "=", "none": ""}
TURNS: dict[Turn, str] = {"up": "better", "down": "worse", "level": "same", "none": ""}
_DIGITS: dict[Kind, int] = {"text": 0, "number": 3, "interval": 3, "count": 0, "percent": 1, "mark": 0}


@runtime_checkable
class Interval(Protocol):
    """A mean with its interval over n values: a `metrics.summary.Summary`, or anything of that shape."""

    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...
    @property
    def n(self) -> int: ...


@dataclass(frozen=True)
class Spread:
    """An interval as a board keeps it: finite numbers or None. `missing` counts the values that were not there."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    missing: int = 0

    def record(self) -> dict[str, float | int | None]:
        """As plain numbers, ready for JSON."""
        return {"mean": self.mean, "low": self.low, "high": self.high, "n": self.n}


@dataclass(frozen=True)
class Mark:
    """A word, whether it is better or worse than what it is held against, a remark, and the number it sorts by."""

    word: str
    turn: Turn = "none"
    remark: str = ""
    place: float | None = None

    def record(self) -> dict[str, str]:
        """As plain text, ready for JSON."""
        return {"word": self.word, "turn": TURNS[self.turn], "remark": self.remark}

    @property
    def text(self) -> str:
        """The word and its sign.

        >>> Mark("weak", "up", "0.41").text
        'weak ▲'
        """
        return f"{self.word} {SIGNS[self.turn]}".rstrip()


# What a caller may put in a cell, and what a board keeps.
Given: TypeAlias = str | float | np.integer[Any] | np.floating[Any] | Interval | Mark | None
Cell: TypeAlias = str | int | float | Spread | Mark | None


@dataclass(frozen=True)
class Column:
    """A named column. `key` names it in records and CSV, `title` and `hint` stand in its head.

    `flag` is a warning about the whole column, shown at its head and spelt out under the board. `scale` is what the
    whiskers of an interval column are drawn on; without it, the scale spans the intervals of the board.
    """

    key: str
    title: str
    kind: Kind = "text"
    digits: int | None = None
    better: Literal["high", "low"] | None = None
    hint: str = ""
    flag: str = ""
    scale: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.kind not in _DIGITS:
            raise InputError(f"kind of column {self.key!r}", f"be one of {', '.join(_DIGITS)}", self.kind)
        if self.scale is not None and not self.scale[0] < self.scale[1]:
            raise InputError(f"scale of column {self.key!r}", "run from a lower to a higher number", self.scale)

    @property
    def numeric(self) -> bool:
        return self.kind != "text"

    @property
    def descending_first(self) -> bool:
        """Whether the first click sorts from high to low: figures do, unless low is better."""
        return self.numeric and self.better != "low"

    def cell(self, given: Given) -> Cell:
        """What was given, checked and made plain."""
        if given is None or (self.kind == "text" and isinstance(given, str)):
            return given
        if self.kind == "interval" and isinstance(given, Interval):
            return _spread(given)
        if self.kind == "mark" and isinstance(given, Mark):
            return given
        if self.kind in ("number", "count", "percent") and not isinstance(given, bool):
            if isinstance(given, int | np.integer):
                return int(given)
            if isinstance(given, float | np.floating):
                return finite(float(given))
        raise InputError(f"cell of column {self.key!r}", f"be {_TAKES[self.kind]}", given)

    def words(self, cell: Cell) -> str:
        """A cell as text: `0.812 (0.790–0.834, n 240)`, `2,400`, `93.1 %`, `–`."""
        if isinstance(cell, Spread):
            return MISSING if cell.mean is None else f"{self.figure(cell.mean)} ({self.remark(cell)})"
        if cell is None:
            return MISSING
        if isinstance(cell, Mark):
            return cell.text
        return cell if isinstance(cell, str) else self.figure(cell)

    def figure(self, value: float) -> str:
        """One number in the manner of this column, with a true minus.

        >>> Column("share", "Share", "percent").figure(-0.931)
        '−93.1 %'
        >>> Column("n", "Replies", "count").figure(2400)
        '2,400'
        """
        digits = _DIGITS[self.kind] if self.digits is None else self.digits
        shown = f"{100 * value:,.{digits}f} %" if self.kind == "percent" else f"{value:,.{digits}f}"
        return shown.replace("-", "−")

    def remark(self, spread: Spread) -> str:
        """Low, high and n of an interval: `0.790–0.834, n 240`."""
        return ", ".join(piece for piece in (self.span(spread), self.counts(spread)) if piece)

    def span(self, spread: Spread) -> str:
        """Low and high of an interval, or nothing where it has no width: too few values."""
        if spread.low is None or spread.high is None:
            return ""
        # An en dash beside a minus sign would read as one long dash.
        between = " to " if min(spread.low, spread.high) < 0 else "–"
        return f"{self.figure(spread.low)}{between}{self.figure(spread.high)}"

    def counts(self, spread: Spread) -> str:
        """How many values an interval rests on, and how many were missing."""
        return f"n {spread.n:,}" + (f", {spread.missing:,} missing" if spread.missing else "")


_TAKES: dict[Kind, str] = {
    "text": "text or None",
    "number": "a number or None",
    "interval": "None or have mean, low, high and n",
    "count": "a number or None",
    "percent": "a number or None, 1 for 100 %",
    "mark": "a mark or None",
}


def number_of(cell: Cell) -> float | None:
    """The number by which a cell sorts, or None where it is missing or text."""
    if isinstance(cell, Spread):
        return cell.mean
    if isinstance(cell, Mark):
        return cell.place
    return None if cell is None or isinstance(cell, str) else cell


def finite(value: float | None) -> float | None:
    """The value, or None for what is not a finite number."""
    return None if value is None or not math.isfinite(value) else float(value)


def _spread(given: Interval) -> Spread:
    return Spread(
        finite(given.mean), finite(given.low), finite(given.high), int(given.n), int(getattr(given, "missing", 0))
    )
