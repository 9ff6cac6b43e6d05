from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from sprites.small_corpora import reef_corpus
from typer.testing import CliRunner

from pixelreef.cli.progress import Teller
from pixelreef.cli.sprites_train import train
from pixelreef.errors import PixelreefError
from pixelreef.training.launch import Moment

app = typer.Typer()
app.command()(train)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return reef_corpus(tmp_path_factory.mktemp("corpus") / "reef.parquet")


def test_a_run_prints_one_document_and_goes_on_from_another(corpus: Path, tmp_path: Path) -> None:
    given = [str(corpus), "--recipe", "tiny", "--steps", "4", "--json"]
    done = CliRunner().invoke(app, [*given, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["step"] == 4
    assert Path(document["weights"]).exists()
    assert "bits per pixel on sprites held back" in done.stderr
    second = CliRunner().invoke(app, [*given, "--from", str(tmp_path / "run"), "--out", str(tmp_path / "second")])
    assert second.exit_code == 0, second.output
    assert json.loads((tmp_path / "second" / "run.json").read_text("utf-8"))["start"]


def test_the_summary_names_cells_and_files(corpus: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [str(corpus), "--recipe", "tiny", "--steps", "1", "--out", str(tmp_path)])
    assert "jellyfish/abyss" in done.stdout
    assert "report.html" in done.stdout


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--recipe", "huge"], "--recipe must be a .toml file or one of"),
        (["--devices", "3", "--recipe", "tiny"], "--devices must be a divisor"),
        (["--from", "nowhere.safetensors", "--recipe", "tiny"], "must exist"),
        (["--from", "nowhere", "--recipe", "raster"], "--from must go with a recipe of the shape reef"),
    ],
)
def test_what_is_wrong_is_one_line(corpus: Path, tmp_path: Path, given: list[str], told: str) -> None:
    done = CliRunner().invoke(app, [str(corpus), "--out", str(tmp_path / "run"), *given])
    assert isinstance(done.exception, PixelreefError)
    assert told in str(done.exception)
    assert not (tmp_path / "run" / "run.json").exists()


def test_moments_come_as_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    teller = Teller("bits per pixel", str)
    for step in range(1, 4):
        teller(Moment(step, 3, 0.5, step * 6.0, 90.0))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"step {step} of 3: 0.500 bits per pixel, 1 min left" for step in (1, 3)]
