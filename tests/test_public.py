"""What the package offers, and what it must not drag in."""

from __future__ import annotations

import importlib

import pytest
from loaded import modules_after

HEAVY = ("numpy", "PIL", "scipy", "sklearn", "pyarrow", "plotly", "torch", "inspect_ai", "transformers")


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
