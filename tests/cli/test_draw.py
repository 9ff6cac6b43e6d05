from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from openai_server import chat_server
from typer.testing import CliRunner

from pixelreef.cli import app
from pixelreef.draw.encodings import encoding
from pixelreef.draw.find import find_subject
from pixelreef.draw.sources import kept_replies
from pixelreef.runs.replies import Reply, write_jsonl

SUN = find_subject("sun")
assert SUN
GOOD = encoding("rows").encode(SUN.reference)


def invoke(*arguments: str, input: str | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["draw", *arguments], input=input)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_parse_reads_stdin_and_says_what_it_is() -> None:
    assert invoke("parse", "--subject", "sun", input=GOOD)[:2] == (
        0,
        invoke("parse", "--subject", "sun", input=GOOD)[1],
    )
    code, out, _ = invoke("parse", "--subject", "sun", input=GOOD)
    assert code == 0
    assert out.splitlines()[0] == "strictly valid"
    assert "subject check passed" in out
    code, out, _ = invoke("parse", input=f"Here you are:\n```json\n{GOOD}\n```")
    assert code == 0
    assert "repaired: fence stripped (1)" in out
    code, out, _ = invoke("parse", input="I can't help with that.")
    assert code == 1
    assert "no drawing could be had" in out


def test_parse_as_json_gives_the_grid(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(GOOD)
    code, out, _ = invoke("parse", str(tmp_path / "reply.txt"), "--json")
    document = json.loads(out)
    assert code == 0
    assert document["strict"] is True
    assert document["grid"] == json.loads(GOOD)["grid"]


@pytest.fixture
def replies(tmp_path: Path) -> str:
    some = [Reply("good", "sun", GOOD), Reply("bad", "sun", "<script>alert(1)</script>")]
    return str(write_jsonl(tmp_path / "replies.jsonl", some))


def test_score_writes_board_gallery_csv_json_and_markdown(replies: str, tmp_path: Path) -> None:
    code, out, err = invoke("score", replies, "--out", str(tmp_path / "out"), "--json")
    assert code == 0, err
    assert json.loads(out)["board"]
    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert made == {"index.html", "board.csv", "board.json", "board.md", "attempts.csv", "replies.jsonl"}
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "board.csv").read_text())))
    assert {"good", "bad", "reference", "blank"} <= {row["entrant"] for row in rows}
    assert "<script>alert" not in (tmp_path / "out" / "index.html").read_text()


@pytest.mark.parametrize("kind", ["latex", "md", "csv"])
def test_report_prints_the_table_of_a_paper(replies: str, kind: str) -> None:
    code, out, err = invoke("report", replies, "--table", kind)
    assert code == 0, err
    assert "good" in out


def test_export_writes_a_data_set(replies: str, tmp_path: Path) -> None:
    code, _, err = invoke("export", str(tmp_path / "set"), replies)
    assert code == 0, err
    assert (tmp_path / "set" / "data" / "train.parquet").exists()


def test_judge_asks_a_server_to_its_end_and_prints_shares_beside_chance(replies: str, tmp_path: Path) -> None:
    with chat_server() as server:
        command = [sys.executable, "-m", "pixelreef", "draw", "judge", replies, "--json"]
        done = subprocess.run(
            [*command, "--model", "openai-api/test/m", "--out", str(tmp_path / "judged")],
            env={**os.environ, "TEST_BASE_URL": server.address, "TEST_API_KEY": "none"},
            capture_output=True,
            text=True,
            check=True,
        )
    (one,) = json.loads(done.stdout).values()
    assert len(server.bodies) == 2  # the picture is asked about in words and among eight; the bad reply has none
    assert (one["forced"]["mean"], one["forced"]["n"], one["forced_by_chance"]) == (0.0, 1, 0.125)


def test_a_missing_source_is_one_line(tmp_path: Path) -> None:
    from pixelreef.errors import InputError

    with pytest.raises(InputError, match="source must be"):
        invoke("score", str(tmp_path / "none.jsonl"))


def test_the_kept_replies_are_of_a_real_model_to_the_prompts_of_today() -> None:
    from pixelreef.draw.prompts import prompt, prompt_hash

    kept = kept_replies()
    assert {reply.entrant for reply in kept} == {"local/smollm2"}
    assert not [reply for reply in kept if reply.failure]
    for reply in kept:
        subject = find_subject(reply.item)
        assert subject
        assert reply.metadata["prompt_hash"] == prompt_hash(prompt(subject, encoding("rows")))
        assert reply.seed is not None
    for decoding in ("free", "constrained"):
        mine = [reply for reply in kept if reply.metadata["decoding"] == decoding]
        canonical = [reply for reply in mine if not reply.item.startswith("heldout")]
        assert len({(reply.item, reply.attempt) for reply in canonical}) == 35
        assert len({reply.item for reply in mine if reply.item.startswith("heldout")}) >= 10
