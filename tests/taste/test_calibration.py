"""Calibrations: what is read is what was written, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pixelreef.core import write_json
from pixelreef.errors import DocumentError
from pixelreef.taste.calibration import Calibration, calibration_from_document, read_calibration, shipped_calibration
from pixelreef.taste.evidence import Limit, Limits
from pixelreef.taste.judge import STAGES

MADE = Calibration({"orphans": Limits(10, (Limit(25, None, 0.3), Limit(200, 0.1, 0.2)))}, "calibrated", {"seeds": [1]})


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = write_json(tmp_path / "c.json", MADE.document())
    read = read_calibration(path)
    assert read == MADE
    assert read.hash == MADE.hash


def test_every_gate_of_every_stage_has_a_name_of_its_own_and_shipped_limits() -> None:
    names = [gate.name for stage in STAGES for gate in stage.gates]
    assert len(set(names)) == len(names)
    assert all(gate.stage == stage.name for stage in STAGES for gate in stage.gates)
    shipped = shipped_calibration()
    assert shipped.status in ("provisional", "calibrated")
    assert any(shipped.limits(name) for name in names)


def test_the_hash_covers_everything() -> None:
    others = [
        Calibration(MADE.gates, "provisional", MADE.made),
        Calibration(MADE.gates, "calibrated", {"seeds": [2]}),
        Calibration({"orphans": Limits(11, MADE.gates["orphans"].at)}, "calibrated", MADE.made),
        Calibration({"orphans": Limits(10, (Limit(25, None, 0.31), Limit(200, 0.1, 0.2)))}, "calibrated", MADE.made),
    ]
    assert len({MADE.hash, *(other.hash for other in others)}) == 5


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 2},
        {"status": "guessed"},
        {"gates": []},
        {"hash": "0" * 32},
        {"gates": {"orphans": {"fewest": 0, "at": []}}},
        {"gates": {"orphans": {"fewest": 3, "at": [{"n": 5, "warn": "x", "fail": None}]}}},
        {"gates": {"orphans": {"fewest": 3, "at": [{"n": 5, "warn": 1, "fail": 2}, {"n": 5, "warn": 1, "fail": 2}]}}},
        {"gates": {"orphans": {"fewest": True, "at": []}}},
        {"gates": {"orphans": [1]}},
    ],
)
def test_a_changed_file_is_one_line(change: dict[str, Any]) -> None:
    with pytest.raises(DocumentError):
        calibration_from_document({**MADE.document(), **change})


def test_limits_changed_by_hand_are_noticed() -> None:
    document = MADE.document()
    document["gates"]["orphans"]["at"][0]["fail"] = 0.9
    with pytest.raises(DocumentError, match="hash of its content"):
        calibration_from_document(document)
