"""A real HTTP server on loopback that speaks the API of Wikimedia Commons and serves files, and misbehaves on request.

What a file does is the first word of its name (`huge-1.jpg`); what the API does next is taken from `api_faults`. Every
request is counted by its path, and its time and headers are kept.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from photographs import encoded, fish_photo

ARTIST = '<a href="//x" onclick="evil()">Ann &amp; Bob</a><script>evil()</script>'


class CommonsServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, names: list[str], page_size: int = 2) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.names = names
        self.page_size = page_size
        self.body = encoded(fish_photo(120, 160))
        self.asked: Counter[str] = Counter()
        self.questions: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.api_faults: list[str] = []
        self.info: dict[str, dict[str, Any]] = {}
        """Name → what to answer differently in its `imageinfo`."""
        self.said: dict[str, dict[str, str]] = {}
        """Name → what to answer differently in its `extmetadata`."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def api(self) -> str:
        return f"{self.address}/w/api.php"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


@contextmanager
def commons_server(names: list[str], page_size: int = 2) -> Iterator[CommonsServer]:
    with CommonsServer(names, page_size) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: CommonsServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.server.asked[parts.path] += 1
        self.server.times.append(time.monotonic())
        self.server.headers.append(dict(self.headers))
        if parts.path == "/w/api.php":
            self._api({key: values[0] for key, values in parse_qs(parts.query).items()})
        else:
            name = parts.path.rpartition("/")[2]
            getattr(self, f"_do_{name.partition('-')[0]}", self._do_good)(parts.path)

    def _api(self, question: dict[str, str]) -> None:
        self.server.questions.append(question)
        fault = self.server.api_faults.pop(0) if self.server.api_faults else ""
        if fault == "maxlag":
            body = json.dumps({"error": {"code": "maxlag", "info": "Waiting for a database: 6 seconds lagged"}})
            self._send(200, body.encode(), "application/json", {"Retry-After": "0.1"})
        elif fault == "429":
            self._send(429, b"slow down", "text/plain", {"Retry-After": "0.3"})
        elif fault == "500":
            self._send(500, b"oops", "text/plain")
        elif fault == "garbage":
            self._send(200, b"<html>not json", "text/html")
        elif fault == "error":
            body = json.dumps({"error": {"code": "badvalue", "info": "Unrecognized value"}})
            self._send(200, body.encode(), "application/json")
        elif fault == "junk":
            self._send(200, b'{"query": {"pages": [7, {"title": 3, "imageinfo": "x"}, {}]}}', "application/json")
        else:
            self._send(200, json.dumps(self._page(question)).encode(), "application/json")

    def _page(self, question: dict[str, str]) -> dict[str, Any]:
        start = int(question.get("gcmcontinue", "0"))
        names = self.server.names[start : start + self.server.page_size]
        answer: dict[str, Any] = {"batchcomplete": True, "query": {"pages": [self._described(name) for name in names]}}
        if start + self.server.page_size < len(self.server.names):
            answer["continue"] = {"gcmcontinue": str(start + self.server.page_size), "continue": "gcmcontinue||"}
        return answer

    def _described(self, name: str) -> dict[str, Any]:
        said = {"LicenseShortName": "CC BY-SA 4.0", "LicenseUrl": "https://example.org/by-sa", "Artist": ARTIST}
        said.update(self.server.said.get(name, {}))
        info = {
            "mime": "image/jpeg",
            "size": len(self.server.body),
            "width": 160,
            "height": 120,
            "sha1": hashlib.sha1(name.encode()).hexdigest(),
            "url": f"{self.server.address}/original/{name}",
            "thumburl": f"{self.server.address}/thumb/{name}",
            "descriptionurl": f"https://commons.example.org/wiki/File:{name}",
            "extmetadata": {key: {"value": value} for key, value in said.items() if value},
            **self.server.info.get(name, {}),
        }
        return {"pageid": 1, "ns": 6, "title": f"File:{name}", "imageinfo": [info]}

    def _do_good(self, path: str) -> None:
        self._send(200, self.server.body, "image/jpeg")

    def _do_busy(self, path: str) -> None:
        if self.server.asked[path] == 1:
            self._send(429, b"slow down", "text/plain", {"Retry-After": "0.3"})
        else:
            self._do_good(path)

    def _do_patience(self, path: str) -> None:
        self._send(503, b"later", "text/plain", {"Retry-After": "86400"})

    def _do_ill(self, path: str) -> None:
        self._send(500, b"oops", "text/plain") if self.server.asked[path] < 3 else self._do_good(path)

    def _do_dead(self, path: str) -> None:
        self._send(500, b"oops", "text/plain")

    def _do_missing(self, path: str) -> None:
        self._send(404, b"no", "text/plain")

    def _do_cut(self, path: str) -> None:
        if self.server.asked[path] > 1:
            self._do_good(path)
            return
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body[:1000])
        self.wfile.flush()
        self.close_connection = True

    def _do_page(self, path: str) -> None:
        self._send(200, b"<html>please log in</html>", "text/html")

    def _do_liar(self, path: str) -> None:
        self._send(200, b"<html>please log in</html>", "image/jpeg")

    def _do_packed(self, path: str) -> None:
        self._send(200, self.server.body, "image/jpeg", {"Content-Encoding": "gzip"})

    def _do_loop(self, path: str) -> None:
        self._send(302, b"", "text/plain", {"Location": path})

    def _do_moved(self, path: str) -> None:
        self._send(302, b"", "text/plain", {"Location": "/thumb/good-moved.jpg"})

    def _do_local(self, path: str) -> None:
        self._send(302, b"", "text/plain", {"Location": "file:///etc/passwd"})

    def _do_huge(self, path: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.end_headers()
        self.close_connection = True
        for _ in range(4096):
            self.wfile.write(b"\xff" * 65536)

    def _do_slow(self, path: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Content-Length", "100000")
        self.end_headers()
        for _ in range(400):
            self.wfile.write(b"\xff")
            self.wfile.flush()
            time.sleep(0.05)

    def _do_silent(self, path: str) -> None:
        time.sleep(3)

    def _send(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
