"""The words that all of taste shares: figures, evidence, gates, findings and the verdict on a cell.

A stage gives *evidence*: named figures per cell. A *gate* looks at one figure and, with the limits of a calibration,
finds pass, warn, fail or too few to tell, with its reason in words. The findings of a cell make its *verdict*.

    gate = Gate("orphans", "texture", "orphans", bad="high", words="stray pixels")
    gate.judge(evidence, calibration.limits("orphans"))
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Level: TypeAlias = Literal["pass", "warn", "fail", "too few to tell"]
PASS: Level = "pass"
WARN: Level = "warn"
FAIL: Level = "fail"
TOO_FEW: Level = "too few to tell"
LEVELS: tuple[Level, ...] = (FAIL, WARN, TOO_FEW, PASS)
"""The one that decides first."""

NAN = math.nan


@dataclass(frozen=True)
class Figure:
    """A number about a cell, NaN where there is none, and its interval where there is one."""

    value: float
    low: float = NAN
    high: float = NAN

    @property
    def known(self) -> bool:
        return math.isfinite(self.value)

    def document(self) -> dict[str, float | None]:
        """As JSON values; None where there is no number."""
        named = {"value": self.value, "low": self.low, "high": self.high}
        return {name: value if math.isfinite(value) else None for name, value in named.items()}


@dataclass(frozen=True)
class Evidence:
    """What one stage found out about one cell."""

    n: int
    """The sprites that it rests on."""
    figures: Mapping[str, Figure]
    """One that can't apply, such as a comparison with other cells where there are none, is left out."""
    shown: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """What to look at: a caption → places of sprites among those judged, the most telling first."""
    notes: Sequence[str] = ()
    """What was found, in whole sentences."""

    def value(self, figure: str) -> float:
        """The number of this name, NaN where there is none."""
        return self.figures[figure].value if figure in self.figures else NAN

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "n": self.n,
            "figures": {name: figure.document() for name, figure in self.figures.items()},
            "shown": {name: [int(place) for place in places] for name, places in self.shown.items()},
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Limit:
    """Where a gate warns and where it fails, for cells of `n` sprites; None where it never does."""

    n: int
    warn: float | None
    fail: float | None


@dataclass(frozen=True)
class Limits:
    """What a calibration says about one gate: its limits at several sizes of a cell, and from which size it holds."""

    fewest: int
    """Sprites below which the gate can't tell."""
    at: Sequence[Limit]
    """In order of `n`; between two sizes the limits are drawn on a line over log n, beyond the ends they stay.

    Where a size has no limit there is none up to the next one that has."""

    def of(self, n: int) -> tuple[float | None, float | None]:
        """Where the gate warns and fails for a cell of n sprites.

        >>> Limits(5, [Limit(10, None, 0.5), Limit(1000, None, 0.1)]).of(100)
        (None, 0.3)
        """
        if not self.at:
            return None, None
        return self._between([one.warn for one in self.at], n), self._between([one.fail for one in self.at], n)

    def _between(self, values: Sequence[float | None], n: int) -> float | None:
        sizes = [one.n for one in self.at]
        above = next((place for place, size in enumerate(sizes) if size >= n), len(sizes) - 1)
        below = max(0, above - 1) if sizes[above] > n else above
        low, high = values[below], values[above]
        if low is None or high is None or below == above:
            return high if below == above else None
        share = math.log(n / sizes[below]) / math.log(sizes[above] / sizes[below])
        return round(low + share * (high - low), 12)


@dataclass(frozen=True)
class Finding:
    """What one gate said about one cell."""

    gate: str
    stage: str
    level: Level
    value: float
    limit: float | None
    """The limit that was passed, or the nearest one that was not."""
    reason: str
    more: int = 0
    """How many more sprites the gate needs; 0 when it could tell."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        value = self.value if math.isfinite(self.value) else None
        return {
            "gate": self.gate,
            "stage": self.stage,
            "level": self.level,
            "value": value,
            "limit": self.limit,
            "reason": self.reason,
            "more": self.more,
        }


@dataclass(frozen=True)
class Gate:
    """A check of one figure. Its limits are no part of it: they come from a calibration, by the gate's name."""

    name: str
    """Unique among all gates of taste, and the key in a calibration."""
    stage: str
    figure: str
    bad: Literal["high", "low"]
    """On which side of its limits a figure is bad."""
    words: str
    """What a bad figure means, as the start of a reason: `stray pixels`."""
    digits: int = 2

    def judge(self, evidence: Evidence, limits: Limits | None) -> Finding | None:
        """What the gate says; None where there is no such figure or the calibration does not know the gate.

        Of a cell with no sprites at all nothing can be left out: there every gate needs more.
        """
        if limits is None or (evidence.n and self.figure not in evidence.figures):
            return None
        value = evidence.value(self.figure)
        if evidence.n < limits.fewest:
            more = limits.fewest - evidence.n
            reason = f"{self.words}: too few to tell, {needed(more)}"
            return Finding(self.name, self.stage, TOO_FEW, value, None, reason, more)
        if not math.isfinite(value):
            return None
        warn, fail = limits.of(evidence.n)
        level: Level = FAIL if self._beyond(value, fail) else WARN if self._beyond(value, warn) else PASS
        limit = fail if level == FAIL or warn is None else warn
        return Finding(self.name, self.stage, level, value, limit, self._reason(value, limit, level))

    def _beyond(self, value: float, limit: float | None) -> bool:
        return limit is not None and (value > limit if self.bad == "high" else value < limit)

    def _reason(self, value: float, limit: float | None, level: Level) -> str:
        told = f"{self.words}: {value:.{self.digits}f}"
        if limit is None:
            return told
        side = "within" if level == PASS else "above" if self.bad == "high" else "below"
        return f"{told}, {side} {limit:.{self.digits}f}"


@dataclass(frozen=True)
class CellVerdict:
    """What is to be said about a cell. `word` is what is shown, `level` what a script goes by."""

    cell: str
    n: int
    word: str
    """For a corpus the level itself; for samples learned, weak, noise, collapsed, copied, empty."""
    level: Level
    findings: Sequence[Finding]
    evidence: Mapping[str, Evidence]
    """Stage → what it found."""

    @property
    def more(self) -> int:
        """How many more sprites are needed for every gate to tell."""
        return max((finding.more for finding in self.findings), default=0)

    @property
    def reasons(self) -> list[str]:
        """Why it is not a plain pass: failures first, then warnings, then what could not be told."""
        return [one.reason for level in LEVELS[:3] for one in self.findings if one.level == level]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "cell": self.cell,
            "n": self.n,
            "verdict": self.word,
            "level": self.level,
            "more": self.more,
            "reasons": self.reasons,
            "findings": [finding.document() for finding in self.findings],
            "evidence": {name: evidence.document() for name, evidence in self.evidence.items()},
        }


def needed(more: int) -> str:
    """How many more sprites it takes, in words.

    >>> needed(1), needed(1200)
    ('1 more sprite is needed', '1,200 more sprites are needed')
    """
    return "1 more sprite is needed" if more == 1 else f"{more:,} more sprites are needed"


def level_of(findings: Sequence[Finding]) -> Level:
    """The level of a cell: fail, warn, too few to tell, pass, whichever of its findings comes first in this order.

    >>> level_of([])
    'pass'
    """
    found = {finding.level for finding in findings}
    return next((level for level in LEVELS if level in found), PASS)
