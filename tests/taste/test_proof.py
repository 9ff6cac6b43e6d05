"""The shipped calibration, held to what it promises: faults at full strength are found, clean cells left alone.

`pixelreef taste calibrate --proof` does this at length (docs/taste.md has its table); here are a few trials of it, on
seeds that neither the calibration nor that table has seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pixelreef.cli.taste_samples import calibration_bench
from pixelreef.taste.calibration import shipped_calibration
from pixelreef.taste.detection import Row, rows_of
from pixelreef.taste.faults import Side, faults
from pixelreef.taste.harness import CLEAN, SAMPLES, Bench, Trial, run_trial
from pixelreef.taste.trials import PER_CELL, SIDES

SEED = 77_000_000


@pytest.fixture(scope="module")
def bench() -> Bench:
    return calibration_bench(None)


def counted(bench: Bench, trials: Sequence[Trial]) -> list[Row]:
    gates = {side: bench.gates(side) for side in SIDES}
    records = [record for trial in trials for record in run_trial(trial, bench)]
    return rows_of(records, gates, shipped_calibration())


def usual(side: Side, world: str, seed: int, clean: bool = False) -> Trial:
    return Trial(side, world, SEED + seed, PER_CELL, SAMPLES if side == "samples" else 0, clean)


def missed(rows: Sequence[Row]) -> list[tuple[str, int, int]]:
    full = [row for row in rows if row.fault != CLEAN and row.strength == faults()[row.fault].full]
    assert full
    return [(row.fault, row.failed, row.cells) for row in full if row.failed < row.cells]


def false_alarms(rows: Sequence[Row]) -> int:
    return sum(row.failed for row in rows if row.fault == CLEAN)


def test_the_shipped_limits_were_calibrated() -> None:
    shipped = shipped_calibration()
    assert shipped.status == "calibrated"
    assert {"reef", "tokens"} <= set(shipped.made["worlds"])


@pytest.mark.parametrize("side", SIDES)
def test_a_world_of_twelve_cells(bench: Bench, side: Side) -> None:
    rows = counted(bench, [usual(side, "tokens", 0), usual(side, "tokens", 1)])
    assert missed(rows) == []
    assert false_alarms(rows) == 0


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
def test_the_reef(bench: Bench, side: Side) -> None:
    trials = [usual(side, "reef", number) for number in range(4)]
    rows = counted(bench, [*trials, usual(side, "reef", 10, clean=True), usual(side, "reef", 11, clean=True)])
    assert sum(cells - failed for _, failed, cells in missed(rows)) <= 1  # of about thirty
    assert false_alarms(rows) == 0
