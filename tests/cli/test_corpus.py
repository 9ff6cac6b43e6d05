"""`pixelreef corpus`: one JSON document on stdout, notes on stderr, one line for a mistake."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from corpus.samples import FACTORS, blob, blobs
from typer.testing import CliRunner

from pixelreef.cli import app, run
from pixelreef.core import write_json
from pixelreef.corpus.curate import Decision, Decisions
from pixelreef.corpus.store import open_corpus, write_corpus


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_corpus(tmp_path / "a.parquet", blobs(30), FACTORS, {"by": "make"})
    made = {blob(0).hash: Decision(keep=False), blob(1).hash: Decision(weight=2), blob(99).hash: Decision()}
    write_json(tmp_path / "d.json", Decisions(open_corpus(tmp_path / "a.parquet").hash, made).document())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_show_prints_the_census(folder: Path) -> None:
    done = CliRunner().invoke(app, ["corpus", "show", "a.parquet", "--out", "s"])
    assert done.exit_code == 0
    assert done.stdout.startswith("cell       sprites  unique")
    assert done.stderr == "Wrote 8 sheets. Open s/index.html to judge 30 sprites.\n"
    done = CliRunner().invoke(app, ["corpus", "show", "a.parquet", "--cell", "crab/*", "--out", "t", "--json"])
    document = json.loads(done.stdout)
    assert (document["on_page"], list(document["census"]["by_cell"])) == (10, ["crab/low", "crab/deep"])


def test_curate_then_diff(folder: Path) -> None:
    done = CliRunner().invoke(app, ["corpus", "curate", "a.parquet", "--decisions", "d.json", "--out", "b.parquet"])
    assert (done.exit_code, done.stdout) == (0, "")
    assert "Wrote b.parquet: 29 sprites in 6 cells" in done.stderr
    assert f"{blob(99).hash}: no sprite of the corpus has this hash" in done.stderr
    done = CliRunner().invoke(app, ["corpus", "diff", "a.parquet", "b.parquet", "--out", "changed", "--json"])
    document = json.loads(done.stdout)
    assert [document[kind] for kind in ("added", "removed", "relabelled", "reweighted")] == [0, 1, 0, 1]
    assert document["sheets"] == ["changed/removed.png", "changed/reweighted.png"]
    assert CliRunner().invoke(app, ["corpus", "diff", "a.parquet", "b.parquet"]).stdout.startswith("cell      before")


def test_decisions_of_another_corpus_are_taken_with_a_note(folder: Path) -> None:
    write_corpus("c.parquet", blobs(5), FACTORS)
    arguments = ["corpus", "curate", "c.parquet", "--decisions", "d.json", "--out", "e.parquet", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert "made on another corpus" in done.stderr
    assert json.loads(done.stdout)["count"] == 4


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["show", "nothing.parquet"], "corpus 'nothing.parquet' must be a file, got nothing there."),
        (["show", "d.json"], "corpus 'd.json' must be a parquet file, got something else."),
        (["show", "a.parquet", "--cell", "x"], "--cell must name a cell of the corpus, got ['x']. It has fish/low, "),
        (["curate", "a.parquet", "--decisions", "a.parquet", "--out", "b"], "decisions 'a.parquet' must be "),
        (["diff", "a.parquet", "d.json"], "corpus 'd.json' must be a parquet file"),
    ],
)
def test_a_mistake_is_one_line(
    folder: Path,
    arguments: list[str],
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["pixelreef", "corpus", *arguments])
    assert run(app) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"pixelreef: {line}")
    assert err.count("\n") == 1


def test_dropping_everything_leaves_the_old_file(folder: Path) -> None:
    all_of_them = Decisions("", {blob(n).hash: Decision(keep=False) for n in range(30)})
    write_json(folder / "none.json", all_of_them.document())
    arguments = ["corpus", "curate", "a.parquet", "--decisions", "none.json", "--out", "a.parquet"]
    assert CliRunner().invoke(app, arguments).exit_code != 0
    assert open_corpus("a.parquet").count == 30
