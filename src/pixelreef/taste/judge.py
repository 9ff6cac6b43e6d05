"""Judging a corpus: stages are run in turn, their gates asked, and each cell gets its verdict.

judged = judge_corpus(sprites_from_corpus(open_corpus("reef.parquet")), budget=180)
judged.level, judged.cells["coral/abyss"].reasons
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pixelreef.errors import InputError
from pixelreef.taste.calibration import Calibration, shipped_calibration
from pixelreef.taste.census import Census
from pixelreef.taste.evidence import FAIL, LEVELS, CellVerdict, Evidence, Level, level_of
from pixelreef.taste.labels import Labels
from pixelreef.taste.learnability import Learnability
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.stage import Stage, StageRun, within_budget
from pixelreef.taste.standing_out import standing_out
from pixelreef.taste.texture import Texture, textures

Told = Callable[[str, float, float], None]
"""Hears the stage, the share of it that is done, and the seconds that are left for all, by estimate."""


@dataclass(frozen=True, eq=False)
class Judgement:
    """The verdict on every cell, and what it rests on. Of a corpus or of samples."""

    kind: Literal["corpus", "samples"]
    sprites: Sprites
    """What was judged; `shown` in the evidence names places among these."""
    cells: Mapping[str, CellVerdict]
    """In the order of the factors' values."""
    runs: Sequence[StageRun]
    calibration: Calibration
    seed: int
    notes: Sequence[str] = ()
    against: Sprites | None = None
    """The real sprites that samples were held against."""
    sources: Mapping[str, CellVerdict] = field(default_factory=dict)
    """The texture of each source, where there are several and the stage was run; no part of `level`."""
    stands_out: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Of a corpus: cell → the gates in which it stands out among the cells, and how far; no part of `level`."""

    @property
    def level(self) -> Level:
        """The level that decides first among the cells'."""
        found = {verdict.level for verdict in self.cells.values()}
        return next((level for level in LEVELS if level in found), "pass")

    @property
    def failed(self) -> list[str]:
        """The cells that fail."""
        return [cell for cell, verdict in self.cells.items() if verdict.level == FAIL]

    def hardest(self) -> list[tuple[str, float]]:
        """The cells that stand out, and by how many spreads in all gates together, the most first."""
        totals = {cell: sum(of.values()) for cell, of in self.stands_out.items() if of}
        return sorted(totals.items(), key=lambda pair: -pair[1])

    def record(self) -> dict[str, Any]:
        """What a record of iterations keeps of it, as JSON values; losses where a stage trained a model."""
        told = [(cell, one) for cell, verdict in self.cells.items() for one in verdict.evidence.values()]
        bits = {cell: one.value("bits") for cell, one in told if math.isfinite(one.value("bits"))}
        return {
            "calibration": self.calibration.hash,
            "verdicts": {cell: verdict.word for cell, verdict in self.cells.items()},
            "losses": bits,
            "made": {
                "sprites": len(self.sprites),
                "seed": self.seed,
                "stages": [run.name for run in self.runs if run.seconds is not None],
            },
        }

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "format": "pixelreef-judgement",
            "version": 1,
            "kind": self.kind,
            "level": self.level,
            "sprites": len(self.sprites),
            "seed": self.seed,
            "calibration": {"status": self.calibration.status, "hash": self.calibration.hash},
            "stages": [
                {"name": run.name, "estimate": round(run.estimate, 2), "seconds": run.seconds and round(run.seconds, 2)}
                for run in self.runs
            ],
            "notes": [*self.sprites.notes, *self.notes],
            "factors": {name: list(values) for name, values in self.sprites.factors.items()},
            "cells": {
                cell: {**verdict.document(), "stands_out": dict(self.stands_out.get(cell, {}))}
                for cell, verdict in self.cells.items()
            },
            "sources": {source: verdict.document() for source, verdict in self.sources.items()},
        }


def judge_corpus(
    sprites: Sprites,
    stages: Sequence[Stage] | None = None,
    *,
    budget: float | None = None,
    calibration: Calibration | None = None,
    seed: int = 0,
    progress: Told | None = None,
) -> Judgement:
    """Run the stages that fit a budget in seconds, and judge every cell that has sprites."""
    given = list(STAGES if stages is None else stages)
    if len({stage.name for stage in given}) < len(given) or not given:
        raise InputError("stages", "be at least one, each of another name", [stage.name for stage in given])
    limits = calibration or shipped_calibration()
    chosen = within_budget(given, sprites, budget)
    evidence, runs = _run(given, chosen, sprites, seed, progress or (lambda name, done, left: None))
    cells = {
        cell: verdict_of(cell, len(places), chosen, {name: found[cell] for name, found in evidence.items()}, limits)
        for cell, places in sprites.by_cell.items()
        if len(places)
    }
    sources = _sources(sprites, chosen, limits)
    out = _stands_out(cells, chosen, limits)
    return Judgement("corpus", sprites, cells, runs, limits, seed, sources=sources, stands_out=out)


def _stands_out(
    cells: Mapping[str, CellVerdict], stages: Sequence[Stage], limits: Calibration
) -> dict[str, dict[str, float]]:
    gates = [gate for stage in stages for gate in stage.gates]
    values = {
        cell: {gate.name: verdict.evidence[gate.stage].value(gate.figure) for gate in gates}
        for cell, verdict in cells.items()
    }
    return standing_out(values, {cell: verdict.n for cell, verdict in cells.items()}, gates, limits)


def _sources(sprites: Sprites, stages: Sequence[Stage], calibration: Calibration) -> dict[str, CellVerdict]:
    looked = [stage for stage in stages if isinstance(stage, Texture)]
    if len(sprites.sources) < 2 or not looked:
        return {}
    groups = sprites.by_source().by_cell
    return {
        source: verdict_of(source, found.n, looked, {looked[0].name: found}, calibration)
        for source, found in textures(sprites, groups).items()
    }


def verdict_of(
    cell: str, n: int, stages: Sequence[Stage], evidence: Mapping[str, Evidence], calibration: Calibration
) -> CellVerdict:
    """The findings of all gates of all stages that were run, and the level that follows."""
    asked = [
        gate.judge(evidence[stage.name], calibration.limits(gate.name)) for stage in stages for gate in stage.gates
    ]
    findings = tuple(finding for finding in asked if finding is not None)
    level = level_of(findings)
    return CellVerdict(cell, n, level, level, findings, evidence)


def _run(
    given: Sequence[Stage], chosen: Sequence[Stage], sprites: Sprites, seed: int, tell: Told
) -> tuple[dict[str, Mapping[str, Evidence]], list[StageRun]]:
    prices = {stage.name: stage.cost(sprites) for stage in given}
    left = sum(prices[stage.name] for stage in chosen)
    evidence: dict[str, Mapping[str, Evidence]] = {}
    taken: dict[str, float] = {}
    for stage in chosen:
        left -= prices[stage.name]
        start = time.perf_counter()
        evidence[stage.name] = stage.run(sprites, seed, _teller(tell, stage.name, prices[stage.name], left))
        taken[stage.name] = time.perf_counter() - start
    return evidence, [StageRun(name, price, taken.get(name)) for name, price in prices.items()]


def _teller(tell: Told, name: str, price: float, after: float) -> Callable[[float], None]:
    return lambda done: tell(name, done, price * (1 - done) + after)


STAGES: tuple[Stage, ...] = (Census(), Texture(), Labels(), Learnability())
"""Each costs more than the one before it."""
