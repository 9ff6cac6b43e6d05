"""For every test: a home folder of its own, no trail, and no network but loopback."""

from __future__ import annotations

import gc
import os
import socket
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import browser, browser_page
from hypothesis import settings

__all__ = ["browser", "browser_page"]

# Seeds are fixed so that a red run is red again; machines are slow at times, so examples have no deadline.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

os.environ["PIXELREEF_TRAIL"] = "off"  # also for fixtures of whole files; tests of the trail turn it on

_connect = socket.socket.connect


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    return home


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test reached for {address}")
        _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Inspect and the SDKs below it leave sockets and event loops to the garbage collector: not our warnings."""
    for item in items:
        if item.get_closest_marker("inspect"):
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"))


@pytest.fixture(autouse=True)
def collected(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect after such a test what would otherwise be collected, and warned about, in some later one."""
    yield
    if request.node.get_closest_marker("inspect"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gc.collect()


@pytest.fixture(scope="session")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny random Qwen3-shaped model and its tokenizer, made once."""
    from tune.small_models import tiny_model

    return tiny_model(tmp_path_factory.mktemp("models") / "tiny-qwen3")
