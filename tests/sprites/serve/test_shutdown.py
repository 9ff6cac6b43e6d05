"""A real process: asked to end, it answers everything that it has accepted, and ends with 0."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from serving import answer, received, request, serving
from sprite_models import perturbed, small_config, weights

from pixelreef.core.document import sprite_from_fields
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import Weights, write_weights


@pytest.fixture(scope="module")
def model() -> Weights:
    return weights(perturbed(small_config()))


@contextmanager
def process(model: Weights, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    file = write_weights(folder / "w.safetensors", model)
    asked = ["sprites", "serve", "--port", "0", "--weights", str(file), "--json"]
    command = [sys.executable, "-m", "pixelreef", *asked]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert running.stdout is not None
        address = json.loads(running.stdout.readline())["address"]
        yield running, int(address.rpartition(":")[2])
    finally:
        running.kill()
        running.communicate()


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_what_is_in_flight_is_answered_right(sign: signal.Signals, whole: bool, model: Weights, tmp_path: Path) -> None:
    """`whole`: as a terminal and a supervisor do it, to the server and all that it has begun."""
    count, each = 16, 16
    with process(model, tmp_path) as (running, port):
        flying = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(count)]
        idle = socket.create_connection(("127.0.0.1", port), timeout=60)
        for number, connection in enumerate(flying):
            path = f"/sample?cell=fish/top&n={each}&number={number * each}&format=json"
            connection.sendall(request(path, Connection="keep-alive"))
        while not json.loads(answer(port, request("/health")).body)["drawing"]:
            time.sleep(0.01)
        (os.killpg if whole else os.kill)(running.pid, sign)
        answers = [received(connection) for connection in flying]
        assert running.wait(20) == 0
        assert idle.recv(10) == b""
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", port), timeout=5)
        assert running.stderr is not None
        assert running.stderr.read() == f"Sprites at http://127.0.0.1:{port} until Ctrl-C.\n"
        for connection in (*flying, idle):
            connection.close()
    assert [one.status for one in answers] == [200] * count
    expected = [one.cells for one in Sampler(model).sample("fish/top", count * each)]
    found = [sprite_from_fields(one).grid.cells for answer in answers for one in answer.document["sprites"]]
    same = sum((one == other).all() for one, other in zip(found, expected, strict=True))
    assert same >= 0.99 * count * each


def test_a_request_sent_at_the_last_moment_is_answered(model: Weights) -> None:
    """Its connection was accepted, and the server begins to end before it has read a byte of it."""
    with serving(Sampler(model, threads=1)) as running, running.connect() as connection:
        while not (open_ := list(running.server.server_state.connections)):
            time.sleep(0.01)
        (wire,) = open_
        wire.loop.call_soon_threadsafe(wire.shutdown)
        time.sleep(0.05)
        connection.sendall(request("/sample?cell=fish/top", Connection="keep-alive"))
        assert received(connection).status == 200  # up to the end of the connection
