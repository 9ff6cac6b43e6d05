"""From what the gates saw of clean and faulty cells to their limits, and what those limits then find.

A gate *warns* where clean cells end: so far out that all gates of a side together alarm at the stated rate of clean
cells, by the tail of what clean cells showed. It *fails* halfway from there to the nearest fault of full strength that
lies beyond on the whole (19 of 20 cells). A gate beyond whose warning no fault lies never fails. Limits are worked out
for each size of cell that was tried; the smallest from which on a gate can fail is the fewest sprites it can tell by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import FAIL, NAN, TOO_FEW, Evidence, Figure, Finding, Gate, Limit, Limits, level_of
from pixelreef.taste.faults import Side, faults
from pixelreef.taste.harness import CLEAN, Record
from pixelreef.taste.samples import word_of

RATE = 1 / 600
"""Clean cells that may fail."""
DETECTED = 0.95
_BULK = (0.84, 0.975, 0.99)  # quantiles of clean cells that tell how wide their tail is: 1, 2 and 2.3 deviations


def calibrated(
    records: Sequence[Record],
    gates: Mapping[Side, Sequence[Gate]],
    made: Mapping[str, Any],
    status: str = "calibrated",
    rate: float = RATE,
    base: Calibration | None = None,
) -> Calibration:
    """The limits of every gate that was tried; those of others are taken from `base`."""
    if not 0 < rate < 1:
        raise InputError("rate of false alarms", "be between 0 and 1", rate)
    found: dict[str, Limits] = dict(base.gates) if base else {}
    for side, of in gates.items():
        mine = [record for record in records if record.trial.side == side]
        for gate in of if mine else ():
            if (limits := limits_of(gate, mine, rate / len(of))) is not None:
                found[gate.name] = limits
    return Calibration(found, status, dict(made))


def limits_of(gate: Gate, records: Sequence[Record], rate: float) -> Limits | None:
    """The limits of one gate at every size that was tried; None where it was never asked."""
    sizes: dict[int, list[Record]] = defaultdict(list)
    for record in records:
        if gate.name in record.values:
            sizes[record.trial.n].append(record)
    at = [limit for n in sorted(sizes) if (limit := _limit(gate, n, sizes[n], rate)) is not None]
    if not at:
        return None
    fewest = at[0].n
    for limit in at:  # the smallest size after which no size is without a limit to fail at
        if limit.fail is None and any(one.fail is not None for one in at):
            fewest = next((one.n for one in at if one.n > limit.n), limit.n)
    return Limits(fewest, at)


def _limit(gate: Gate, n: int, records: Sequence[Record], rate: float) -> Limit | None:
    """Worked out as if high were bad; turned back at the end."""
    sign = 1.0 if gate.bad == "high" else -1.0
    clean = sign * np.array([record.values[gate.name] for record in records if record.fault == CLEAN])
    if len(clean) < 20:
        return None
    warn = clean_end(clean, rate)
    full: dict[str, list[float]] = defaultdict(list)
    for record in records:
        if record.fault != CLEAN and record.strength == faults()[record.fault].full:
            full[record.fault].append(sign * record.values[gate.name])
    nearest = [float(np.quantile(values, 1 - DETECTED)) for values in full.values() if len(values) >= 3]
    beyond = [value for value in nearest if value > warn]
    fail = (warn + min(beyond)) / 2 if beyond else None
    return Limit(n, round(sign * warn, 6), None if fail is None else round(sign * fail, 6))


def clean_end(clean: Floats, rate: float) -> float:
    """Where clean values end but for this rate of them, by the widest of three readings of their upper tail.

    Never short of the largest that was seen.

    >>> round(clean_end(np.linspace(0, 1, 101), 0.001), 2)
    1.55
    """
    from scipy.stats import norm

    middle = float(np.median(clean))
    readings = [(float(np.quantile(clean, share)) - middle) / float(norm.ppf(share)) for share in _BULK]
    return max(float(clean.max()), middle + float(norm.isf(rate)) * max(readings))


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
    return Row(side, world, n, fault, strength, len(cells), levels.count(FAIL), levels.count(TOO_FEW), words, told)


def table(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown, for docs/taste.md."""
    lines = ["| side | world | sprites per cell | fault | strength | cells | failed | | by which gates, most first |"]
    lines.append("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        gates = sorted(row.by_gate.items(), key=lambda item: (-item[1], item[0]))[:4]
        told = ", ".join(f"{gate.removeprefix('samples_')} {count}" for gate, count in gates)
        strength = f"{row.strength:g}" if row.fault != CLEAN else ""
        share = f"{row.failed / row.cells:.1%}"
        few = f", too few {row.too_few}" if row.too_few else ""
        lines.append(
            f"| {row.side} | {row.world} | {row.n} | {row.fault.replace('_', ' ')} | {strength} | {row.cells:,} "
            f"| {row.failed:,} | {share}{few} | {told} |"
        )
    return "\n".join(lines) + "\n"
