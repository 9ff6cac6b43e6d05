from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import typer
from aseprite_made import SAMPLE
from typer.testing import CliRunner, Result

from pixelreef.cli.corpus_folder import folder
from pixelreef.core import Palette, png_from_rgba, reef_palette
from pixelreef.core.palette_files import hex_from_palette
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import InputError

app = typer.Typer()
app.command()(folder)

PROGRAM = """
import sys
import typer
from pixelreef.cli import run
from pixelreef.cli.corpus_folder import folder
app = typer.Typer()
app.command()(folder)
sys.exit(run(app))
"""


def square(colour: tuple[int, int, int], side: int = 3) -> bytes:
    rgba = np.zeros((side, side, 4), np.uint8)
    rgba[:-1, :-1] = (*colour, 255)
    return png_from_rgba(rgba)


@pytest.fixture
def art(tmp_path: Path) -> Path:
    root = tmp_path / "art"
    for path, data in {
        "fish/a.png": square((255, 0, 0)),
        "fish/b.aseprite": SAMPLE,
        "coral/c.png": square((0, 255, 0), 5),
        "top.png": square((0, 0, 255)),
        "README.md": b"# art\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def spoil(art: Path) -> None:
    (art / "broken.png").write_bytes(square((1, 2, 3))[:40])
    (art / "zero.png").write_bytes(b"")
    (art / "fish" / "torn.aseprite").write_bytes(SAMPLE[:-9])


def test_folders_are_categories_where_nothing_is_said(art: Path, tmp_path: Path) -> None:
    done = run(art, "--out", tmp_path / "c.parquet", "--licence", "CC0-1.0", "--author", "A")
    assert done.exit_code == 0
    assert "the names of the folders are the factor category" in done.stderr
    assert "no factor, so in cell 'all': top.png" in done.stderr
    assert "3 cells: coral 1, fish 3, all 1" in done.stdout
    assert "no picture, passed over: 1" in done.stdout
    corpus = open_corpus(tmp_path / "c.parquet")
    assert corpus.factors == {"category": ("coral", "fish")}
    assert [entry.name for entry in corpus] == ["c", "a", "b swim 0", "b swim 1", "top"]
    assert {(entry.origin.source, entry.origin.author, entry.origin.licence) for entry in corpus} == {
        ("art", "A", "CC0-1.0")
    }


def test_factors_from_flags_folders_and_a_table(art: Path, tmp_path: Path) -> None:
    table = tmp_path / "labels.csv"
    table.write_text("file,zone\ntop.png,hadal\nfish/a.png,abyss\n")
    out = tmp_path / "c.parquet"
    done = run(art, "--out", out, "--folders", "kind", "--zone", "shallows", "--factor", "age=old", "--labels", table)
    assert done.exit_code == 0
    assert "the names of the folders" not in done.stderr
    cells = {entry.origin.address: entry.cell for entry in open_corpus(out)}
    assert cells == {
        "coral/c.png": "coral/shallows/old",
        "fish/a.png": "fish/abyss/old",
        "fish/b.aseprite": "fish/shallows/old",
        "top.png": "hadal/old",
    }


def test_size_palette_and_source(art: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.parquet"
    assert (
        run(art, "--out", out, "--category", "x", "--size", "8x6", "--palette", "reef", "--source", "mine").exit_code
        == 0
    )
    for entry in open_corpus(out):
        assert entry.cells.shape == (6, 8)
        assert entry.palette == reef_palette()
        assert entry.origin.source == "mine"
    path = tmp_path / "two.hex"
    path.write_text(hex_from_palette(Palette.from_hex(["ff0000", "00ff00"])))
    assert run(art, "--out", out, "--category", "x", "--palette", path).exit_code == 0
    assert {entry.palette.transparent for entry in open_corpus(out)} == {2}


def test_the_good_ones_come_in_and_the_rest_is_listed(art: Path, tmp_path: Path) -> None:
    spoil(art)
    out = tmp_path / "c.parquet"
    done = run(art, "--out", out)
    assert done.exit_code == 0
    assert open_corpus(out).count == 5
    assert "refused: 3" in done.stdout
    for name in ("broken.png", "zero.png", "fish/torn.aseprite"):
        assert f"refused: {name}: the file must " in done.stderr
    history = open_corpus(out).history
    assert history["by"] == "folder"
    assert [one["item"] for one in history["intake"]["refused"]] == ["broken.png", "fish/torn.aseprite", "zero.png"]


def test_strict_writes_nothing(art: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.parquet"
    assert run(art, "--out", out, "--strict").exit_code == 0
    before = out.read_bytes()
    spoil(art)
    (art / "more.png").write_bytes(square((9, 9, 9)))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(art), "--out", str(out), "--strict"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert (
        done.stderr.splitlines()[-1]
        == "pixelreef: the import must have nothing to refuse with --strict, got 3 refused."
    )
    assert "refused: zero.png" in done.stderr
    assert (done.stdout, out.read_bytes()) == ("", before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["art", "c.parquet"]


def test_nothing_to_import_is_an_error_with_its_reasons(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "zero.png").write_bytes(b"")
    done = run(tmp_path / "art", "--out", tmp_path / "c.parquet")
    assert isinstance(done.exception, InputError)
    assert "refused: zero.png" in done.stderr
    assert not (tmp_path / "c.parquet").exists()


def test_json_is_one_document(art: Path, tmp_path: Path) -> None:
    spoil(art)
    document = json.loads(run(art, "--out", tmp_path / "c.parquet", "--json").stdout)
    assert document["corpus"]["count"] == document["intake"]["counts"]["taken"] == 5
    assert document["corpus"]["cells"] == {"coral": 1, "fish": 3, "all": 1}
    assert document["intake"]["unlabelled"] == ["top.png"]
    assert len(document["intake"]["refused"]) == 3


def test_the_same_folder_gives_the_same_bytes(art: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert run(art, "--out", tmp_path / f"{name}.parquet").exit_code == 0
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_names_of_files_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    root = tmp_path / "art"
    root.mkdir()
    (root / "a\x1b[2J.png").write_bytes(b"")
    (root / "b\n.png").write_bytes(square((1, 1, 1)))
    done = run(root, "--out", tmp_path / "c.parquet")
    assert "\x1b" not in done.stdout + done.stderr
    assert "refused: a\\x1b[2J.png" in done.stderr
    assert "in cell 'all': b\\n.png" in done.stderr


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--size", "0", "--size must be a number from 1 to 1024"),
        ("--size", "32x", "--size must be"),
        ("--size", "9999", "--size must be"),
        ("--factor", "age", "--factor must be a name and a value"),
        ("--factor", "grid=1", "no other column's name"),
        ("--folders", "zone,zone", "factors must be at most 8 and differ"),
        ("--folders", "zone,", "factor name must be"),
        ("--palette", "none.hex", "must exist"),
        ("--labels", "none.csv", "must exist"),
    ],
)
def test_wrong_options_are_one_clear_error(art: Path, tmp_path: Path, option: str, value: str, message: str) -> None:
    done = run(art, "--out", tmp_path / "c.parquet", option, value)
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
    assert not (tmp_path / "c.parquet").exists()


def test_a_killed_import_leaves_the_old_corpus(art: Path, tmp_path: Path) -> None:
    place = tmp_path / "place"
    out = place / "c.parquet"
    assert run(art, "--out", out).exit_code == 0
    before = out.read_bytes()
    noise = np.random.default_rng(0).integers(0, 200, (3000, 6, 6), dtype=np.uint8)
    for number, cells in enumerate(noise):
        (art / f"{number:04}.png").write_bytes(png_from_rgba(np.stack([cells] * 3, axis=-1)))
    command = [sys.executable, "-c", PROGRAM, str(art), "--out", str(out)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while len(os.listdir(place)) < 2 and running.poll() is None and time.monotonic() < end:
        time.sleep(0.005)  # until the new file is begun
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    assert out.read_bytes() == before
    assert open_corpus(out).count == 5
    subprocess.run(command, check=True, capture_output=True)
    assert open_corpus(out).count == 3005
