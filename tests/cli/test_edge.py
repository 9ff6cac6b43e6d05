"""The edge of the command line: errors become one line and an exit code, here and nowhere else."""

from __future__ import annotations

import sys

import pytest
import typer

from pixelreef.cli import run
from pixelreef.errors import GateFailed, InputError
from pixelreef.extras import EXTRAS, require


def application(error: Exception | None) -> typer.Typer:
    made = typer.Typer(pretty_exceptions_enable=False)

    @made.command()
    def command() -> None:
        if error:
            raise error

    return made


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (None, 0, ""),
        (
            InputError("--n", "be at least 1", 0, "Ask for more."),
            2,
            "pixelreef: --n must be at least 1, got 0. Ask for more.\n",
        ),
        (GateFailed("2 of 30 cells failed"), 1, "pixelreef: 2 of 30 cells failed\n"),
    ],
)
def test_errors_become_one_line_and_a_code(
    error: Exception | None, code: int, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pixelreef"])
    assert run(application(error)) == code
    assert capsys.readouterr().err == line


def test_a_fault_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pixelreef"])
    with pytest.raises(ZeroDivisionError):
        run(application(ZeroDivisionError()))


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_prints_the_exact_pip_line(
    extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = typer.Typer(pretty_exceptions_enable=False)

    @made.command()
    def command() -> None:
        require(extra, "a_package_that_no_one_has")

    monkeypatch.setattr(sys, "argv", ["pixelreef"])
    assert run(made) == 2
    assert capsys.readouterr().err.endswith(f"Add it with: pip install 'pixelreef[{extra}]'\n")


def test_an_unknown_extra_is_a_fault_of_ours() -> None:
    with pytest.raises(ValueError, match="must be one of"):
        require("nonsense", "json")
