"""`pixelreef sprites shade`: files, one JSON document, what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from sprites.shade.shapes import disc
from typer.testing import CliRunner

from pixelreef.cli import app, run
from pixelreef.core import (
    Grid,
    Palette,
    Sprite,
    json_from_sprite,
    png_from_sprite,
    read_image,
    read_sprite,
    reef_palette,
)
from pixelreef.core.palette_files import hex_from_palette
from pixelreef.sprites.shade import Light, shade

BALL = Sprite.still(Grid(disc(17, 7.5, 25)), reef_palette(), "ball")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.json").write_text(json_from_sprite(BALL))
    (tmp_path / "b.png").write_bytes(png_from_sprite(BALL))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_documents_and_pictures_become_files_and_a_sheet(folder: Path) -> None:
    done = CliRunner().invoke(app, ["sprites", "shade", "a.json", "b.png", "--out", "lit"])
    assert (done.exit_code, done.stdout, done.stderr) == (0, "lit: 2 sprites, and sheet.png\n", "")
    names = ["b.json", "b.png", "ball.json", "ball.png", "sheet.png"]
    assert sorted(path.name for path in (folder / "lit").iterdir()) == names
    expected = shade(BALL.grid.cells, reef_palette(), Light())
    made = read_sprite(folder / "lit" / "ball.json")
    assert np.array_equal(made.grid.cells, expected)
    assert made.lineage["shaded"] == Light().document()
    indices = read_image(folder / "lit" / "b.png").indices
    assert indices is not None
    assert np.array_equal(indices, expected)


def test_options_reach_the_light_and_json_tells_everything(folder: Path) -> None:
    options = {
        "azimuth": 10.0,
        "elevation": 20.0,
        "light": 0.9,
        "shadow": 0.8,
        "occlusion": 0.7,
        "edges": 0.6,
        "rim": 0.5,
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    asked = ["sprites", "shade", "b.png", *words, "--maps", "--turntable", "3", "--out", "lit", "--json"]
    done = CliRunner().invoke(app, asked)
    document = json.loads(done.stdout)
    assert document["light"] == options
    (record,) = document["sprites"]
    assert (record["from"], record["maps"]["uniforms"]) == ("b.png", {"per_step": 1.0, "base": 2.0})
    for path in (record["file"], record["document"], record["turntable"], record["maps"]["normal"], document["sheet"]):
        assert (folder / path).is_file()
    assert np.array_equal(
        read_sprite(folder / record["document"]).grid.cells, shade(BALL.grid.cells, reef_palette(), Light(**options))
    )


def test_a_palette_is_put_on_first(folder: Path) -> None:
    greys = Palette(np.repeat(np.arange(0, 256, 15, dtype=np.uint8)[:, None], 3, axis=1))
    (folder / "greys.hex").write_text(hex_from_palette(greys))
    CliRunner().invoke(app, ["sprites", "shade", "a.json", "--palette", "greys.hex", "--out", "lit"])
    assert read_sprite(folder / "lit" / "ball.json").palette == greys


def test_the_help_names_the_defaults_of_the_light(folder: Path) -> None:
    done = CliRunner().invoke(app, ["sprites", "shade", "b.png", "--out", "lit", "--json"])
    assert json.loads(done.stdout)["light"] == Light().document()


def test_a_bad_file_is_named_and_the_others_are_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "no.png").write_bytes(b"no")
    sys.argv = ["pixelreef", "sprites", "shade", "no.png", "a.json", "gone.png", "--out", "lit"]
    assert run(app) == 2
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "pixelreef: sprite 'no.png' must be a sprite document, a picture or an Aseprite file, got something else.",
        "pixelreef: file 'gone.png' must exist, got nothing there.",
    ]
    assert said.out == "lit: 1 sprite, and sheet.png\n"
    assert (folder / "lit" / "ball.png").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--light", "2"], "light must be from 0 to 1, got 2.0."),
        (["--flatten", "2"], "flatten must be from 0 to 1, got 2.0."),
        (["--elevation", "-1"], "elevation must be from 0 to 90 degrees, got -1.0."),
        (["--palette", "gone.hex"], "file 'gone.hex' must exist, got nothing there."),
    ],
)
def test_wrong_options_are_one_line(
    folder: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sys.argv = ["pixelreef", "sprites", "shade", "a.json", "--out", "lit", *words]
    assert run(app) == 2
    assert capsys.readouterr().err == f"pixelreef: {said}\n"
    assert not (folder / "lit").exists()


def test_what_stays_as_it_was_is_said(folder: Path) -> None:
    floor = Sprite.still(Grid(np.full((4, 4), 3, np.uint8)), reef_palette(), "floor")
    for name in ("x", "y"):
        (folder / f"{name}.json").write_text(json_from_sprite(floor))
    done = CliRunner().invoke(app, ["sprites", "shade", "x.json", "y.json", "--out", "lit"])
    assert done.exit_code == 0
    assert done.stderr.startswith("x.json and 1 more: nothing changed;")
