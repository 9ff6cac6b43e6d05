"""The record of an import: what was refused and why, what had no label, what was changed. One for all importers.

An importer is a generator: it yields entries, and tells its `Intake` everything else. One bad file is one line here and
never the end of an import.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Refused:
    """One item that did not come in."""

    item: str
    """Its path inside what was imported, with the frame or cell after a `#` where it has several."""
    reason: str


@dataclass
class Intake:
    """What happened during one import."""

    refused: list[Refused] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    """Items for which no factor was given: they go to the cell `all`."""
    counts: Counter[str] = field(default_factory=Counter)
    """What was done, by name: `taken`, `snapped pixels`, `half-transparent pixels`, `empty cells`, …"""

    def refuse(self, item: str, reason: object) -> None:
        self.refused.append(Refused(item, str(reason)))

    def count(self, what: str, number: int = 1) -> None:
        if number:
            self.counts[what] += number

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "counts": dict(sorted(self.counts.items())),
            "refused": [{"item": one.item, "reason": one.reason} for one in self.refused],
            "unlabelled": self.unlabelled,
        }
