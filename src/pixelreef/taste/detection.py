"""What limits find: how many cells failed and were warned of, by side, world, size, fault and strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import FAIL, NAN, TOO_FEW, WARN, Evidence, Figure, Finding, Gate, level_of
from pixelreef.taste.faults import Side, faults
from pixelreef.taste.harness import CLEAN, Record
from pixelreef.taste.samples import word_of


@dataclass(frozen=True)
class Row:
    """How often cells of one kind failed."""

    side: Side
    world: str
    n: int
    fault: str
    strength: float
    cells: int
    failed: int
    warned: int
    too_few: int
    words: Mapping[str, int]
    """Verdict → cells; of samples only."""
    by_gate: Mapping[str, int]
    """Gate → cells that it failed."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "side": self.side,
            "world": self.world,
            "n": self.n,
            "fault": self.fault,
            "strength": self.strength,
            "cells": self.cells,
            "failed": self.failed,
            "warned": self.warned,
            "too_few": self.too_few,
            "verdicts": dict(self.words),
            "by_gate": dict(self.by_gate),
        }


def rows_of(records: Iterable[Record], gates: Mapping[Side, Sequence[Gate]], calibration: Calibration) -> list[Row]:
    """Detection and false alarms, by side, world, size, fault and strength; clean cells first."""
    groups: dict[tuple[Side, str, int, bool, str, float], list[list[Finding]]] = defaultdict(list)
    for record in records:
        trial = record.trial
        key = (trial.side, trial.world, trial.n, record.fault != CLEAN, record.fault, record.strength)
        groups[key].append(findings_of(record, gates[trial.side], calibration))
    return [
        _row(side, world, n, fault, strength, groups[side, world, n, faulty, fault, strength])
        for side, world, n, faulty, fault, strength in sorted(groups)
    ]


def findings_of(record: Record, gates: Sequence[Gate], calibration: Calibration) -> list[Finding]:
    """What the gates say of a record, as they would of the cell itself."""
    asked = [
        gate.judge(
            Evidence(record.n, {gate.figure: Figure(record.values.get(gate.name, NAN))}), calibration.limits(gate.name)
        )
        for gate in gates
    ]
    return [finding for finding in asked if finding is not None]


def _row(side: Side, world: str, n: int, fault: str, strength: float, cells: Sequence[Sequence[Finding]]) -> Row:
    levels = [level_of(findings) for findings in cells]
    words: dict[str, int] = defaultdict(int)
    by_gate: dict[str, int] = defaultdict(int)
    for findings in cells:
        if side == "samples":
            words[word_of(findings)] += 1
        for finding in findings:
            by_gate[finding.gate] += finding.level == FAIL
    told = {gate: count for gate, count in by_gate.items() if count}
    failed, warned, too_few = (levels.count(level) for level in (FAIL, WARN, TOO_FEW))
    return Row(side, world, n, fault, strength, len(cells), failed, warned, too_few, words, told)


def table(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown, as in docs/taste.md: all strengths of a fault in one line, the full one bold."""
    named = (
        "side",
        "world",
        "sprites per cell",
        "fault",
        "failed, of so many cells, at each strength",
        "by which gates",
    )
    lines = [f"| {' | '.join(named)} |", "|---" * len(named) + "|"]
    for (side, world, n, fault), found in groupby(rows, lambda row: (row.side, row.world, row.n, row.fault)):
        strengths = list(found)
        told = ", ".join(_counts(row) for row in strengths)
        lines.append(f"| {side} | {world} | {n} | {fault.replace('_', ' ')} | {told} | {_gates(strengths[-1])} |")
    return "\n".join(lines) + "\n"


def _counts(row: Row) -> str:
    aside = [f"{row.warned} warned"] if row.warned else []
    aside += [f"{row.too_few} too few"] if row.too_few else []
    told = f"{row.failed:,} of {row.cells:,}" + (f" ({', '.join(aside)})" if aside else "")
    if row.fault == CLEAN:
        return told
    return f"**{row.strength:g}: {told}**" if row.strength == faults()[row.fault].full else f"{row.strength:g}: {told}"


def _gates(row: Row) -> str:
    order = sorted(row.by_gate.items(), key=lambda item: (-item[1], item[0]))[:4]
    return ", ".join(f"{gate.removeprefix('samples_')} {count}" for gate, count in order)
