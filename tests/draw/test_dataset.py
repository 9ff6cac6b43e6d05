from __future__ import annotations

import json
from pathlib import Path

import pyarrow
import pyarrow.parquet as parquet
import pytest

from pixelreef.draw.dataset import (
    COLUMNS,
    is_public_layout,
    prompts_from_file,
    replies_from_parquet,
    replies_from_rows,
    write_dataset,
)
from pixelreef.draw.encodings import encoding
from pixelreef.draw.find import find_subject
from pixelreef.draw.score import score_replies
from pixelreef.draw.sources import replies_from
from pixelreef.errors import FileError, InputError
from pixelreef.runs.replies import Reply, write_jsonl


def row(**changes: object) -> dict[str, object]:
    sun = find_subject("sun")
    assert sun
    value = json.loads(encoding("rows").encode(sun.reference))
    base = {
        "id": "1",
        "model_slug": "vendor/model",
        "model_name": "Model",
        "example_id": "sun",
        "example_name": "the sun",
        "palette": value["palette"],
        "grid": value["grid"],
        "is_appropriate": True,
        "height": 24,
        "width": 24,
        "num_colors": len(value["palette"]),
        "input_tokens": 100,
        "output_tokens": 800,
        "total_tokens": 900,
        "cost": 0.01,
        "generation_time": 3.5,
    }
    return {**base, **changes}


def test_rows_of_the_public_layout_become_replies_that_score() -> None:
    rows = [
        row(),
        row(),
        row(example_id="mona-lisa"),
        row(grid=["01"] * 5779),
        row(palette=["#ff0000"]),
        row(grid=None),
    ]
    replies = replies_from_rows(rows)
    assert [reply.attempt for reply in replies[:3]] == [1, 2, 1]
    assert replies[2].item == "mona_lisa"
    assert replies[5].failure == "unreadable"
    attempts = score_replies(replies)
    assert attempts[0].usable == 1
    assert "wrong row count" in attempts[3].reading.failures
    assert attempts[4].published["entropy"] > 1e6
    assert attempts[0].reply.cost == 0.01


def test_an_exported_data_set_reads_back_the_same(tmp_path: Path) -> None:
    attempts = score_replies(
        [Reply("m", "sun", json.dumps({k: row()[k] for k in ("palette", "grid")})), Reply("m", "sun", "no")]
    )
    folder = write_dataset(tmp_path / "set", attempts, "A title\nwith: a trap")
    path = folder / "data" / "train.parquet"
    assert is_public_layout(path)
    assert parquet.read_schema(path).names == list(COLUMNS)
    (reply,) = replies_from(str(path))
    assert json.loads(reply.text)["grid"] == row()["grid"]
    card = (folder / "README.md").read_text()
    assert "1 of 2 replies" in card
    assert "path: data/train.parquet" in card


def test_sources_are_told_by_content(tmp_path: Path) -> None:
    parquet.write_table(pyarrow.Table.from_pylist([row()]), tmp_path / "public.bin")
    write_jsonl(tmp_path / "ours.jsonl", [Reply("m", "sun", "x")])
    assert replies_from(str(tmp_path / "public.bin"))[0].metadata["rebuilt"] is True
    assert replies_from(str(tmp_path / "ours.jsonl"))[0].text == "x"
    with pytest.raises(InputError, match="source must be"):
        replies_from(str(tmp_path / "none"))


def test_a_source_with_nothing_readable_is_a_wrong_one_and_one_bad_line_is_not(tmp_path: Path) -> None:
    (tmp_path / "junk.jsonl").write_text("root:x:0:0\nnobody:x:1:1\n")
    with pytest.raises(InputError, match="must hold replies, got none that can be read") as caught:
        replies_from(str(tmp_path / "junk.jsonl"))
    assert "\n" not in str(caught.value)
    path = write_jsonl(tmp_path / "mixed.jsonl", [Reply("m", "sun", "x")])
    path.write_text(path.read_text() + "junk\n")
    assert [reply.failure for reply in replies_from(str(path))] == [None, "unreadable"]


def test_what_is_no_parquet_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(FileError, match="be a parquet file"):
        replies_from_parquet(tmp_path / "x.parquet")


def test_prompts_come_from_parquet_json_and_csv(tmp_path: Path) -> None:
    rows = [{"id": "sun", "subject": "s", "prompt": 'Draw "it", please'}, {"id": "maze", "subject": "m", "prompt": "x"}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "p.parquet")
    (tmp_path / "p.json").write_text(json.dumps(rows))
    (tmp_path / "p.csv").write_text('id,subject,prompt\nsun,s,"Draw ""it"", please"\nmaze,m,x\n')
    for name in ("p.parquet", "p.json", "p.csv"):
        assert prompts_from_file(tmp_path / name) == {"sun": 'Draw "it", please', "maze": "x"}
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="columns id and prompt"):
        prompts_from_file(tmp_path / "bad.csv")
