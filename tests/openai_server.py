"""A real HTTP server on loopback that speaks OpenAI's chat completions, and misbehaves on request.

The question decides what it does: a prompt holding `!500` gets a server error, `!garbage` bytes that are no JSON, and
so on. Every request is counted by its question.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

GOOD = '{"palette": ["000000", "ffcc00"], "grid": ["01"]}'
INPUT_TOKENS, OUTPUT_TOKENS = 100, 50


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.delay = delay
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


@contextmanager
def chat_server(delay: float = 0.0) -> Iterator[ChatServer]:
    with ChatServer(delay) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._send(200, json.dumps(dict(self.server.asked)).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = body["messages"][-1]["content"]
        question = content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
        with self.server.lock:
            self.server.asked[question] += 1
            self.server.bodies.append(body)
        time.sleep(self.server.delay)
        name = question.rpartition("!")[2] if "!" in question else "good"
        getattr(self, f"_do_{name}")(question)

    def _do_good(self, question: str) -> None:
        self._complete(GOOD)

    def _do_prose(self, question: str) -> None:
        self._complete("Here is a nice picture of the sun for you.")

    def _do_500(self, question: str) -> None:
        self._send(500, b'{"error": {"message": "the cook is ill", "type": "server_error"}}')

    def _do_429once(self, question: str) -> None:
        if self.server.asked[question] == 1:
            self._send(429, b'{"error": {"message": "slow down", "type": "rate_limit_error"}}', {"Retry-After": "0.1"})
        else:
            self._complete(GOOD)

    def _do_400(self, question: str) -> None:
        self._send(400, b'{"error": {"message": "no such thing", "type": "invalid_request_error"}}')

    def _do_garbage(self, question: str) -> None:
        self._send(200, b"\x00\xff<html>{not json" * 20)

    def _do_shapeless(self, question: str) -> None:
        self._send(200, b'{"hello": [1, 2, 3]}')

    def _do_slow(self, question: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(200):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)

    def _do_early(self, question: str) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"id": "x", "choi')
        self.wfile.flush()
        self.close_connection = True
        self.connection.close()

    def _do_huge(self, question: str) -> None:
        self._complete("7" * 3_000_000)

    def _do_refuse(self, question: str) -> None:
        self._complete(None, refusal="I can't help with that.", finish="content_filter")

    def _complete(self, text: str | None, refusal: str | None = None, finish: str = "stop") -> None:
        message = {"role": "assistant", "content": text, "refusal": refusal}
        usage = {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS, "total_tokens": 150}
        choice = {"index": 0, "finish_reason": finish, "message": message}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        self._send(200, json.dumps(body).encode())

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
