"""Logs from strangers: damaged, foreign, with pictures, with an error after the reply."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from tiny_task import tiny_task

from pixelreef.errors import FileError
from pixelreef.runs import logs
from pixelreef.runs.logs import log_files, replies_from_logs
from pixelreef.runs.run import read_run, run_eval_set

pytestmark = pytest.mark.inspect

PICTURE = "data:image/png;base64," + "iVBORw0KGgo" * 20_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three samples by a mock: text, a picture with reasoning, and an error."""
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        ContentImage,
        ContentReasoning,
        ContentText,
        ModelOutput,
        ModelUsage,
    )

    def output(content: Any) -> ModelOutput:
        message = ChatMessageAssistant(content=content)
        usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=10, input_tokens_cache_read=5)
        return ModelOutput(model="m", choices=[ChatCompletionChoice(message=message, stop_reason="stop")], usage=usage)

    parts = [ContentReasoning(reasoning="first the sky"), ContentText(text="here"), ContentImage(image=PICTURE)]

    def answer(messages: Any, *_: Any) -> ModelOutput:
        question = messages[-1].text
        if question == "fail":
            raise RuntimeError("no luck")
        return output(list(parts) if question == "paint" else "a grid")

    out = tmp_path_factory.mktemp("run")
    run_eval_set(
        [tiny_task({"write": "write", "paint": "paint", "fail": "fail"})],
        ["mockllm/model"],
        out,
        model_args={"mockllm/model": {"custom_outputs": answer}},
        note=lambda line: None,
        cache=False,
    )
    return out


def test_text_pictures_reasoning_and_errors_are_read(folder: Path) -> None:
    fail, paint, write = read_run(folder)
    assert (write.text, write.images, write.failure, write.stop_reason) == ("a grid", (), None, "stop")
    assert (write.input_tokens, write.output_tokens) == (8, 2)
    assert (paint.text, paint.reasoning, paint.images) == ("here", "first the sky", (PICTURE,))
    assert (fail.failure, fail.error, fail.text) == ("error", "RuntimeError('no luck')", "")
    assert {reply.entrant for reply in (fail, paint, write)} == {"mockllm/model"}


def test_a_copy_of_a_log_counts_once(folder: Path, tmp_path: Path) -> None:
    for name in ("a.eval", "b.eval"):
        shutil.copy(log_files(folder)[0], tmp_path / name)
    assert list(replies_from_logs(tmp_path)) == read_run(folder)


def test_a_sample_that_is_too_large_is_one_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_SAMPLE_BYTES", 100_000)
    replies = {reply.item: reply for reply in read_run(folder)}
    assert replies["write"].failure is None
    assert (replies["paint"].failure, replies["paint"].entrant) == ("unreadable", "mockllm/model")
    assert "sample 'paint', attempt 1: too large" in (replies["paint"].error or "")


def test_damaged_logs_are_failures_not_crashes(folder: Path, tmp_path: Path) -> None:
    whole = log_files(folder)[0].read_bytes()
    chance = random.Random(1)
    for number in range(25):
        data = bytearray(whole)
        if number % 3 == 0:
            data = data[: chance.randrange(len(data))]
        for _ in range(chance.randrange(1, 30)):
            data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
        (tmp_path / "x.eval").write_bytes(bytes(data))
        for reply in replies_from_logs(tmp_path / "x.eval"):
            assert reply.failure in (None, "error", "limit", "not-asked", "unreadable")


def test_a_log_of_a_zip_version_to_come_is_one_failure(folder: Path, tmp_path: Path) -> None:
    """zipfile raises NotImplementedError on it, which no list of a damaged file's errors would name."""
    data = bytearray(log_files(folder)[0].read_bytes())
    place = data.rindex(b"PK\x01\x02")
    data[place + 6] = 199  # 'version needed to extract' of an entry of the central directory
    (tmp_path / "x.eval").write_bytes(bytes(data))
    (reply,) = replies_from_logs(tmp_path / "x.eval")
    assert reply.failure == "unreadable"


@pytest.mark.parametrize("data", [b"", b"PK", b"{}", b"\x00" * 100], ids=["empty", "cut", "json", "zeros"])
def test_a_file_that_is_no_log_is_one_failure(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.eval").write_bytes(data)
    (reply,) = replies_from_logs(tmp_path / "x.eval")
    assert reply.failure == "unreadable"
    assert (reply.error or "").startswith("x.eval: not an Inspect log")


def test_a_path_without_logs_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must be an Inspect log or a folder of them"):
        list(replies_from_logs(tmp_path))
