"""`corpus sheet` as a command of its own; the corpus application hooks it in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from made_sheets import Made
from typer.testing import CliRunner, Result

from pixelreef.cli.corpus_sheet import sheet
from pixelreef.core.images import read_image
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import InputError, PixelreefError

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(sheet)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "fish.jpg"
    path.write_bytes(Made().jpeg(3, 90))
    return path


def test_from_a_noisy_sheet_to_a_corpus(file: Path, tmp_path: Path) -> None:
    out, preview = tmp_path / "c.parquet", tmp_path / "cut.png"
    given = ("--palette", "reef", "--category", "grazer", "--licence", "CC0-1.0", "--preview", preview)
    result = run(file, "--out", out, *given)
    assert result.exit_code == 0, result.exception
    assert "24 sprites" in result.stdout
    assert "fish.jpg: size 107x73, scale 3, noise yes, background colour ff00ff, sprites 24" in result.stderr
    entries = list(open_corpus(out))
    assert [entry.cell for entry in entries] == ["grazer"] * 24
    assert entries[0].origin.licence == "CC0-1.0"
    for entry, sprite in zip(entries, Made().truth(), strict=True):
        assert np.array_equal(entry.palette.rgba[entry.cells], reef_palette().rgba[sprite])
    assert read_image(preview).width == 8 * 107


def test_a_given_grid_size_and_rows(tmp_path: Path) -> None:
    path, out = tmp_path / "a.png", tmp_path / "c.parquet"
    path.write_bytes(Made(background=None).png(2))
    grid = ("--cell", "16", "--offset", "3,3", "--gutter", "1", "--scale", "2", "--size", "24")
    result = run(
        path, "--out", out, *grid, "--row-factor", "zone=shallows,twilight,midnight,abyss", "--factor", "age=old"
    )
    assert result.exit_code == 0, result.exception
    entries = list(open_corpus(out))
    assert {entry.cells.shape for entry in entries} == {(24, 24)}
    assert [entry.cell for entry in entries][::6] == [
        f"{zone}/old" for zone in ("shallows", "twilight", "midnight", "abyss")
    ]


def test_a_preview_for_each_of_several(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "crab.png"
    other.write_bytes(Made(seed=5, background=None).png())
    result = run(file, other, "--out", tmp_path / "c.parquet", "--preview", tmp_path / "cut.png")
    assert result.exit_code == 0, result.exception
    assert sorted(path.name for path in tmp_path.glob("cut*")) == ["cut-crab.png", "cut-fish.png"]


def test_bad_sheets_are_listed_and_strict_says_so(file: Path, tmp_path: Path) -> None:
    out, broken = tmp_path / "c.parquet", tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG no")
    result = run(file, broken, "--out", out, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["intake"]["counts"]["taken"] == 24
    assert [one["item"] for one in document["intake"]["refused"]] == ["broken.png"]
    out.unlink()
    strict = run(file, broken, "--out", out, "--strict")
    assert isinstance(strict.exception, PixelreefError)
    assert not out.exists()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--cell", "0"], "--cell must be one or two whole numbers from 1"),
        (["--cell", "16x"], "--cell must be one or two whole numbers"),
        (["--gutter", "1"], "--offset and --gutter must come with --cell"),
        (["--cell", "8", "--components"], "--cell must stand without --components and --atlas"),
        (["--scale", "17"], "--scale must be auto or a whole number from 1 to 16"),
        (["--background", "pink"], "--background must be auto, none or six hex digits"),
        (["--row-factor", "name=a,b"], "factor name must"),
        (["--row-factor", "zone"], "--row-factor must be a factor and its values"),
    ],
)
def test_what_is_typed_wrong_is_said(file: Path, tmp_path: Path, flags: list[str], message: str) -> None:
    result = run(file, "--out", tmp_path / "c.parquet", *flags)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
