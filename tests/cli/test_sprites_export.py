"""`pixelreef sprites export`: folders, one JSON document, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from pixelreef.cli import app, run
from pixelreef.core import Grid, Sprite, json_from_sprite, reef_palette
from pixelreef.sprites.export import FORMATS

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
