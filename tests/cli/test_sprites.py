"""`pixelreef sprites`: files in a folder, one JSON document, a word about cells that were not learned."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sprite_models import perturbed, small_config, weights
from typer.testing import CliRunner

from pixelreef.cli import app, run
from pixelreef.core.document import read_sprite
from pixelreef.core.images import read_image
from pixelreef.sprites.weights import write_weights


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    model = weights(perturbed(small_config()), verdicts={"fish/deep": "noise", "fish/top": "learned"})
    write_weights(tmp_path / "run" / "weights.safetensors", model)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_sample_writes_a_picture_each_and_a_sheet(folder: Path) -> None:
    asked = ["sprites", "sample", "--cell", "fish/top", "--n", "3", "--weights", "run", "--out", "drawn"]
    done = CliRunner().invoke(app, asked)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "drawn: 3 sprites of 1 cell, and sheet.png\n"
    names = [f"fish-top-000{number}.png" for number in range(3)]
    assert sorted(path.name for path in (folder / "drawn").iterdir()) == [*names, "samples.json", "sheet.png"]
    before = [(folder / "drawn" / name).read_bytes() for name in names]
    CliRunner().invoke(app, [*asked[:-1], "again", "--n", "2"])
    assert [(folder / "again" / name).read_bytes() for name in names[:2]] == before[:2]


def test_json_names_everything_and_cells_not_learned_are_said(folder: Path) -> None:
    asked = "sprites sample --cell all --n 2 --weights run/weights.safetensors --out d --temperature 0.9 --guidance 2"
    done = CliRunner().invoke(
        app, [*asked.split(), "--top-k", "5", "--min-p", "0.01", "--parquet", "--documents", "--json"]
    )
    assert done.stderr == "fish/deep was not learned by this model: taste says noise.\n"
    document = json.loads(done.stdout)
    assert document["not_learned"] == {"fish/deep": "noise"}
    assert document["sampling"] == {
        "temperature": 0.9,
        "top_k": 5,
        "min_p": 0.01,
        "guidance": 2.0,
        "certainty": 0.0,
        "steadiness": 0.1,
    }
    assert [one["cell"] for one in document["sprites"][::2]] == list(
        dict.fromkeys(one["cell"] for one in document["sprites"])
    )
    assert all((folder / one["file"]).is_file() and one["likelihood"] < 0 < one["bits"] for one in document["sprites"])
    assert {path.suffix for path in (folder / "d").iterdir()} == {".png", ".json", ".parquet"}
    done = CliRunner().invoke(app, ["sprites", "sample", "--cell", "fish/top", "--weights", "run", "--out", "d"])
    assert done.stderr == ""


def test_a_drawn_sprite_can_be_given_and_its_shape_kept(folder: Path) -> None:
    CliRunner().invoke(app, ["sprites", "sample", "--cell", "fish/top", "--n", "1", "--weights", "run", "--out", "d"])
    first = read_image(folder / "d" / "fish-top-0000.png")
    base = ["sprites", "sample", "--cell", "coral/top", "--n", "4", "--weights", "run", "--json"]
    done = CliRunner().invoke(app, [*base, "--out", "e", "--given", "d/fish-top-0000.png"])
    for one in json.loads(done.stdout)["sprites"]:
        found = read_image(folder / one["file"])
        opaque = first.rgba[..., 3] == 255
        assert (found.rgba[opaque] == first.rgba[opaque]).all()
    done = CliRunner().invoke(app, [*base, "--out", "f", "--silhouette", "d/fish-top-0000.png"])
    for one in json.loads(done.stdout)["sprites"]:
        assert (read_image(folder / one["file"]).rgba[..., 3] == first.rgba[..., 3]).all()


def test_sweep_draws_temperature_by_cell(folder: Path) -> None:
    asked = ["sprites", "sweep", "--cell", "all", "--temperatures", "1,6", "--n", "2", "--weights", "run", "--out", "s"]
    done = CliRunner().invoke(app, [*asked, "--json"])
    document = json.loads(done.stdout)
    assert list(document["bits"]) == ["1", "6"]
    assert sum(document["bits"]["1"].values()) < sum(document["bits"]["6"].values())
    assert read_image(folder / document["sheet"]).width > 4 * 96
    assert CliRunner().invoke(app, asked).stdout == "s/sweep.png: 6 cells at 2 temperatures\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            "--cell shark/top",
            "--cell must be a cell of these weights, got 'shark/top'. They know fish/top, fish/middle, ",
        ),
        ("--cell all --temperature -1", "--temperature must be from 0.0 to 10.0, got -1.0."),
        ("--cell all --mask run", "--mask must come with --given, got it alone."),
        ("--cell all --given a --silhouette b", "--silhouette must be without --given, got both."),
        ("--cell all --given none.png", "file 'none.png' must exist"),
        ("--cell all --weights none", "file 'none' must exist"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: str, line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = arguments if "--weights" in arguments else f"{arguments} --weights run"
    monkeypatch.setattr(sys, "argv", ["pixelreef", "sprites", "sample", "--out", "d", *given.split()])
    assert run(app) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"pixelreef: {line}")
    assert told.count("\n") == 1
    assert not (folder / "d").exists()


def test_sampling_needs_neither_torch_nor_what_is_slow_to_load(folder: Path) -> None:
    code = (
        "import sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name.partition('.')[0] in ('torch', 'scipy', 'sklearn', 'pyarrow', 'plotly', 'lightning_fabric'):\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from pixelreef.cli import main\n"
        "main()\n"
    )
    asked = ["sprites", "sample", "--cell", "fish/top", "--n", "5", "--weights", "run", "--out", "d"]
    done = subprocess.run([sys.executable, "-c", code, *asked], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((folder / "d").glob("*.png"))) == 6


def test_a_bar_or_a_line_tells_how_it_goes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from pixelreef.cli import sprites

    monkeypatch.setattr(sprites, "_EVERY", -1.0)
    assert list(sprites._told(iter("abcd"), 4)) == list("abcd")
    assert capsys.readouterr().err.startswith("1 of 4 sprites, about 0 s left\n")


def test_breed_idle_and_parts_write_what_they_say(folder: Path) -> None:
    def asked(words: str) -> Any:
        return CliRunner().invoke(app, ["sprites", *words.split()])

    asked("sample --cell fish/top --cell coral/deep --n 1 --weights run --documents --out p")
    (folder / "p" / "bad.png").write_bytes(b"no picture")
    bred = asked("breed p/fish-top-0000.json p/coral-deep-0000.png --by halves,silhouette --n 2 --weights run --out c")
    assert (bred.exit_code, bred.stderr) == (0, "")
    assert re.fullmatch(
        r"c: 4 children of parents that suit 0\.\d\d, and halves-sheet\.png, silhouette-sheet\.png\n", bred.stdout
    )
    alone = asked("breed p/fish-top-0000.json --n 2 --weights run --out m --json")
    mate = read_sprite(folder / "m" / "mate.json")
    assert 0 < json.loads(alone.stdout)["suits"] < 1
    assert mate.lineage["cell"] == "fish/top"
    lineage: Any = read_sprite(folder / "m" / "halves-0001.json").lineage
    assert [one["name"] for one in lineage["parents"]] == ["fish-top-0000", mate.name]
    child = read_sprite(folder / "c" / "halves-0001.json")
    assert child.lineage["kind"] == "halves"
    some = asked("breed p/fish-top-0000.json p/coral-deep-0000.png --by mask,halves --n 1 --weights run --out c --json")
    assert (some.exit_code, some.stderr.count("\n")) == (2, 1)  # no mask was given
    assert [one["kind"] for one in json.loads(some.stdout)["refused"]] == ["mask"]
    assert [one["kind"] for one in json.loads(some.stdout)["children"]] == ["halves"]
    wrong = asked("breed p/fish-top-0000.json p/coral-deep-0000.png --by thirds --weights run --out c")
    assert "--by must be kinds among halves" in str(wrong.exception)
    Image.new("RGB", (8, 8)).save(folder / "p" / "full.png")
    Image.new("RGBA", (8, 8)).save(folder / "p" / "clear.png")
    idle = asked("idle p/full.png p/fish-top-0000.json p/bad.png p/clear.png --weights run --out i --json")
    assert idle.exit_code == 2
    document = json.loads(idle.stdout)
    assert [Path(one["file"]).name for one in document["sprites"]] == ["fish-top-0000.gif"]
    assert [one["file"] for one in document["refused"]] == ["p/full.png", "p/bad.png", "p/clear.png"]
    assert document["refused"][0]["reason"] == "sprite 'full' must have a transparent colour, to move on, got none."
    assert len(read_sprite(folder / "i" / "fish-top-0000.json").frames) == 4
    twice = asked("parts p/fish-top-0000.json p/fish-top-0000.json --out t --json")
    assert [Path(one["file"]).name for one in json.loads(twice.stdout)["sprites"]] == [
        "fish-top-0000.parts.json",
        "fish-top-0000-2.parts.json",
    ]
    parts = asked("parts p/fish-top-0000.json --out l --json")
    assert parts.exit_code == 0
    assert set(json.loads(parts.stdout)["sprites"][0]) == {"file", "sure", "unsure", "parts"}
    assert (folder / "l" / "sheet.png").is_file()


def test_the_command_line_has_the_usual_sampling() -> None:
    import inspect

    from pixelreef.cli.sprites import sample
    from pixelreef.sprites.choose import Sampling

    usual = Sampling()
    for name in ("temperature", "guidance", "top_k", "min_p", "certainty", "steadiness"):
        assert inspect.signature(sample).parameters[name].default == getattr(usual, name)
