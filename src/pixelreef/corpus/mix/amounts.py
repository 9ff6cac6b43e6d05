"""How much of what: weights and caps as they are written, `NAME=NUMBER`.

NAME is a source (`reef`) or a cell (`jellyfish/abyss`), and may be a pattern (`jellyfish/*`), which then holds for each
that it fits. A name that is both is told apart by `source:` or `cell:` before it. One that is neither is refused, for
it is a slip of the pen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pixelreef.errors import InputError

_RULE = re.compile(r"(?:(source|cell):)?([^=]+)=([^=]+)\Z")


@dataclass(frozen=True)
class Amount:
    """One rule as it was written."""

    kind: str
    """`source`, `cell`, or empty when the name is to tell."""
    name: str
    number: float

    def __str__(self) -> str:
        return f"{self.kind + ':' if self.kind else ''}{self.name}={self.number:g}"


def amount_from_text(text: str, what: str) -> Amount:
    """
    >>> amount_from_text("jellyfish/*=100", "--cap")
    Amount(kind='', name='jellyfish/*', number=100.0)
    """
    found = _RULE.match(text)
    try:
        number = float(found[3]) if found else math.nan
    except ValueError:
        number = math.nan
    if found is None or not (math.isfinite(number) and number >= 0):
        raise InputError(what, "be a source or cell and a number from 0 up, as in reef=2", text)
    return Amount(found[1] or "", found[2].strip(), number)


@dataclass(frozen=True)
class Resolved:
    """Rules by the sources and cells that they turned out to be about."""

    sources: dict[str, float]
    cells: dict[str, float]


def resolved(amounts: Iterable[Amount], sources: Sequence[str], cells: Sequence[str], what: str) -> Resolved:
    """What each rule is about; a later rule wins over an earlier one.

    >>> rules = [amount_from_text("*/abyss=5", "--cap"), amount_from_text("reef=2", "--cap")]
    >>> resolved(rules, ["reef"], ["coral/abyss", "coral/hadal"], "--cap")
    Resolved(sources={'reef': 2.0}, cells={'coral/abyss': 5.0})
    """
    found = Resolved({}, {})
    for amount in amounts:
        of_source = _fitting(amount, "source", sources)
        of_cell = _fitting(amount, "cell", cells)
        if of_source and of_cell:
            todo = f"Write source:{amount.name} or cell:{amount.name}."
            raise InputError(what, "name a source or a cell, not both", str(amount), todo)
        if not of_source and not of_cell:
            known = ", ".join([*sources[:5], *cells[:5]])
            raise InputError(what, "name a source or a cell that there is", str(amount), f"There are {known}, …")
        found.sources.update(dict.fromkeys(of_source, amount.number))
        found.cells.update(dict.fromkeys(of_cell, amount.number))
    return found


def _fitting(amount: Amount, kind: str, names: Sequence[str]) -> list[str]:
    return [name for name in names if amount.kind in ("", kind) and fnmatchcase(name, amount.name)]
