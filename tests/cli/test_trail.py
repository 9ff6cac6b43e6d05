"""`pixelreef trail`, and the records that other commands leave: one line each, off when told, never in their way."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sprite_models import perturbed, small_config, weights
from sprites.small_corpora import reef_corpus
from taste.reefs import LIMITS
from trail.histories import history

from pixelreef.cli import app, run
from pixelreef.core.files import write_json
from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.curate import Decision, Decisions
from pixelreef.corpus.store import open_corpus
from pixelreef.sprites.weights import hash_of_file, read_weights, write_weights
from pixelreef.trail.file import append_record, read_trail


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("PIXELREEF_TRAIL")
    monkeypatch.setattr(sys, "argv", [])  # and what it was afterwards
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(*arguments: str) -> int:
    sys.argv = ["pixelreef", *arguments]
    return run(app)


def records(path: str = "trail.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


MAKE = ("corpus", "make", "--per-cell", "2", "--size", "16", "--cell", "coral/abyss", "--out", "a.parquet")


def test_a_corpus_leaves_a_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(*MAKE, "--note", "it's small") == 0
    (one,) = records()
    assert one["kind"] == "corpus"
    assert one["command"].endswith("--out a.parquet --note 'it'\"'\"'s small'")
    assert one["corpus"] == open_corpus("a.parquet").hash
    assert (one["recipe"]["name"], one["recipe"]["fields"]["seed"]) == ("make", 0)
    assert one["made"] == {"path": "a.parquet", "count": 2, "cells": 1, "parents": []}
    assert one["note"] == "it's small"
    assert 0 <= one["minutes"] < 5
    assert capsys.readouterr().err == ""


def test_every_way_to_a_corpus_leaves_one(folder: Path) -> None:
    said(*MAKE)
    Path("pictures").mkdir()
    tile = np.zeros((16, 16, 4), np.uint8)
    tile[4:12, 4:12] = (200, 40, 90, 255)
    Path("pictures/a.png").write_bytes(png_from_rgba(tile))
    assert said("corpus", "folder", "pictures", "--licence", "CC0-1.0", "--out", "f.parquet") == 0
    assert said("corpus", "sheet", "pictures/a.png", "--cell", "16", "--preview", "cut.png", "--out", "s.parquet") == 0
    assert said("corpus", "photos", "pictures", "--size", "16", "--out", "p.parquet") == 0
    assert said("corpus", "mix", "a.parquet", "f.parquet", "--palette", "reef", "--out", "m.parquet") == 0
    write_json("d.json", Decisions(open_corpus("a.parquet").hash, {"ab" * 16: Decision(keep=False)}).document())
    assert said("corpus", "curate", "a.parquet", "--decisions", "d.json", "--out", "c.parquet") == 0
    found = records()
    assert [one["recipe"]["name"] for one in found] == ["make", "folder", "sheet", "photos", "mix", "curate"]
    assert found[4]["made"]["parents"] == [found[0]["corpus"], found[1]["corpus"]]
    assert found[5]["made"]["parents"] == [found[0]["corpus"]]
    assert [sheet["path"] for sheet in found[2]["sheets"]] == ["cut.png"]
    assert "intake" not in json.dumps(found)


def test_it_can_be_turned_off_and_moved(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said(*MAKE, "--no-trail")
    monkeypatch.setenv("PIXELREEF_TRAIL", "off")
    said(*MAKE)
    assert not list(folder.glob("*.jsonl"))
    monkeypatch.setenv("PIXELREEF_TRAIL", "other/log.jsonl")
    said(*MAKE)
    Path("there").mkdir()
    monkeypatch.setenv("PIXELREEF_TRAIL", "there")
    said(*MAKE)
    assert not Path("trail.jsonl").exists()
    assert (len(records("other/log.jsonl")), len(records("there/trail.jsonl"))) == (1, 1)
    capsys.readouterr()
    assert said("trail", "--json") == 0
    assert [one["kind"] for one in json.loads(capsys.readouterr().out)["unused"]] == ["corpus"]


def test_a_trail_that_fails_never_fails_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("trail.jsonl").mkdir()
    Path("trail.jsonl/trail.jsonl").mkdir()  # a folder is where the file is looked for, and this is one too
    assert said(*MAKE) == 0
    told = capsys.readouterr()
    assert told.out.startswith("a.parquet: 2 sprites")
    assert told.err.startswith("No record was left in the trail: ")
    assert told.err.count("\n") == 1


def test_a_fault_of_ours_in_the_trail_never_fails_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pixelreef.corpus.store.CorpusFacts.record", lambda self: {"nonsense": 1})
    assert said(*MAKE) == 0
    assert "No record was left in the trail" in capsys.readouterr().err


def test_a_forecast_leaves_a_record_also_when_a_cell_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reef_corpus(folder / "reef.parquet")
    write_json("limits.json", LIMITS.document())
    asked = ("taste", "corpus", "reef.parquet", "--stages", "census", "--calibration", "limits.json")
    code = said(*asked, "--note", "quick")
    assert code in (0, 1)
    (one,) = records()
    assert (one["kind"], one["note"], one["calibration"]) == ("forecast", "quick", LIMITS.hash)
    assert one["corpus"] == open_corpus("reef.parquet").hash
    assert set(one["verdicts"]) == {"coral/shallows", "jellyfish/abyss", "reef-fish/twilight"}
    assert one["made"]["stages"] == ["census"]
    assert said(*asked, "--no-trail") == code
    assert len(records()) == 1


def test_a_verdict_names_the_weights_that_drew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = weights(perturbed(small_config()))
    write_weights("run/weights.safetensors", model)
    known = hash_of_file("run/weights.safetensors")
    assert known == model.hash == read_weights("run/weights.safetensors").hash
    said("sprites", "sample", "--cell", "all", "--n", "2", "--weights", "run", "--parquet", "--out", "drawn")
    assert not Path("trail.jsonl").exists()
    for source in ("drawn", "drawn/samples.parquet", "drawn/fish-top-0000.png"):
        said("taste", "samples", source, "--against", "drawn/samples.parquet", "--out", "judged")
    found = records()
    assert [one.get("weights") for one in found] == [known, known, None]
    assert {one["kind"] for one in found} == {"verdict"}
    assert found[0]["corpus"] == open_corpus("drawn/samples.parquet").hash
    assert found[0]["sheets"][0]["path"] == "judged/samples.png"
    Path("drawn/samples.json").write_text('{"weights": "../../etc/passwd"}')
    said("taste", "samples", "drawn", "--against", "drawn/samples.parquet")
    assert "weights" not in records()[-1]


def test_a_run_leaves_a_record_and_the_trail_joins_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reef_corpus(folder / "reef.parquet")
    asked = ("sprites", "train", "reef.parquet", "--recipe", "tiny", "--steps", "2", "--out", "run", "--note", "first")
    assert said(*asked) == 0
    (one,) = records()
    assert (one["kind"], one["recipe"]["name"], one["recipe"]["fields"]["steps"]) == ("run", "tiny", 2)
    assert one["weights"] == hash_of_file("run/weights.safetensors")
    assert one["corpus"] == open_corpus("reef.parquet").hash
    assert set(one["losses"]) == {"coral/shallows", "jellyfish/abyss", "reef-fish/twilight"}
    assert one["loss"] > 0
    assert one["sheets"][-1]["path"] == "run/sheet-2.png"
    said("sprites", "sample", "--cell", "all", "--n", "2", "--weights", "run", "--out", "drawn")
    said("taste", "samples", "drawn", "--against", "reef.parquet")
    assert said(*asked[:-1], "again") == 0  # finished: it does no step, and leaves its record
    assert [one.get("weights") for one in records()] == [one["weights"]] * 3
    capsys.readouterr()
    assert said("trail", "--json", "--out", "page") == 0
    told = capsys.readouterr()
    document = json.loads(told.out)
    (iteration,) = document["iterations"]
    assert (iteration["joined"], iteration["notes"]) == ("weights", ["first", "again"])
    assert set(iteration["records"]) == {"run", "verdict"}
    assert "Wrote page/index.html" in told.err
    assert 'src="data:image/png;base64,' in Path("page/index.html").read_text("utf-8")


@pytest.fixture
def planted(folder: Path) -> Path:
    for record in history([0.5, 0.48, 0.45, 0.43], ["wnnc"] * 4):
        append_record(folder / "trail.jsonl", record)
    return folder


def test_the_ceiling_is_printed(planted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said("trail") == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 6
    assert "ceiling: change the model's shape. Mean loss fell in iterations 2, 3 and 4" in out
    assert said("trail", "--falls", "4") == 0
    assert "ceiling" not in capsys.readouterr().out
    assert not (planted / "index.html").exists()


def test_a_note_is_put_on_the_last_record_or_another(planted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said("trail", "note", "still dust") == 0
    first, *_, last, note = read_trail("trail.jsonl").records
    assert (note.kind, note.note, note.about) == ("note", "still dust", last.id)
    assert said("trail", "--file", "trail.jsonl", "note", "a start", "--about", first.id[:6]) == 0
    assert said("trail", "note", "on the last record, not on a note", "--file", "trail.jsonl") == 0
    capsys.readouterr()
    said("trail", "--json")
    notes = [one["notes"] for one in json.loads(capsys.readouterr().out)["iterations"]]
    assert notes == [["a start"], [], [], ["still dust", "on the last record, not on a note"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--file", "none.jsonl"), "file 'none.jsonl' must exist"),
        (("note", "x", "--file", "none.jsonl"), "file 'none.jsonl' must exist"),
        (("note", " "), "note must be of 1 to"),
        (("note", "x", "--about", "zz"), "--about must begin the id of one record"),
        (("note", "x", "--file", "empty.jsonl"), "must have a record to put a note on"),
    ],
)
def test_a_mistake_is_one_line(
    planted: Path, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty.jsonl").touch()
    assert said("trail", *arguments) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert len(records()) == 4
