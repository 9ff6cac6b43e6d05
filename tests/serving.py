"""A real server on a free port of loopback, in a thread of this process, and clients that speak raw HTTP to it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.serve.limits import Patience
from pixelreef.sprites.serve.queue import Queue
from pixelreef.sprites.serve.run import Place, Server, server_from, socket_from


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        return str(self.document["error"])


@dataclass(frozen=True)
class Serving:
    port: int
    server: Server
    queue: Queue

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> Answer:
        return answer(self.port, request(path, **headers))

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@contextmanager
def serving(
    sampler: Sampler, place: Place | None = None, patience: Patience | None = None, queue: Queue | None = None
) -> Iterator[Serving]:
    place, queue = place or Place(port=0), queue or Queue(sampler.engine, lanes=2)
    listening, started = socket_from(place), threading.Event()
    server = server_from(sampler, place, listening, lambda _: started.set(), patience or Patience(), queue)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    assert started.wait(20)
    try:
        yield Serving(listening.getsockname()[1], server, queue)
    finally:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def request(path: str, method: str = "GET", **headers: str) -> bytes:
    """As bytes; the connection ends with the answer unless told otherwise."""
    told = {"Host": "127.0.0.1", "Connection": "close", **{name.replace("_", "-"): of for name, of in headers.items()}}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def answer(port: int, sent: bytes) -> Answer:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(sent)
        return received(connection)


def received(connection: socket.socket) -> Answer:
    """Everything up to the end of the connection, as one answer."""
    found = bytearray()
    while part := connection.recv(65536):
        found += part
    head, _, body = bytes(found).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(first.split()[1]), headers, body)
