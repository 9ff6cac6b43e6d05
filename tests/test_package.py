"""The package as others meet it: its metadata, its wheel, its set-up script."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest

from pixelreef.extras import EXTRAS

ROOT = Path(__file__).parents[1]


def test_the_extras_of_the_code_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) == {*EXTRAS, "all", "dev"}
    assert not any("torch" in requirement for requirement in project["dependencies"])


def test_the_wheel_runs_the_demo_outside_the_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed from the built wheel into an environment that borrows only the dependencies of this one."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    monkeypatch.delenv("PYTHONPATH", raising=False)  # else the clone would stand before the wheel
    home = tmp_path / "env"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
        str(wheel),
    ]
    subprocess.run(pip, check=True, capture_output=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    site = next((home / "lib").glob("python*/site-packages"))
    # A path file adds a folder but does not read that folder's own path files, so the editable install stays out.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = subprocess.run(
        [python, "-c", "import pixelreef; print(pixelreef.__file__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert str(site) in where.stdout
    subprocess.run([home / "bin" / "pixelreef", "demo", "--out", "page"], check=True, cwd=tmp_path, capture_output=True)
    assert (tmp_path / "page" / "index.html").stat().st_size > 100_000


def run_setup(folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", str(folder / "scripts" / "setup"), ".venv"], capture_output=True, text=True, env=env)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    (folder / "scripts").mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "setup", folder / "scripts")
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def fake(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_an_old_python_is_one_clear_line(clone: Path, tmp_path: Path) -> None:
    fake(tmp_path / "python3", 'case "$*" in *--version*) echo Python 3.8.10;; *) exit 1;; esac')
    done = run_setup(clone, {**os.environ, "PYTHON": str(tmp_path / "python3")})
    assert done.returncode == 2
    assert done.stderr.startswith("setup: Python must be 3.11 or newer, got Python 3.8.10. ")
    assert done.stderr.count("\n") == 1


def test_a_missing_network_is_said(clone: Path) -> None:
    nowhere = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "0",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_FIND_LINKS": "",
    }
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
    done = run_setup(clone, {**kept, **nowhere, "PYTHON": sys.executable})
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "setup: the package registry must be reachable, got no answer. Check the network and run this again."
    )
    assert not (clone / ".venv" / ".set-up").exists()
