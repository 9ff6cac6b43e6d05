"""The local server with the real SmolLM2 weights, where they have been fetched. Nothing is downloaded here."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from tiny_task import tiny_task

from pixelreef.runs.ask import attempt_seed
from pixelreef.runs.run import read_run, run_eval_set
from pixelreef.runs.server import LocalServer, ServerSettings, address_of, local_from_name, serving
from pixelreef.runs.weights import cached

WEIGHTS = cached("smollm2")  # before a test moves the home folder
pytestmark = [
    pytest.mark.inspect,
    pytest.mark.skipif(
        WEIGHTS is None, reason="the SmolLM2 weights are not in the cache; any run of local/smollm2 fetches them"
    ),
]
SCHEMA = {
    "type": "object",
    "properties": {
        "palette": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[0-9a-f]{6}$"},
            "minItems": 2,
            "maxItems": 3,
        },
        "grid": {"type": "array", "items": {"type": "string", "pattern": "^[0-9]{5}$"}, "minItems": 5, "maxItems": 5},
    },
    "required": ["palette", "grid"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def weights(monkeypatch: pytest.MonkeyPatch) -> None:
    assert WEIGHTS is not None
    monkeypatch.setenv("PIXELREEF_CACHE", str(WEIGHTS.parents[1]))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    settings = ServerSettings(context=1024, log=tmp_path_factory.mktemp("log") / "server.log")
    with LocalServer(local_from_name(f"local/{WEIGHTS}"), settings) as running:
        yield running


def chat(address: str, question: str, **options: Any) -> dict[str, Any]:
    body = {"messages": [{"role": "user", "content": question}], "max_tokens": 24, **options}
    request = urllib.request.Request(
        f"{address}/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return dict(json.load(answer))


def text(reply: dict[str, Any]) -> str:
    return str(reply["choices"][0]["message"]["content"])


def until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def test_the_same_seed_gives_the_same_text(server: LocalServer) -> None:
    first, other, again = (text(chat(server.address, "Tell me of the sea.", seed=seed)) for seed in (1, 2, 1))
    assert first == again != other
    assert first


def test_a_schema_is_kept_to_the_letter(server: LocalServer) -> None:
    shape = {"type": "json_schema", "json_schema": {"name": "drawing", "schema": SCHEMA, "strict": True}}
    for seed in (1, 2):
        reply = chat(server.address, "Draw the sun as JSON.", seed=seed, max_tokens=400, response_format=shape)
        drawing = json.loads(text(reply))
        assert list(drawing) == ["palette", "grid"]
        assert 2 <= len(drawing["palette"]) <= 3
        assert all(re.fullmatch("[0-9a-f]{6}", colour) for colour in drawing["palette"])
        assert len(drawing["grid"]) == 5
        assert all(re.fullmatch("[0-9]{5}", row) for row in drawing["grid"])


def test_a_grammar_is_kept(server: LocalServer) -> None:
    assert text(chat(server.address, "Yes or no?", grammar='root ::= "yes" | "no"', seed=3)) in ("yes", "no")


def test_only_loopback_is_listened_on(server: LocalServer) -> None:
    listening = [c for c in psutil.Process(server.pid).net_connections() if c.status == psutil.CONN_LISTEN]
    assert {connection.laddr.ip for connection in listening} == {"127.0.0.1"}
    assert psutil.Process(server.pid).num_threads() < 40


def test_it_ends_with_its_block(tmp_path: Path) -> None:
    with LocalServer(local_from_name("local/smollm2"), ServerSettings(log=tmp_path / "log")) as running:
        process = psutil.Process(running.pid)
    assert not process.is_running()
    assert not running.alive()
    assert (tmp_path / "log").stat().st_size > 0


def test_it_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from pixelreef.runs.server import LocalServer, local_from_name\n"
        "with LocalServer(local_from_name('local/smollm2')) as server:\n"
        "    print(server.pid, flush=True)\n"
        "    time.sleep(600)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.is_running()
        parent.send_signal(signal.SIGKILL)
    assert until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


def test_a_server_that_died_is_started_again() -> None:
    with serving(["local/smollm2", "openai/not-ours"]) as servers:
        assert list(servers) == ["local/smollm2"]
        first = servers["local/smollm2"].pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert until(lambda: not servers["local/smollm2"].alive())
        assert text(chat(address_of("local/smollm2"), "Hello?", max_tokens=4))
        assert servers["local/smollm2"].pid != first


def adapter(path: Path, scale: float) -> Path:
    """A LoRA adapter on the queries of every layer; with scale 0 it changes nothing."""
    gguf = pytest.importorskip("gguf")
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    chance = np.random.default_rng(0)
    for layer in range(30):
        down, up = chance.normal(0, 0.05, (4, 576)), chance.normal(0, 0.05, (576, 4)) * scale
        writer.add_tensor(f"blk.{layer}.attn_q.weight.lora_a", down.astype(np.float32))
        writer.add_tensor(f"blk.{layer}.attn_q.weight.lora_b", up.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_an_adapter_is_applied(tmp_path: Path, server: LocalServer) -> None:
    said = [text(chat(server.address, "What is the sea?", temperature=0))]
    for scale in (0.0, 3.0):
        name = f"local/smollm2+{adapter(tmp_path / f'{scale}.gguf', scale)}"
        with LocalServer(local_from_name(name), ServerSettings(context=512)) as adapted:
            said.append(text(chat(adapted.address, "What is the sea?", temperature=0)))
    assert said[0] == said[1] != said[2]


def test_a_run_keeps_the_name_the_seed_and_the_schema(tmp_path: Path) -> None:
    def run() -> Any:
        task = tiny_task({"sun": "Draw the sun as JSON."}, SCHEMA, max_tokens=400)
        return run_eval_set(
            [task], ["local/smollm2"], tmp_path, attempts=2, seed=4, note=lambda line: None, max_cost=0.0
        )

    result = run()
    assert (result.complete, result.replies, result.spent) == (True, 2, 0.0)
    replies = read_run(tmp_path)
    assert [(reply.entrant, reply.seed) for reply in replies] == [
        ("local/smollm2", attempt_seed(4, "sun", attempt)) for attempt in (1, 2)
    ]
    assert all(len(json.loads(reply.text)["grid"]) == 5 for reply in replies)
    assert replies[0].text != replies[1].text
    assert replies[0].sampling == {"max_tokens": 400, "constrained": True}
    assert (replies[0].cost, replies[0].cached) == (0.0, False)
    size = (tmp_path / "server.log").stat().st_size
    assert run().replies == 2  # another port, the same run: nothing is asked again
    assert "print_timing" not in (tmp_path / "server.log").read_text()[size:]
