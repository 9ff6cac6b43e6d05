"""A local model as an OpenAI-compatible server on loopback, in a process of its own.

    with LocalServer(local_from_name("local/smollm2")) as server:
        server.address          # http://127.0.0.1:<a free port>

The process is apart, so that a crash in native code is one failed sample and not the end of a run. It ends with the
`with` block, and also when this process dies without a word (see `llama.py`). What it prints goes to `server.log`.
`serving` keeps one server per model for the length of a run; `address_of` is what the Inspect provider asks, and starts
a server again that has died.
"""

from __future__ import annotations

import atexit
import json
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef.errors import InputError
from pixelreef.extras import require
from pixelreef.runs.weights import gguf_file, local_model_path

PREFIX = "local/"
CONTEXT = 8192  # tokens of prompt and reply together
STARTUP_SECONDS = 120.0  # a few seconds for small models; gigabytes from a slow disk take longer


@dataclass(frozen=True)
class LocalModel:
    """A model that runs on this machine: the name it was asked for by, its GGUF file, and a LoRA adapter or none."""

    name: str
    path: Path
    adapter: Path | None = None


@dataclass(frozen=True)
class ServerSettings:
    """How a local model is run. One thread by default: on a busy machine a second one makes small models slower."""

    threads: int = 1
    context: int = CONTEXT
    seed: int = 0  # for requests that bring none of their own
    log: Path | None = None  # None: a temporary file, kept only if the server does not start

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise InputError("--threads", "be at least 1", self.threads)
        if not 256 <= self.context <= 2**20:
            raise InputError("--context", "be from 256 to 1048576 tokens", self.context)


def local_from_name(name: str) -> LocalModel:
    """`local/smollm2`, `local/PATH.gguf` or `local/BASE.gguf+ADAPTER.gguf` as files that exist.

    `local/smollm2+ADAPTER.gguf` puts an adapter on the packaged model.
    """
    if not name.startswith(PREFIX) or len(name) == len(PREFIX):
        raise InputError("local model", "be named local/smollm2 or local/PATH.gguf", name)
    rest = name.removeprefix(PREFIX)
    if Path(rest).expanduser().is_file():  # a plus sign may be part of a file's name
        return LocalModel(name, gguf_file(rest))
    base, plus, adapter = rest.partition("+")
    return LocalModel(name, local_model_path(base), gguf_file(adapter) if plus else None)


class LocalServer:
    """One server process; `start` and `stop` may be called again and again, and the `with` block calls both."""

    def __init__(self, model: LocalModel, settings: ServerSettings | None = None) -> None:
        self.model = model
        self.settings = settings or ServerSettings()
        self.address = ""
        self.log = self.settings.log or Path(tempfile.mkdtemp(prefix="pixelreef-"), "llama.log")
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> LocalServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        if self.settings.log is None:
            shutil.rmtree(self.log.parent, ignore_errors=True)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process and wait until it answers; nothing to do while it lives."""
        if self.alive():
            return
        require("local", "xllamacpp")
        self.stop()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                # -P: the folder of this file must not stand in front of the standard library
                [sys.executable, "-P", str(Path(__file__).with_name("llama.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # an interrupt at the keyboard is the run's to handle
            )
        try:
            self._order()
            deadline = time.monotonic() + STARTUP_SECONDS
            self.address = self._reported_address(deadline)
            self._wait_until_healthy(deadline)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the process: by closing its input, and by force if it does not heed that within 5 seconds."""
        process, self._process, self.address = self._process, None, ""
        if process is None:
            return
        if process.stdin:
            with suppress(OSError):  # it is dead already
                process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()

    def _order(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        order: dict[str, Any] = {
            "model": str(self.model.path),
            "adapter": str(self.model.adapter) if self.model.adapter else None,
            "alias": self.model.name,
            "threads": self.settings.threads,
            "context": self.settings.context,
            "seed": self.settings.seed,
        }
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._failure() from None

    def _reported_address(self, deadline: float) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        lines: queue.Queue[str] = queue.Queue()
        stdout = self._process.stdout
        threading.Thread(target=lambda: lines.put(stdout.readline()), daemon=True).start()
        try:
            return str(json.loads(lines.get(timeout=deadline - time.monotonic()))["address"])
        except (queue.Empty, ValueError, KeyError, TypeError):
            raise self._failure() from None

    def _wait_until_healthy(self, deadline: float) -> None:
        while time.monotonic() < deadline and self.alive():
            try:
                with urllib.request.urlopen(f"{self.address}/health", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise self._failure()

    def _failure(self) -> InputError:
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []
        reason = next((line for line in reversed(lines) if "error" in line.lower() or " E " in line), "no answer")
        beside = f" with adapter {str(self.model.adapter)!r}" if self.model.adapter else ""
        return InputError(
            f"model file {str(self.model.path)!r}{beside}",
            "be served by llama.cpp",
            reason[-200:],
            f"All it said is in {self.log}.",
            verbatim=True,
        )


_servers: dict[str, LocalServer] = {}
_lock = threading.Lock()


@contextmanager
def serving(names: Iterable[str], settings: ServerSettings | None = None) -> Iterator[dict[str, LocalServer]]:
    """The servers of all local models among `names`, started now, so that a bad file is known before the first call."""
    with ExitStack() as stack:
        opened: dict[str, LocalServer] = {}
        for name in dict.fromkeys(name for name in names if name.startswith(PREFIX)):
            server = stack.enter_context(LocalServer(local_from_name(name), settings))
            stack.callback(_servers.pop, name, None)
            _servers[name] = opened[name] = server
        yield opened


def address_of(name: str) -> str:
    """The address of the server of a local model, which is started if there is none, or none that lives."""
    with _lock:
        if name not in _servers:  # asked for outside a run of ours: `inspect eval … --model local/smollm2`
            _servers[name] = LocalServer(local_from_name(name))
            atexit.register(_servers[name].__exit__)
        server = _servers[name]
        server.start()
        return server.address
