from __future__ import annotations

import json
from pathlib import Path

import pytest
from tune.small_models import stored
from typer.testing import CliRunner

from pixelreef.cli.tune import tune
from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import write_corpus
from pixelreef.errors import PixelreefError
from pixelreef.runs.replies import Reply, write_jsonl

RECIPE = """command = "tune run"
encodings = ["shapes"]
rank = 4
rate = 1e-2
steps = 2
batch = 4
length = 4096
"""


@pytest.fixture(scope="module")
def reef(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reef") / "reef.parquet"
    write_corpus(path, make_reef(0, 4, 16, ("coral/shallows", "jellyfish/abyss")), REEF_FACTORS)
    return path


def test_data_writes_pairs_and_prints_one_document(reef: Path, tmp_path: Path) -> None:
    given = ["data", str(reef), "--encoding", "rows", "--encoding", "runs", "--out", str(tmp_path)]
    done = CliRunner().invoke(tune, [*given, "--json"])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["pairs"]["train"] + document["pairs"]["held"] == 16
    assert document["encodings"] == {"rows": 1, "runs": 1}
    assert document["tokens"] == []
    plain = CliRunner().invoke(tune, [*given, "--parquet"])
    assert "subjects held back" in plain.stdout
    assert (tmp_path / "pairs.parquet").exists()


def test_compare_prints_answers_and_writes_a_page(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "r.jsonl", [Reply("a", "sun", "no"), Reply("a+b", "sun", "no")])
    done = CliRunner().invoke(tune, ["compare", str(path), "--out", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output
    assert "canonical subjects, rows, free:" in done.stdout
    assert (tmp_path / "page" / "index.html").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["data", "nowhere.parquet"], "source must be a file"),
        (["data", "kept", "--encoding", "morse"], "encoding must be one of"),
        (["data", "kept", "--held", "2"], "--held must be"),
        (["data", "kept", "--least", "beauty=1"], "--least must be SCORE"),
        (["data", "kept"], "sources must hold drawings that may be taught, got none"),
        (["run", "nowhere"], "pairs 'nowhere' must be a file or folder of pairs"),
        (["run", "nowhere", "--recipe", "huge"], "--recipe must be a .toml file or one of article, smollm2"),
        (["run", "nowhere", "--model", "nowhere"], "model 'nowhere' must exist"),
        (["run", "nowhere", "--model", "nowhere.gguf"], "model file 'nowhere.gguf' must exist"),
        (["compare", "kept", "--base", "x"], "--base must be one of"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, given: list[str], told: str) -> None:
    done = CliRunner().invoke(tune, [*given, "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, PixelreefError)
    assert told in str(done.exception)
    assert "\n" not in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_a_run_prints_one_document_and_goes_on(qwen: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(RECIPE)
    pairs = stored(tmp_path / "pairs", ("shapes",)).path
    given = ["run", str(pairs), "--model", str(qwen), "--recipe", str(tmp_path / "mine.toml"), "--json"]
    for _ in range(2):
        done = CliRunner().invoke(tune, [*given, "--out", str(tmp_path / "run")])
        assert done.exit_code == 0, done.output
        document = json.loads(done.stdout)
        assert document["step"] == 2
        assert document["before"]["step"] == 0
        assert Path(document["gguf"]).exists()
    assert "nats per token on pairs held back: shapes" in done.stderr or done.stderr == ""
