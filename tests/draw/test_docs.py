"""The tables of `docs/draw.md` are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pixelreef.draw.encodings import encodings
from pixelreef.draw.failures import FAILURES
from pixelreef.draw.repairs import REPAIRS

PAGE = (Path(__file__).parents[2] / "docs" / "draw.md").read_text(encoding="utf-8")


def table(head: str) -> list[tuple[str, str]]:
    _, _, rest = PAGE.partition(f"| {head} | meaning |\n|---|---|\n")
    return re.findall(r"^\| (.+?) \| (.+) \|$", rest.partition("\n\n")[0], re.MULTILINE)


@pytest.mark.parametrize(("head", "wanted"), [("failure", FAILURES), ("repair", REPAIRS)])
def test_tables_are_in_step(head: str, wanted: dict[str, str]) -> None:
    assert table(head) == list(wanted.items())


def test_every_encoding_is_described() -> None:
    section = PAGE.partition("## Encodings")[2].partition("## Reading")[0]
    for name, one in encodings().items():
        keys = ", ".join(f"`{key}`" for key in one.keys)
        assert f"| `{name}` | {keys} |" in section
