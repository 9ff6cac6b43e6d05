"""`pixelreef sprites export`: folders, one JSON document, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from pixelreef.cli import app, run
from pixelreef.core import Grid, Sprite, json_from_sprite, png_from_sprite, reef_palette
from pixelreef.core.animation import frames_from_bytes
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.sprites.export import FORMATS
from pixelreef.sprites.export.gather import labelled_from_entry

CORAL, TEAL = 1 + 7 * 3, 1 + 7 * 7


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sprite = Sprite.still(Grid.from_rows([[0, CORAL + 2], [TEAL, 1]]), reef_palette(), "fish")
    (tmp_path / "fish.json").write_text(json_from_sprite(sprite))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_format_fills_the_folder_and_several_get_one_each(folder: Path) -> None:
    done = CliRunner().invoke(app, ["sprites", "export", "fish.json", "--as", "indexed", "--out", "one"])
    assert (done.exit_code, done.stdout, done.stderr) == (0, "one: 1 sprite as indexed, 1 file\n", "")
    assert [path.name for path in (folder / "one").iterdir()] == ["fish.png"]
    done = CliRunner().invoke(app, ["sprites", "export", "fish.json", "--as", "all", "--out", "every"])
    assert sorted(path.name for path in (folder / "every").iterdir()) == sorted(FORMATS)
    assert done.stdout.splitlines()[-1].startswith("every/godot: 1 sprite as godot, ")


def test_swap_scale_and_name(folder: Path) -> None:
    asked = "sprites export fish.json --as sheet,indexed --swap coral=teal --scale 3 --out out --json"
    done = CliRunner().invoke(app, [*asked.split(), "--name", "My Sheet"])
    document = json.loads(done.stdout)
    assert document == {
        "sprites": 1,
        "refused": {},
        "files": {
            "sheet": ["out/sheet/my-sheet.png", "out/sheet/my-sheet.json", "out/sheet/my-sheet-array.json"],
            "indexed": ["out/indexed/fish.png"],
        },
    }
    cells = np.array(Image.open(folder / "out/indexed/fish.png"))
    assert cells[::3, ::3].tolist() == [[0, TEAL + 2], [CORAL, 1]]
    assert cells.shape == (6, 6)


def test_a_bad_file_among_good_ones_is_named_and_the_others_are_written(folder: Path) -> None:
    done = CliRunner().invoke(app, ["sprites", "export", "fish.json", "gone.png", "--as", "png", "--out", "out"])
    assert (done.exit_code, done.stdout) == (2, "out: 1 sprite as png, 1 file\n")
    assert done.stderr == "left out: file 'gone.png' must exist, got nothing there.\n"


def test_nothing_but_one_line_where_no_file_can_be_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "half.png").write_bytes(b"\x89PNG\r\n")
    assert one_line(["gone.png", "half.png", "--as", "png", "--out", "out"], capsys) == (
        "pixelreef: files must hold at least one sprite, got none; file 'gone.png' must exist, got nothing there.\n"
    )


def one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of wrong input."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["pixelreef", "sprites", "export", *arguments])
        assert run(app) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


def test_an_export_does_not_write_over_what_it_exports(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    png = png_from_sprite(Sprite.still(Grid.from_rows([[0, 1]]), reef_palette()))
    (folder / "art.png").write_bytes(png)
    told = one_line(["art.png", "fish.json", "--as", "png", "--scale", "2", "--out", "."], capsys)
    assert told == "pixelreef: --out must keep what is exported, got 'art.png' written over. Give another folder.\n"
    assert (folder / "art.png").read_bytes() == png
    assert sorted(path.name for path in folder.iterdir()) == ["art.png", "fish.json"]


def test_files_of_an_earlier_export_are_replaced(folder: Path) -> None:
    asked = ["sprites", "export", "fish.json", "--as", "indexed", "--out", "out"]
    assert CliRunner().invoke(app, asked).exit_code == 0
    before = (folder / "out/fish.png").read_bytes()
    assert CliRunner().invoke(app, [*asked, "--swap", "coral=teal"]).exit_code == 0
    assert (folder / "out/fish.png").read_bytes() != before
    assert [path.name for path in (folder / "out").iterdir()] == ["fish.png"]


@pytest.mark.parametrize(
    ("there", "reason"),
    [
        ("out/tiled/fish.tsx/inner", "a folder of that name"),
        ("out/tiled", "a file, 'tiled'"),
        ("out", "a file, 'out'"),
    ],
)
def test_where_one_file_of_several_formats_has_no_place_none_is_written(
    folder: Path, there: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / there).parent.mkdir(parents=True, exist_ok=True)
    (folder / there).write_text("mine")
    told = one_line(["fish.json", "--as", "png,tiled", "--out", "out"], capsys)
    assert told.endswith(f" must be writable, got {reason}.\n")
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert sorted(files) == sorted([folder / "fish.json", folder / there])
    assert not (folder / "out/png").exists()


def test_a_disk_that_is_full_in_the_middle_leaves_the_files_of_before(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["fish.json", "--as", "sheet,gif", "--out", "out"]
    assert CliRunner().invoke(app, ["sprites", "export", *asked]).exit_code == 0
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    whole = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.suffix == ".gif":
            raise OSError(28, "No space left on device")
        return whole(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    told = one_line([*asked, "--swap", "coral=teal"], capsys)
    assert told.endswith("fish.gif' must be writable, got No space left on device.\n")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def layers(path: Path) -> list[str]:
    return list(frames_from_bytes(path.read_bytes()).layers)


def test_parts_that_are_told_become_layers_unless_they_are_not_wanted(folder: Path) -> None:
    sprite = labelled_from_entry(make_sprite("jellyfish", "midnight", 77, 3), 0).sprite
    (folder / "jelly.json").write_text(json_from_sprite(sprite))
    asked = ["sprites", "export", "jelly.json", "--as", "aseprite", "--out"]
    done = CliRunner().invoke(app, [*asked, "with"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert {"body", "tentacle"} <= set(layers(next((folder / "with").iterdir())))
    done = CliRunner().invoke(app, [*asked, "without", "--no-parts"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert len(layers(next((folder / "without").iterdir()))) == 1
    done = CliRunner().invoke(app, [*asked, "both", "fish.json"])
    assert done.stderr == "no parts for 1 sprite: unsure, or not like those of the reef.\n"
    done = CliRunner().invoke(app, ["sprites", "export", "fish.json", "--as", "png", "--out", "plain"])
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--as", "bmp"], "format must be one of png, indexed, gif, sheet, aseprite, tiled, godot, got 'bmp'."),
        (
            ["--as", "png", "--swap", "coral=gold"],
            "--swap must name ramps of the palette, got 'gold'. There are: slate,",
        ),
        (["--as", "png", "--swap", "coral"], "--swap must be two ramps such as coral=teal, got 'coral'."),
    ],
)
def test_what_is_wrong_is_one_line(
    folder: Path, options: list[str], line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["pixelreef", "sprites", "export", "fish.json", "--out", "out", *options])
    assert run(app) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"pixelreef: {line}")
    assert error.count("\n") == 1
    assert not (folder / "out").exists()
