"""From what the gates saw of clean and faulty cells to their limits, and what those limits then find.

Clean cells of any world *end* so far out that all gates of a side together alarm at the stated rate of clean cells, by
the tail of what clean cells showed; but never further than halfway from the furthest clean cell to the furthest that
any cell showed, since a share has no tail beyond 0 and 1. Each fault is answered for by the two gates that see it best:
those where, at full strength and in 19 of 20 cells, it lies furthest beyond the furthest clean cell, in spreads of
clean cells, and a quarter of one at the least. For these, clean cells end a third of the way to the nearest of their
faults, if not before, and the gate *fails* halfway from there to the fault; a gate that answers for none only warns. A
gate *warns* halfway from the end to the nearest fault at its weak strength that lies beyond it in 19 of 20 cells; where
none does, at the end. Limits are worked out for each size of cell that was tried. A gate can tell from the size on at
which each of its faults is told by one of the gates that answer for it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from pixelreef.core.colour import Floats
from pixelreef.errors import InputError
from pixelreef.taste.calibration import Calibration
from pixelreef.taste.evidence import Gate, Limit, Limits
from pixelreef.taste.faults import Side, faults
from pixelreef.taste.harness import CLEAN, Record

RATE = 1 / 600
"""Clean cells that may fail."""
DETECTED = 0.95
_ANSWERING = 2  # gates for each fault
_FEWEST_CLEAN, _FEWEST_FAULTY = 20, 5  # cells of one size
_LEAST_TAIL = 0.02
_APART = 0.25  # spreads of clean cells, which a fault must lie beyond the furthest of them to be told
_HEAVY = (
    1.25  # tails are heavier than a normal's; with it, those of Student's t of five degrees are held to twice the rate
)
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
        seen = {gate.name: Seen(gate, mine, rate / len(of)) for gate in of}
        asked = {name: one for name, one in seen.items() if one.tails}
        answers = answers_of(list(asked.values()))
        blind = blind_sizes(asked, answers)
        found |= {name: one.limits(answers[name], blind[name]) for name, one in asked.items()}
    return Calibration(found, status, dict(made))


BySize: TypeAlias = dict[str, dict[int, list[float]]]
"""Fault → size of a cell → what the gate saw of cells with it."""


class Seen:
    """What one gate saw, turned so that high is bad."""

    def __init__(self, gate: Gate, records: Sequence[Record], rate: float) -> None:
        self.gate = gate
        self.sign = 1.0 if gate.bad == "high" else -1.0
        clean: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        self.full: BySize = defaultdict(lambda: defaultdict(list))
        self.weak: BySize = defaultdict(lambda: defaultdict(list))
        for record in records:
            value = self.sign * record.values.get(gate.name, math.nan)
            if math.isnan(value):
                continue
            if record.fault == CLEAN:
                clean[record.trial.n][record.trial.world].append(value)
            elif record.strength == faults()[record.fault].full:
                self.full[record.fault][record.trial.n].append(value)
            elif record.strength == faults()[record.fault].weak:
                self.weak[record.fault][record.trial.n].append(value)
        spoilt = max((one for sizes in self.full.values() for of in sizes.values() for one in of), default=math.inf)
        together = {n: [one for of in worlds.values() for one in of] for n, worlds in clean.items()}
        told = {*(one for of in together.values() for one in of), spoilt} - {math.inf}
        tails = {n: _worst_end(worlds, rate, spoilt) for n, worlds in sorted(clean.items())}
        self.tails = {n: tail for n, tail in tails.items() if tail is not None and len(told) > 1}
        """Size of a cell → where clean ones end by their tail; none where all cells show the same."""
        self.worst = {n: max(together[n]) for n in self.tails}
        """Size of a cell → the furthest clean one."""
        self.usual = max(self.tails, key=lambda n: (len(together[n]), n), default=0)
        self._width = self._spread(np.array(together[self.usual])) if self.tails else 1.0

    def _spread(self, clean: Floats) -> float:
        """From the median to the furthest clean cell; where all are equal, a part of all that the gate can show."""
        span = [value for sizes in self.full.values() for values in sizes.values() for value in values]
        whole = float(np.ptp(np.concatenate([clean, span])))
        return max(self.worst[self.usual] - float(np.median(clean)), _LEAST_TAIL * whole, 1e-9)

    def nearest(self, fault: str, n: int) -> float:
        """What 19 of 20 cells with this fault at full strength are beyond."""
        return _beyond(self.full[fault], n)

    def separation(self, fault: str) -> float:
        """How far beyond the furthest clean cell a fault lies, in spreads of clean cells."""
        return (self.nearest(fault, self.usual) - self.worst[self.usual]) / self._width if fault in self.full else 0.0

    def tells(self, fault: str, n: int) -> bool:
        """Whether the fault lies apart from clean cells of this size."""
        return n in self.worst and self.nearest(fault, n) - self.worst[n] > _APART * self._width

    def limits(self, answers: Sequence[str], blind: Sequence[int] = ()) -> Limits:
        """The limits at each size, for the faults that the gate answers for; none of them is told at the blind ones."""
        at = [self._limit(n, [fault for fault in answers if self.tells(fault, n)]) for n in self.tails]
        return Limits(next(limit.n for limit in at if limit.n > max(blind, default=0)), at)

    def _limit(self, n: int, faults_told: Sequence[str]) -> Limit:
        end, fail = self.tails[n], None
        if faults_told:
            near = min(self.nearest(fault, n) for fault in faults_told)
            end = min(end, self.worst[n] + (near - self.worst[n]) / 3)
            fail = (end + near) / 2
        told = [beyond for beyond in (_beyond(sizes, n) for sizes in self.weak.values()) if beyond > end]
        warn = min((end + min(told, default=end)) / 2, math.inf if fail is None else fail)
        return Limit(n, round(self.sign * warn, 6), None if fail is None else round(self.sign * fail, 6))


def _beyond(sizes: Mapping[int, Sequence[float]], n: int) -> float:
    """What 19 of 20 cells are beyond: of this size, and of the next ones where these are few."""
    values: list[float] = []
    for size in sorted(sizes, key=lambda size: abs(math.log(size / n))):
        values += sizes[size] if len(values) < _FEWEST_FAULTY else []
    return float(np.quantile(values, 1 - DETECTED))


def _worst_end(worlds: Mapping[str, Sequence[float]], rate: float, furthest: float) -> float | None:
    """Where clean cells of any world end, each world by its own tail; None without a world of enough cells.

    Two generators make two humps, and a tail that is read across both reaches far beyond either.
    """
    ends = [clean_end(np.array(values), rate) for values in worlds.values() if len(values) >= _FEWEST_CLEAN]
    worst = max(max(values) for values in worlds.values())
    return max(worst, min(max(ends), (worst + furthest) / 2)) if ends else None


def answers_of(seen: Sequence[Seen]) -> dict[str, list[str]]:
    """Gate → the faults that it answers for: of each fault, the two gates that see it best."""
    found: dict[str, list[str]] = {one.gate.name: [] for one in seen}
    for fault in sorted({fault for one in seen for fault in one.full}):
        best = sorted(seen, key=lambda one: (-one.separation(fault), one.gate.name))[:_ANSWERING]
        for one in best:
            if one.separation(fault) > _APART:
                found[one.gate.name].append(fault)
    return found


def blind_sizes(seen: Mapping[str, Seen], answers: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """Gate → sizes below the usual at which one of its faults is told by none of the gates that answer for it."""
    by_fault = defaultdict(list)
    for gate, of in answers.items():
        for fault in of:
            by_fault[fault].append(seen[gate])
    return {
        gate: [
            n
            for n in seen[gate].tails
            if n < seen[gate].usual and not all(any(one.tells(fault, n) for one in by_fault[fault]) for fault in of)
        ]
        for gate, of in answers.items()
    }


def clean_end(clean: Floats, rate: float) -> float:
    """Where clean values end but for this rate of them, by the widest of three readings of their upper tail.

    Never short of the largest that was seen.

    >>> round(clean_end(np.linspace(0, 1, 101), 0.001), 2)
    1.82
    """
    from scipy.stats import norm

    middle = float(np.median(clean))
    readings = [(float(np.quantile(clean, share)) - middle) / float(norm.ppf(share)) for share in _BULK]
    return max(float(clean.max()), middle + _HEAVY * float(norm.isf(rate)) * max(readings))
