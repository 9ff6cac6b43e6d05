"""`corpus photos` as a command of its own; the corpus application hooks it in."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from commons_server import commons_server
from photographs import encoded, fish_photo, reef_scene
from typer.testing import CliRunner, Result

from pixelreef.cli.corpus_photos import photos
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import InputError, PixelreefError

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(photos)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    (made / "grazer").mkdir(parents=True)
    (made / "a.jpg").write_bytes(encoded(fish_photo()))
    (made / "grazer" / "b.jpg").write_bytes(encoded(fish_photo(seed=1)))
    (made / "broken.jpg").write_bytes(encoded(fish_photo())[:900])
    (made / "empty.jpg").write_bytes(b"")
    (made / "huge.png").write_bytes(encoded(np.zeros((4100, 4100), np.uint8), "PNG"))
    return made


def test_good_ones_are_written_and_the_rest_listed(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.parquet"
    result = run(folder, "--out", out, "--folders", "category", "--zone", "abyss", "--licence", "CC0-1.0")
    assert result.exit_code == 0
    assert "2 sprites" in result.stdout
    assert "refused: 3" in result.stdout
    assert "refused: empty.jpg" in result.stderr
    entries = list(open_corpus(out))
    assert [entry.cell for entry in entries] == ["abyss", "grazer/abyss"]
    assert entries[0].origin.licence == "CC0-1.0"
    assert entries[0].cells.shape == (32, 32)


def test_json_lists_all_and_strict_writes_nothing(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.parquet"
    strict = run(folder, "--out", out, "--strict")
    assert isinstance(strict.exception, InputError)
    assert "3 refused" in str(strict.exception)
    assert not out.exists()
    document = json.loads(run(folder, "--out", out, "--json").stdout)
    assert document["corpus"]["count"] == 2
    assert len(document["intake"]["refused"]) == 3
    assert document["intake"]["unlabelled"] == ["a.jpg", "grazer/b.jpg"]


def test_nothing_good_leaves_the_old_corpus(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "c.parquet"
    run(folder, "--out", out)
    before = out.read_bytes()
    only = tmp_path / "scenes"
    only.mkdir()
    (only / "s.jpg").write_bytes(encoded(reef_scene()))
    result = run(only, "--out", out)
    assert isinstance(result.exception, InputError)
    assert "of the border unlike the rest" in result.stderr
    assert out.read_bytes() == before
    assert run(only, "--out", out, "--salient").exit_code == 0
    assert run(only, "--out", out, "--whole", "--size", "16", "--dither", "--lift", "0.5").exit_code == 0


def test_commons_end_to_end(tmp_path: Path) -> None:
    out = tmp_path / "fish.parquet"
    with commons_server([f"good-{number}.jpg" for number in range(4)]) as server:
        arguments = ["--commons", "Fish", "--api", server.api, "--out", out, "--contact", "me@x.org", "--pause", "0"]
        result = run(*arguments, "--limit", "3", "--category", "reef-fish")
        assert result.exit_code == 0
        entries = list(open_corpus(out))
        assert len(entries) == 3
        origin = entries[0].origin
        assert (origin.source, origin.author, origin.licence) == ("Fish", "Ann & Bob", "CC-BY-SA-4.0")
        assert origin.address.startswith("https://commons.example.org/wiki/File:good-")
        assert (tmp_path / "fish-photos" / "manifest.csv").exists()
        assert "already there: 3" in run(*arguments, "--limit", "3").stdout
    assert run(tmp_path / "fish-photos", "--out", tmp_path / "again.parquet").exit_code == 0
    assert [one.hash for one in open_corpus(tmp_path / "again.parquet")] == [one.hash for one in entries]


def test_a_list_may_only_be_downloaded(tmp_path: Path) -> None:
    with commons_server([]) as server:
        (tmp_path / "l.csv").write_text(f"address,licence,author\n{server.address}/f/good-a.jpg,CC0,Ann\n")
        result = run(
            "--addresses", tmp_path / "l.csv", "--only-download", "--downloads", tmp_path / "d", "--pause", "0"
        )
    assert result.exit_code == 0
    assert "downloaded: 1" in result.stdout
    assert len(list((tmp_path / "d").glob("*.jpg"))) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x.parquet"], "one of DIR"),
        ([".", "--commons", "Fish", "--out", "x.parquet"], "one of DIR"),
        (["--commons", "Fish", "--out", "x.parquet"], "--contact"),
        (["."], "--out"),
        ([".", "--only-download"], "--only-download"),
        ([".", "--out", "x.parquet", "--factor", "zone"], "a name and a value"),
        ([".", "--out", "x.parquet", "--mask-colour", "red"], "six hex digits"),
        (["no-such-folder", "--out", "x.parquet"], "exist"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert isinstance(result.exception, PixelreefError)
    assert message in str(result.exception)
    assert not list(tmp_path.iterdir())
