"""The harness: faults are planted in the cells of good corpora and samples, and what every gate sees is written down.

A *trial* is one corpus, or one set of samples against one, with faults in up to half of its cells. Its evidence is one
line of a JSON-lines file, appended when it is done; a run that was stopped goes on with the trials that are missing.
`calibrate` reads the lines; nothing here knows a limit.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pixelreef.core.files import read_bytes
from pixelreef.core.grid import Cells
from pixelreef.core.seeds import derive, rng
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError, FileError, InputError
from pixelreef.taste.evidence import Evidence, Gate
from pixelreef.taste.faults import Material, Side, faults
from pixelreef.taste.faults.fault import Draw, Fault
from pixelreef.taste.photo_folder import Photographs
from pixelreef.taste.samples import SAMPLE_STAGES, sample_evidence
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.stage import Stage
from pixelreef.taste.worlds import World

MOST_FAULTY = 15  # cells of one trial, and never more than half of them
SAMPLES = 64  # of a cell, where a trial does not say
MAX_BYTES = 512 * 2**20
CLEAN = "clean"

Fit = Callable[[Sprites, str], Draw]
"""Sprites and a cell → the learner fitted on them."""


@dataclass(frozen=True)
class Trial:
    """What is tried, told by numbers and names alone: the same trial gives the same evidence."""

    side: Side
    world: str
    seed: int
    per_cell: int
    """Real sprites of a cell."""
    samples: int = 0
    """Of a cell; 0 on the side of corpora."""
    clean: bool = False
    """No faults at all."""

    @property
    def n(self) -> int:
        """The number that limits go by: sprites of a cell, or the smaller of samples and real ones."""
        return min(self.per_cell, self.samples) if self.side == "samples" else self.per_cell


@dataclass(frozen=True)
class Record:
    """What the gates saw of one cell."""

    trial: Trial
    cell: str
    fault: str
    """`clean` where none was planted."""
    strength: float
    values: Mapping[str, float]
    """Gate → its figure; a gate that has none is not there."""
    n: int


@dataclass(frozen=True, eq=False)
class Bench:
    """All that trials need: the worlds they name, the stages of corpora, the learner, photographs."""

    worlds: Mapping[str, World]
    stages: Sequence[Stage] = ()
    fit: Fit | None = None
    photographs: Photographs | None = None
    """Real ones; made by code where there are none."""

    def made(self, world: str, seed: int, per_cell: int) -> Sprites:
        if world not in self.worlds:
            raise InputError("world", f"be one of {', '.join(self.worlds)}", world)
        return _made(self.worlds[world], seed, per_cell)

    def gates(self, side: Side) -> list[Gate]:
        """Every gate of one side."""
        stages: Sequence[Any] = self.stages if side == "corpus" else SAMPLE_STAGES
        return [gate for stage in stages for gate in stage.gates]


@lru_cache(maxsize=3)
def _made(world: World, seed: int, per_cell: int) -> Sprites:
    return world.make(seed, per_cell)


def planted(trial: Trial, cells: Sequence[str], with_learner: bool) -> dict[str, tuple[str, float, str]]:
    """Cell → (fault, strength, partner): mixed kinds, half at full strength, a quarter at the weak one.

    Labels are mixed between two cells, so both of a pair are faulty.
    """
    if trial.clean:
        return {}
    random = rng(trial.seed, "planted", trial.side, trial.per_cell, trial.samples)
    known = [one for one in faults().values() if trial.side in one.applies and (with_learner or one.name != "learner")]
    order = [cells[place] for place in random.permutation(len(cells))]
    faulty, sound = order[: min(MOST_FAULTY, len(cells) // 2)], order[min(MOST_FAULTY, len(cells) // 2) :]
    kinds = [known[place] for place in random.permutation(len(known))]
    plan: dict[str, tuple[str, float, str]] = {}
    turn = 0
    while faulty:
        fault = kinds[turn % len(kinds)]
        strength = _strength(fault, random)
        turn += 1
        cell = faulty.pop()
        if fault.name != "mixed":
            plan[cell] = (fault.name, strength, sound[0] if sound else cell)
        elif faulty:
            partner = faulty.pop()
            plan[cell], plan[partner] = (fault.name, strength, partner), (fault.name, strength, cell)
    return plan


def _strength(fault: Fault, random: np.random.Generator) -> float:
    drawn = random.random()
    others = [one for one in fault.strengths if one not in (fault.full, fault.weak)]
    if drawn < 0.5 or not others:
        return fault.full
    return fault.weak if drawn < 0.75 else float(random.choice(others))


def run_trial(trial: Trial, bench: Bench) -> list[Record]:
    """Make, plant, look."""
    samples = trial.side == "samples"
    made = bench.made(trial.world, trial.seed, trial.per_cell + (trial.samples if samples else 0))
    real = made.at(_places(made, 0, trial.per_cell))
    good = made.at(_places(made, trial.per_cell, trial.samples)) if samples else real
    plan = planted(trial, made.names, bench.fit is not None)
    spoilt = good.changed(_spoilt(trial, bench, good, real, plan))
    seed = derive(trial.seed, "trial") >> 1  # seeds are below 2⁶³
    if samples:
        found: Mapping[str, Mapping[str, Evidence]] = sample_evidence(spoilt, real, seed)[0]
    else:
        found = corpus_evidence(spoilt, bench.stages, seed)
    gates = bench.gates(trial.side)
    return [_record(trial, cell, plan.get(cell), found[cell], gates) for cell in made.names]


def corpus_evidence(sprites: Sprites, stages: Sequence[Stage], seed: int) -> dict[str, dict[str, Evidence]]:
    """Cell → stage → evidence, before any gate is asked."""
    found: dict[str, dict[str, Evidence]] = {cell: {} for cell in sprites.names}
    for stage in stages:
        for cell, evidence in stage.run(sprites, seed, lambda done: None).items():
            found[cell][stage.name] = evidence
    return found


def _places(sprites: Sprites, first: int, count: int) -> list[int]:
    return [int(place) for of in sprites.by_cell.values() for place in of[first : first + count]]


def _spoilt(
    trial: Trial, bench: Bench, good: Sprites, real: Sprites, plan: Mapping[str, tuple[str, float, str]]
) -> Cells:
    cells = good.cells.copy()
    for cell, (fault, strength, partner) in plan.items():
        material = Material(
            good.cells[good.of(cell)],
            good.cells[good.of(partner)],
            real.cells[real.of(cell)],
            good.palette,
            bench.photographs(good.cells.shape[1:], good.palette) if bench.photographs else None,
            bench.fit(real, cell) if bench.fit is not None and fault == "learner" else None,
        )
        random = rng(trial.seed, "spoilt", trial.side, cell)
        cells[good.of(cell)] = faults()[fault].spoilt(material, strength, random)
    return cells


def _record(
    trial: Trial,
    cell: str,
    plan: tuple[str, float, str] | None,
    evidence: Mapping[str, Evidence],
    gates: Sequence[Gate],
) -> Record:
    asked = [(gate, evidence[gate.stage]) for gate in gates if gate.stage in evidence]
    values = {gate.name: one.value(gate.figure) for gate, one in asked if math.isfinite(one.value(gate.figure))}
    fault, strength = plan[:2] if plan else (CLEAN, 0.0)
    return Record(trial, cell, fault, strength, values, min((one.n for _, one in asked), default=0))


def run_trials(
    trials: Sequence[Trial],
    bench: Bench,
    path: str | os.PathLike[str],
    progress: Callable[[int, int, float], None] | None = None,
) -> list[Record]:
    """Run what is not in the file yet, and give the records of all; `progress` hears done, of, seconds left."""
    known = dict(read_records(path))
    todo = [trial for trial in dict.fromkeys(trials) if trial not in known]
    began = time.perf_counter()
    for number, trial in enumerate(todo, 1):
        start = time.perf_counter()
        known[trial] = run_trial(trial, bench)
        _append(path, trial, known[trial], time.perf_counter() - start)
        if progress:
            progress(number, len(todo), (time.perf_counter() - began) / number * (len(todo) - number))
    return [record for trial in trials for record in known[trial]]


def _append(path: str | os.PathLike[str], trial: Trial, records: Iterable[Record], seconds: float) -> None:
    cells = [[one.cell, one.fault, one.strength, one.n, dict(one.values)] for one in records]
    line = json.dumps({"trial": asdict(trial), "seconds": round(seconds, 2), "cells": cells}, allow_nan=False)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    # A run that was killed may have left half a line: the next one starts on its own.
    broken = target.exists() and target.stat().st_size and not target.read_bytes().endswith(b"\n")
    with target.open("a", encoding="utf-8") as file:
        file.write(("\n" if broken else "") + line + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_records(path: str | os.PathLike[str]) -> Iterator[tuple[Trial, list[Record]]]:
    """The trials of a file, in order; lines that are no trial are passed over, as half a line of a killed run is."""
    if not Path(path).exists():
        return
    for line in read_bytes(path, MAX_BYTES).splitlines():
        try:
            read = json_from_bytes(line, "trial")
            trial = Trial(**read["trial"])
            records = [
                Record(trial, str(cell), str(fault), float(strength), _numbers(values), int(n))
                for cell, fault, strength, n, values in read["cells"]
            ]
        except (DocumentError, FileError, KeyError, TypeError, ValueError):
            continue
        yield trial, records


def _numbers(values: Mapping[str, Any]) -> dict[str, float]:
    return {str(gate): float(value) for gate, value in values.items() if np.isfinite(value)}
