"""What the package offers, and what it must not drag in."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numpy", "PIL", "scipy", "sklearn", "pyarrow", "plotly", "torch", "inspect_ai", "transformers")


def modules_after(code: str, cwd: Path | None = None) -> set[str]:
    """The top-level modules that a fresh interpreter holds after running `code`."""
    report = (
        "import sys, json; sys.__stdout__.write('\\n' + json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True, cwd=cwd
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("room", ["core", "report"])
def test_all_is_what_is_exported(room: str) -> None:
    module = importlib.import_module(f"pixelreef.{room}")
    assert list(module.__all__) == sorted(module.__all__)
    exported = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("pixelreef.")
    }
    assert exported == set(module.__all__)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["show", "--help"], ["demo", "--help"]])
def test_help_and_version_import_nothing_heavy(arguments: list[str]) -> None:
    code = f"""
import sys
from pixelreef.cli import app, run
sys.argv = ["pixelreef", *{arguments!r}]
assert run(app) == 0
"""
    assert not modules_after(code) & set(HEAVY)


def test_the_demo_imports_neither_torch_nor_inspect(tmp_path: Path) -> None:
    loaded = modules_after("from pixelreef.demo import run_demo; run_demo('report')", tmp_path)
    assert not loaded & {"torch", "inspect_ai", "transformers", "onnxruntime", "xllamacpp"}
    assert (tmp_path / "report" / "index.html").exists()
