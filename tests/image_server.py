"""A real HTTP server on loopback that paints masks: OpenAI's image edits and responses, and Google's generateContent.

It is given the truth, finds the item by the photograph that it is sent, and answers as the item's kind says: `right`,
`size` (another size), `jpeg`, `refused`, `words` (a polite no), `garbage` (a picture file that is none), `broken` (no
JSON at all), `error` (500), `slow`, `address` (a link instead of a picture). Every request is counted.
"""

from __future__ import annotations

import base64
import email
import email.policy
import io
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Rgb = NDArray[np.uint8]

USED = {"input_tokens": 600, "output_tokens": 1000, "total_tokens": 1600}
NO = "I can't help with that picture."
THOUGHT = "Let me find the fins first."
SLOW = 30.0  # seconds, unless said


class ImageServer(ThreadingHTTPServer):
    """`answers`: the PNG of a photograph (or of a whole picture sent) → (kind, the mask that is right)."""

    daemon_threads = True

    def __init__(self, answers: Mapping[bytes, tuple[str, Rgb]], delay: float = 0.0, slow: float = SLOW) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.slow = slow
        self.answers = answers
        self.delay = delay
        self.asked: Counter[tuple[str, str]] = Counter()
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


@contextmanager
def image_server(
    answers: Mapping[bytes, tuple[str, Rgb]], delay: float = 0.0, slow: float = SLOW
) -> Iterator[ImageServer]:
    with ImageServer(answers, delay, slow) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()


class _Handler(BaseHTTPRequestHandler):
    server: ImageServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path.endswith("/images/edits"):
            call, pictures, fields = "edit", *self._form(body)
        elif self.path.endswith("/responses"):
            call, pictures, fields = "responses", *_from_responses(json.loads(body))
        else:
            call, pictures, fields = "google", *_from_google(json.loads(body))
        kind, mask = self.server.answers[pictures[0]]
        with self.server.lock:
            self.server.asked[call, kind] += 1
            self.server.requests.append((call, {**fields, "pictures": pictures}))
        time.sleep(self.server.delay)
        if kind == "slow":
            self.server.closing.wait(self.server.slow)
        elif kind == "error":
            self._send(500, {"error": {"message": "the cook is ill", "code": 500, "status": "INTERNAL"}})
        elif kind == "broken":
            self._send(200, b"\x00\xff<html>{not json")
        else:
            self._send(*getattr(self, f"_{call}")(kind, mask))

    def _form(self, body: bytes) -> tuple[list[bytes], dict[str, Any]]:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = email.message_from_bytes(head + body, policy=email.policy.HTTP)
        parts = [(part.get_param("name", header="content-disposition"), part) for part in form.iter_parts()]
        pictures = [bytes(part.get_content()) for name, part in parts if str(name).startswith("image")]
        fields = {str(name): part.get_content() for name, part in parts if not str(name).startswith("image")}
        return pictures, fields

    def _edit(self, kind: str, mask: Rgb) -> tuple[int, Any]:
        if kind in ("refused", "words"):
            return 400, {"error": {"message": NO, "code": "moderation_blocked", "type": "image_generation_user_error"}}
        details = {"image_tokens": 500, "text_tokens": 100}
        image = {"url": "https://example.org/mask.png"} if kind == "address" else {"b64_json": _painted(kind, mask)}
        return 200, {"created": 1, "data": [image], "usage": {**USED, "input_tokens_details": details}}

    def _responses(self, kind: str, mask: Rgb) -> tuple[int, Any]:
        said = {
            "type": "output_text",
            "text": NO if kind in ("refused", "words", "address") else "Here.",
            "annotations": [],
        }
        message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [said]}
        painted = {"type": "image_generation_call", "id": "i", "status": "completed"}
        output = [message] if said["text"] == NO else [{**painted, "result": _painted(kind, mask)}, message]
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        return 200, {
            "id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": output,
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": {**USED, **details},
        }  # fmt: skip

    def _google(self, kind: str, mask: Rgb) -> tuple[int, Any]:
        usage = {"promptTokenCount": 600, "candidatesTokenCount": 1000, "totalTokenCount": 1600}
        if kind == "refused":
            return 200, {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage}
        parts: list[dict[str, Any]] = [{"text": THOUGHT, "thought": True}]
        if kind in ("words", "address"):
            parts.append({"text": NO})
        else:
            mime = "image/jpeg" if kind == "jpeg" else "image/png"
            draft = {"inlineData": {"mimeType": "image/png", "data": _painted("size", mask)}, "thought": True}
            parts += [draft, {"text": "Here."}, {"inlineData": {"mimeType": mime, "data": _painted(kind, mask)}}]
        candidate = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": parts}}
        return 200, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}

    def _send(self, status: int, document: Any) -> None:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _painted(kind: str, mask: Rgb) -> str:
    if kind == "garbage":
        return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"nothing of the kind" * 9).decode()
    image, buffer = Image.fromarray(mask), io.BytesIO()
    if kind == "size":
        image = image.resize((mask.shape[1] * 3 // 2, mask.shape[0] * 3 // 2), Image.Resampling.NEAREST)
    image.save(buffer, "JPEG" if kind == "jpeg" else "PNG", **({"quality": 95} if kind == "jpeg" else {}))
    return base64.b64encode(buffer.getvalue()).decode()


def _from_responses(body: dict[str, Any]) -> tuple[list[bytes], dict[str, Any]]:
    parts = body["input"][-1]["content"]
    pictures = [
        base64.b64decode(part["image_url"].partition(",")[2]) for part in parts if part["type"] == "input_image"
    ]
    texts = [part["text"] for part in parts if part["type"] == "input_text"]
    return pictures, {"prompt": "\n".join(texts), "tools": body.get("tools")}


def _from_google(body: dict[str, Any]) -> tuple[list[bytes], dict[str, Any]]:
    parts = body["contents"][-1]["parts"]
    pictures = [base64.urlsafe_b64decode(part["inlineData"]["data"]) for part in parts if "inlineData" in part]
    texts = [part["text"] for part in parts if "text" in part]
    return pictures, {"prompt": "\n".join(texts), "config": body.get("generationConfig")}
