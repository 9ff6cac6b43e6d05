"""`pixelreef sprites serve`: mistakes are one line."""

from __future__ import annotations

import importlib.util
import socket
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from sprite_models import perturbed, small_config, weights

from pixelreef import extras
from pixelreef.cli import app, run
from pixelreef.sprites.weights import write_weights


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_weights(tmp_path / "run" / "weights.safetensors", weights(perturbed(small_config())))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--weights none", "file 'none' must exist, got nothing there."),
        ("--weights run --origin game.example", "--origin must be such as https://example.org, or *, got"),
        ("--weights run --origin https://game.example/page", "--origin must be such as https://example.org"),
        ("--weights run --host 192.0.2.1", "--host and --port must be an address that is free, got 192.0.2.1:8765 ("),
    ],
)
def test_a_mistake_is_one_line(
    arguments: str, line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pixelreef", "sprites", "serve", *arguments.split()])
    assert run(app) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"pixelreef: {line}")
    assert told.count("\n") == 1


def test_a_port_that_is_taken_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(sys, "argv", ["pixelreef", "sprites", "serve", "--weights", "run", "--port", str(port)])
        assert run(app) == 2
    assert f"must be an address that is free, got 127.0.0.1:{port} (" in capsys.readouterr().err


@pytest.mark.parametrize(("command", "package", "extra"), [("serve", "uvicorn", "serve"), ("onnx", "onnx", "onnx")])
def test_a_missing_extra_is_one_line_with_the_way_to_add_it(
    command: str,
    package: str,
    extra: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def found(name: str, *rest: Any) -> ModuleSpec | None:
        return None if name == package else importlib.util.find_spec(name, *rest)

    monkeypatch.setattr(extras, "find_spec", found)
    out = ["--out", "d"] if command == "onnx" else []
    monkeypatch.setattr(sys, "argv", ["pixelreef", "sprites", command, "--weights", "run", *out])
    assert run(app) == 2
    line = f"pixelreef: package '{package}' must be installed for this, got none. "
    assert capsys.readouterr().err == f"{line}Add it with: pip install 'pixelreef[{extra}]'\n"
