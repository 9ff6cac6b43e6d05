"""Runs against a real server on loopback: bad servers, a kill half-way, the cost limit, the quick path."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import tiny_task as program
from openai_server import GOOD, INPUT_TOKENS, OUTPUT_TOKENS, ChatServer, chat_server
from tiny_task import MODEL, PRICES, tiny_task

from pixelreef.errors import InputError
from pixelreef.runs.ask import attempt_seed
from pixelreef.runs.logs import spent_in_logs
from pixelreef.runs.prices import Prices
from pixelreef.runs.run import Patience, read_run, run_eval_set

pytestmark = pytest.mark.inspect

COST = (INPUT_TOKENS * 10 + OUTPUT_TOKENS * 20) / 1e6
KINDS = ("good", "prose", "500", "429once", "400", "garbage", "shapeless", "slow", "early", "huge", "refuse")
LOST = 4  # at a kill, with two connections: two calls under way, and two answers not yet on disk
FAILING = {"500", "400", "garbage", "shapeless", "slow", "early"}


def run(out: Path, server: ChatServer, questions: dict[str, str], **options: Any) -> Any:
    options = {"patience": Patience(http_retries=0, call_seconds=60, sample_retries=0, connections=8), **options}
    return run_eval_set(
        [tiny_task(questions)],
        [MODEL],
        out,
        model_args={MODEL: {"base_url": server.address, "api_key": "none", "max_retries": 0}},
        note=lambda line: None,
        **{"prices": PRICES, **options},
    )


def test_a_bad_server_costs_its_samples_and_nothing_else(tmp_path: Path) -> None:
    with chat_server() as server:
        patience = Patience(http_retries=1, call_seconds=5, sample_retries=0, connections=16)
        result = run(tmp_path, server, {kind: f"draw !{kind}" for kind in KINDS}, attempts=2, patience=patience)
    replies = read_run(tmp_path)
    assert sorted((reply.item, reply.attempt) for reply in replies) == sorted((k, n) for k in KINDS for n in (1, 2))
    assert {reply.item for reply in replies if reply.failure == "error"} == FAILING
    assert result.complete
    assert (result.replies, result.failures) == (2 * (len(KINDS) - len(FAILING)), {"error": 2 * len(FAILING)})
    by_kind = {reply.item: reply for reply in replies if reply.attempt == 1}
    assert by_kind["good"].text == GOOD
    assert by_kind["prose"].failure is None  # a bad reply is a reply
    assert by_kind["refuse"].stop_reason == "content_filter"
    assert by_kind["huge"].cut
    assert len(by_kind["huge"].text) == 2**20
    assert "no such thing" in (by_kind["400"].error or "")
    assert by_kind["500"].error == "InternalServerError, after retries"
    assert by_kind["good"].cost == pytest.approx(COST)
    assert (by_kind["good"].input_tokens, by_kind["good"].output_tokens) == (INPUT_TOKENS, OUTPUT_TOKENS)
    assert by_kind["good"].metadata == {"kind": "good"}
    assert (by_kind["good"].task, by_kind["good"].task_version) == ("tiny", "3")
    assert by_kind["good"].sampling == {"max_tokens": 50}
    assert result.spent == pytest.approx(COST * result.replies)


def test_every_attempt_sends_its_own_seed(tmp_path: Path) -> None:
    with chat_server() as server:
        run(tmp_path, server, {"a": "one", "b": "two"}, attempts=3, seed=5)
        sent = sorted(body["seed"] for body in server.bodies)
    seeds = sorted(attempt_seed(5, item, attempt) for item in "ab" for attempt in (1, 2, 3))
    assert sent == seeds == sorted(reply.seed or -1 for reply in read_run(tmp_path))
    assert len(set(seeds)) == 6


def test_a_killed_run_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    samples, attempts = 10, 2
    out = tmp_path / "out"
    command = [sys.executable, str(Path(program.__file__)), str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with chat_server(delay=0.25) as server:
        arguments = [server.address, str(samples), str(attempts)]
        first = subprocess.Popen(
            [*command, *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        deadline = time.monotonic() + 60
        while server.asked.total() < samples and time.monotonic() < deadline and first.poll() is None:
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        before = server.asked.total()
        assert samples <= before < samples * attempts
        kept = len(read_run(out))
        assert before - LOST <= kept <= before
        assert spent_in_logs(out / "logs") == pytest.approx(kept * COST)
        second = subprocess.run([*command, *arguments], env=environment, capture_output=True, text=True, check=False)
        assert second.stdout.split() == ["True", str(samples * attempts)], second.stderr[-2000:]
        assert server.asked.total() <= samples * attempts + LOST
    replies = read_run(out)
    assert sorted((reply.item, reply.attempt) for reply in replies) == sorted(
        (f"s{n}", attempt) for n in range(samples) for attempt in (1, 2)
    )
    assert all(reply.failure is None for reply in replies)


def test_a_finished_run_asks_nothing(tmp_path: Path) -> None:
    with chat_server() as server:
        for _ in range(2):
            assert run(tmp_path, server, {"a": "one", "b": "bad !400"}).complete
        assert server.asked.total() == 2


def test_more_attempts_ask_only_for_the_new_ones(tmp_path: Path) -> None:
    with chat_server() as server:
        run(tmp_path, server, {"a": "one", "b": "two"}, attempts=1)
        assert run(tmp_path, server, {"a": "one", "b": "two"}, attempts=3).replies == 6
        assert server.asked.total() == 6


def test_the_cost_limit_stops_the_run_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    questions = {f"s{n}": f"question {n}".ljust(3 * INPUT_TOKENS) for n in range(10)}
    with chat_server() as server:
        stopped = run(tmp_path, server, questions, max_cost=4.5 * COST)
        assert (stopped.stopped, stopped.complete) == (True, False)
        assert stopped.spent <= 4.5 * COST
        assert stopped.replies == server.asked.total() == 4
        assert stopped.failures == {"not-asked": 6}
        done = run(tmp_path, server, questions, max_cost=20 * COST)
        assert (done.stopped, done.complete, done.replies, done.failures) == (False, True, 10, {})
        assert done.spent == pytest.approx(10 * COST)
        assert server.asked.total() == 10


def test_the_cache_answers_a_new_folder(tmp_path: Path) -> None:
    with chat_server() as server:
        run(tmp_path / "a", server, {"a": "one"}, attempts=2)
        again = run(tmp_path / "b", server, {"a": "one"}, attempts=2)
        assert server.asked.total() == 2
        run(tmp_path / "c", server, {"a": "one"}, attempts=2, seed=1)
        assert server.asked.total() == 4  # another seed wants other replies
    assert again.spent == 0
    assert [reply.cached for reply in read_run(tmp_path / "b")] == [True, True]


def test_the_openai_provider_itself_is_driven_the_same_way(tmp_path: Path) -> None:
    name = "openai/gpt-4o-mini-2024-07-18"
    with chat_server() as server:
        options = {"base_url": server.address, "api_key": "none", "responses_api": False, "max_retries": 0}
        result = run_eval_set(
            [tiny_task({"good": "draw", "bad": "draw !400", "no": "draw !refuse"})],
            [name],
            tmp_path,
            model_args={name: options},
            note=lambda line: None,
            max_cost=1.0,
            patience=Patience(http_retries=0, sample_retries=0),
        )
    assert (result.complete, result.replies, result.failures) == (True, 2, {"error": 1})
    assert result.spent == pytest.approx(2 * (INPUT_TOKENS * 0.15 + OUTPUT_TOKENS * 0.6) / 1e6)  # of the shipped table
    assert {reply.seed for reply in read_run(tmp_path)} == {None}  # this provider may drop a seed: none is claimed


def test_a_limit_needs_a_price(tmp_path: Path) -> None:
    with chat_server() as server, pytest.raises(InputError, match="--max-cost must be used with models whose price"):
        run(tmp_path, server, {"a": "one"}, max_cost=1.0, prices=Prices("x", {}))


@pytest.mark.parametrize("name", ["openai/gpt-4o-mini", "nobody/model"])
def test_a_missing_key_or_provider_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(InputError, match=f"^--model {name} must be one that Inspect can ask, got ") as caught:
        run_eval_set([tiny_task({"a": "one"})], [name], tmp_path, note=lambda line: None)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run.json").exists()


def test_a_limit_takes_the_first_items(tmp_path: Path) -> None:
    with chat_server() as server:
        assert run(tmp_path, server, {"a": "one", "b": "two"}, limit=1).replies == 1
        with pytest.raises(InputError, match="--limit must be at least 1"):
            run(tmp_path, server, {"a": "one"}, limit=0)


def test_another_seed_needs_another_folder(tmp_path: Path) -> None:
    with chat_server() as server:
        run(tmp_path, server, {"a": "one"}, seed=1)
        with pytest.raises(InputError, match="be a new folder or a run with seed 1, got 2"):
            run(tmp_path, server, {"a": "one"}, seed=2)


def test_mock_replies_need_no_server(tmp_path: Path) -> None:
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    output = ModelOutput.from_content("mockllm/model", "a grid")
    output.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
    get_model("mockllm/model", custom_outputs=[output])
    result = run_eval_set(
        [tiny_task({"a": "one"})],
        ["mockllm/model"],
        tmp_path,
        model_args={"mockllm/model": {"custom_outputs": [output]}},
        note=lambda line: None,
    )
    assert (result.complete, result.replies, result.spent) == (True, 1, 0.0)
    assert [(reply.entrant, reply.text, reply.cost) for reply in read_run(tmp_path)] == [
        ("mockllm/model", "a grid", 0.0)
    ]


def test_the_run_file_says_what_was_asked(tmp_path: Path) -> None:
    with chat_server() as server:
        run(tmp_path, server, {"a": "one"}, seed=3)
    document = json.loads((tmp_path / "run.json").read_text())
    assert document["models"] == [MODEL]
    assert document["tasks"] == [{"name": "tiny", "version": 3}]
    assert (document["seed"], document["attempts"]) == (3, 1)
