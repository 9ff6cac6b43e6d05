"""What a request may be: whom it may name as its host, how long, how large, and how slowly it may come.

`Guard` stands in front of the whole application. A body is read here, whole and within bounds of bytes and seconds,
before anything looks at it. Where the server listens on loopback alone, a request must name that in its Host header: a
page of another site, whose name was made to lead to this machine, can't read answers (DNS rebinding).
What is slower than a request that has begun, and answers that are not read, are the business of `wire`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from pixelreef.errors import shown

MAX_SPRITES = 64  # of a request
MAX_URL = 2048  # characters
MAX_BODY = 256 * 1024  # bytes
MAX_HEAD = 16 * 1024  # bytes of a request's first line and headers
MAX_PIXELS = 2**22  # of a picture: 64 sprites of 32 × 32 at scale 8
MAX_CONNECTIONS = 512

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class Patience:
    """Seconds that a client may take."""

    head: float = 10.0
    """From the first byte of a request, or from the start of its connection, to the end of its headers."""
    body: float = 10.0
    reading: float = 20.0
    """In which nothing of an answer is read."""
    idle: int = 5
    """Between two requests of a connection."""


class Refused(Exception):
    """A request that is not answered as asked: a status and one sentence."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def fault(sentence: str) -> bytes:
    """The body of every answer that refuses."""
    return json.dumps({"error": sentence}).encode()


async def refuse(send: Send, refused: Refused, *, close: bool = False) -> None:
    """Send it as an answer; with `close` the connection ends, for what was not read of the request."""
    body = fault(refused.sentence)
    told = {"content-type": "application/json", "content-length": str(len(body)), **refused.headers}
    if close:
        told["connection"] = "close"
    headers = [(name.encode(), value.encode()) for name, value in told.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Guard:
    """An application in front of which bounds are kept."""

    def __init__(self, app: Application, hosts: Iterable[str] | None, patience: Patience) -> None:
        """`hosts`: names that a Host header may have; None: any."""
        self.app, self.patience = app, patience
        self.hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As every ASGI application."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            headers = dict(scope["headers"])
            self._check(scope, headers)
            if headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers:
                receive = await self._body(receive)
        except Refused as refused:
            await refuse(send, refused, close=True)
            return
        await self.app(scope, receive, send)

    def _check(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        host = host_name(headers.get(b"host", b"").decode("latin-1"))
        if self.hosts is not None and host not in self.hosts:
            raise Refused(421, f"the Host header must name {' or '.join(sorted(self.hosts))}, got {shown(host)}.")
        length = len(scope["raw_path"]) + 1 + len(scope["query_string"])
        if length > MAX_URL:
            raise Refused(414, f"the address must be at most {MAX_URL} characters, got {length}.")
        if sum(len(name) + len(value) + 4 for name, value in scope["headers"]) > MAX_HEAD:
            raise Refused(431, f"the headers must be at most {MAX_HEAD} bytes, got more.")
        told = headers.get(b"content-length", b"0")
        if len(told) > 12 or int(told) > MAX_BODY:  # h11 has seen that these are digits
            raise Refused(413, f"the body must be at most {MAX_BODY} bytes, got more.")

    async def _body(self, receive: Receive) -> Receive:
        """The whole body, as something to receive it from."""
        whole = bytearray()
        try:
            async with asyncio.timeout(self.patience.body):
                while True:
                    message = await receive()
                    whole += message.get("body", b"")
                    if len(whole) > MAX_BODY:
                        raise Refused(413, f"the body must be at most {MAX_BODY} bytes, got more.")
                    if not message.get("more_body", False):
                        break
        except TimeoutError:
            rule = f"the body must come within {self.patience.body:g} seconds"
            raise Refused(408, f"{rule}, got {len(whole)} bytes of it.") from None
        first: list[Message] = [{"type": "http.request", "body": bytes(whole), "more_body": False}]

        async def again() -> Message:
            return first.pop() if first else await receive()

        return again


def host_name(header: str) -> str:
    """A Host header without its port.

    >>> host_name("localhost:8765"), host_name("[::1]:8765"), host_name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    host = header.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if ":" in host else host
