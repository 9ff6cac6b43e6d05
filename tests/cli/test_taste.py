"""`pixelreef taste corpus`: verdicts on stdout, progress on stderr, exit 1 when a cell fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from taste.reefs import CELLS, LIMITS, reef, spoilt
from typer.testing import CliRunner

from pixelreef.cli import app, run
from pixelreef.core import write_json
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.store import write_corpus
from pixelreef.errors import GateFailed
from pixelreef.taste.sprites import Sprites


def written(path: Path, sprites: Sprites) -> str:
    entries = [
        Entry(cells, sprites.palette, Origin("reef"), sprites.values_of(sprites.names[cell]))
        for cell, cells in zip(sprites.cell.tolist(), sprites.cells, strict=True)
    ]
    write_corpus(path, entries, sprites.factors)
    return str(path)


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("bad") / "bad.parquet", spoilt(reef(), "coral/hadal", "shuffled"))


@pytest.fixture(scope="module")
def limits(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = write_json(tmp_path_factory.mktemp("limits") / "limits.json", LIMITS.document())
    return ["--calibration", str(path)]


def test_a_failing_cell_exits_1_with_a_page(
    bad: str, limits: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sys.argv = [
        "pixelreef",
        "taste",
        "corpus",
        bad,
        "--stages",
        "texture,census",
        "--out",
        str(tmp_path / "out"),
        *limits,
    ]
    assert run(app) == 1
    out, err = capsys.readouterr()
    assert "6 cells: 5 pass, 1 fail" in out
    assert "texture: about" in err
    assert err.endswith("pixelreef: 1 of 6 cells fail: coral/hadal\n")
    assert (tmp_path / "out" / "index.html").exists()
    assert json.loads((tmp_path / "out" / "judgement.json").read_text())["level"] == "fail"


def test_json_is_one_document_also_when_a_cell_fails(bad: str, limits: list[str]) -> None:
    done = CliRunner().invoke(app, ["taste", "corpus", bad, "--stages", "texture", "--json", "--note", "hi", *limits])
    assert isinstance(done.exception, GateFailed)
    document = json.loads(done.stdout)
    assert (document["note"], set(document["cells"])) == ("hi", set(CELLS))
    assert [run["name"] for run in document["stages"]] == ["texture"]


def test_too_few_to_tell_exits_0(tmp_path: Path, limits: list[str]) -> None:
    few = reef().at(np.concatenate([reef().of(cell)[:3] for cell in CELLS]))
    done = CliRunner().invoke(
        app, ["taste", "corpus", written(tmp_path / "few.parquet", few), "--stages", "census", *limits]
    )
    assert done.exit_code == 0
    assert "more sprites are needed" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            ["--stages", "census,smell"],
            "--stages must be some of census, texture, labels, learnability, got ['smell'].",
        ),
        (["--budget", "soon"], "--budget must be a time such as 90s, 3m or 1h, got 'soon'."),
        (["--budget", "0.01s"], "--budget must allow the cheapest stage"),
        (["--calibration", "none.json"], "must exist"),
    ],
)
def test_a_mistake_is_one_line(bad: str, options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    sys.argv = ["pixelreef", "taste", "corpus", bad, *options]
    assert run(app) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
