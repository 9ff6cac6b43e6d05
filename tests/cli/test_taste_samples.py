"""`pixelreef taste samples | compare | calibrate`, through the real entry point."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pixelreef.cli import app, run
from pixelreef.core.files import write_json
from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.store import write_corpus
from pixelreef.taste.calibration import Calibration, read_calibration
from pixelreef.taste.evidence import Limit, Limits
from pixelreef.taste.harness import read_records
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.worlds import tokens

MADE = tokens().make(2, 36)
BAD = "gem/red"


def entries(sprites: Sprites) -> list[Entry]:
    return [
        Entry(cells, sprites.palette, Origin("made"), sprites.values_of(cell))
        for cells, cell in zip(sprites.cells, sprites.labels(), strict=True)
    ]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """real.parquet, good.parquet, a folder `bad` of pictures with one cell of blanks, limits.json."""
    monkeypatch.chdir(tmp_path)
    real = MADE.at(np.concatenate([of[:24] for of in MADE.by_cell.values()]))
    good = MADE.at(np.concatenate([of[24:] for of in MADE.by_cell.values()]))
    write_corpus("real.parquet", entries(real), MADE.factors)
    write_corpus("good.parquet", entries(good), MADE.factors)
    for number, (cells, cell) in enumerate(zip(good.cells, good.labels(), strict=True)):
        path = Path("bad", cell, f"{number}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png_from_rgba(good.palette.rgba[cells * np.uint8(cell != BAD)]))
    limits = {"samples_empty": (0.1, 0.3), "samples_kernel": (2.0, None)}
    gates = {name: Limits(10, [Limit(10, *of)]) for name, of in limits.items()}
    write_json("limits.json", Calibration(gates).document())
    return tmp_path


def said(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["pixelreef", "taste", *arguments])
    return run(app)


LIMITS = ("--calibration", "limits.json")


def test_good_samples_exit_0(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(monkeypatch, "samples", "good.parquet", "--against", "real.parquet", *LIMITS, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["kind"], document["level"], len(document["cells"])) == ("samples", "pass", 12)
    assert {cell["verdict"] for cell in document["cells"].values()} == {"learned"}


def test_a_bad_cell_exits_1_and_is_shown(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, "samples", "bad", "--against", "real.parquet", *LIMITS, "--out", "judged") == 1
    told = capsys.readouterr()
    assert "empty" in told.out
    assert "1 of 12 cells were not learned: gem/red" in told.err
    written = {str(path.relative_to("judged")) for path in Path("judged").rglob("*") if path.is_file()}
    assert written == {"index.html", "judgement.json", "samples.png", "cells/gem-red.png"}
    assert json.loads(Path("judged/judgement.json").read_text())["cells"][BAD]["verdict"] == "empty"


def test_too_few_exit_0_and_say_how_many_more(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = MADE.at(np.concatenate([of[24:28] for of in MADE.by_cell.values()]))
    write_corpus("few.parquet", entries(few), MADE.factors)
    assert said(monkeypatch, "samples", "few.parquet", "--against", "real.parquet", *LIMITS) == 0
    assert "6 more sprites are needed" in capsys.readouterr().out


def test_compare_samples_and_judgements(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said(monkeypatch, "compare", "good.parquet", "bad", "--against", "real.parquet", *LIMITS, "--json") == 0
    found = {one["cell"]: one["verdict"] for one in json.loads(capsys.readouterr().out)}
    assert found.pop(BAD) == "worse"
    assert set(found.values()) == {"same"}
    for name in ("good.parquet", "bad"):
        said(monkeypatch, "samples", name, "--against", "real.parquet", *LIMITS, "--out", f"{name}.judged")
    capsys.readouterr()
    judged = [str(Path(f"{name}.judged", "judgement.json")) for name in ("bad", "good.parquet")]
    assert said(monkeypatch, "compare", *judged) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert next(line[1] for line in lines if line[0] == BAD) == "better"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("samples", "none", "--against", "real.parquet"), "be a folder, got nothing there"),
        (("samples", "good.parquet", "--against", "none.parquet"), "be a file, got nothing there"),
        (("samples", "good.parquet", "--against", "real.parquet", "--calibration", "good.parquet"), "calibration"),
        (("compare", "good.parquet", "--against", "real.parquet"), "be at least two"),
        (("compare", "limits.json", "limits.json/../limits.json"), "must"),
        (("calibrate", "--out", "made", "--side", "moon"), "be corpus or samples"),
    ],
)
def test_wrong_input_is_one_line(
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    assert said(monkeypatch, *arguments) == 2
    told = capsys.readouterr().err.strip().splitlines()
    assert message in told[-1]
    assert told[-1].startswith("pixelreef: ")


@pytest.mark.slow
def test_calibrate_end_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said(monkeypatch, "calibrate", "--out", "made", "--rounds", "1", "--side", "samples") == 0
    limits = read_calibration("made/calibration.json")
    assert limits.status == "calibrated"
    assert "samples_density" in limits.gates
    assert (
        len(list(read_records("made/trials.jsonl"))) == 16
    )  # one round: four usual ones, and four sizes of three worlds
    assert "| samples | reef | 64 | clean |" in capsys.readouterr().out
