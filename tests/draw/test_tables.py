"""The paper's table in three forms, with names that mean harm."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from draw.replies_made import HOSTILE, attempts, mixed, reply
from hypothesis import given
from hypothesis import strategies as st

from pixelreef import __version__
from pixelreef.draw.cite import AUTHORS, LICENSE, TITLE, bibtex
from pixelreef.draw.score import Attempt
from pixelreef.draw.tables import KINDS, table_text
from pixelreef.errors import InputError
from pixelreef.report.latex import latex_table, latex_text

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def scored() -> list[Attempt]:
    return attempts(mixed())


def test_what_a_paper_needs_is_there(scored: list[Attempt]) -> None:
    for kind in ("latex", "md"):
        text = table_text(scored, kind)
        for piece in (
            "p, Holm",
            "smallest difference",
            "max tokens",
            "rows (version 1)",
            "constrained",
            "metrics version",
        ):
            assert piece in text, (kind, piece)
        assert bibtex() in text
        assert "shuffled-rows" in text
        assert "reference" in text


def test_latex_of_hostile_names_compiles_by_the_look_of_it(scored: list[Attempt]) -> None:
    text = table_text(scored, "latex")
    assert "\\input" not in text
    assert "\\textbackslash{}input\\{/etc/passwd\\}" in text
    tables = re.findall(r"\\begin\{tabular\}\{([lr]+)\}\n(.*?)\\end\{tabular\}", text, flags=re.DOTALL)
    assert len(tables) == 3
    for columns, inside in tables:
        rows = [line for line in inside.splitlines() if not line.startswith("\\")]
        assert rows
        assert all(line.endswith(r" \\") for line in rows)
        assert all(len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1 for line in rows)


@given(st.text(max_size=40))
def test_latex_text_holds_no_markup_of_its_own(value: str) -> None:
    text = latex_text(value)
    assert text.isascii()
    assert "\n" not in text
    commands = r"\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textperiodcentered)\{\}"
    rest = re.sub(commands, "", text)
    rest = re.sub(r"\{\\char(34|96)\}|\\ensuremath\{(-|\\times|\\to|\\geq)\}|\\dots\{\}|\{[\[\]]\}", "", rest)
    rest = re.sub(r"\\[{}$&#%_]", "", rest)
    assert not re.search(r"[\\{}$&#%_~^]", rest)


def test_an_empty_group_has_no_rule() -> None:
    assert latex_table(["a"], [False], [[], [["x"]]]).count("midrule") == 1


def test_csv_is_one_tidy_table(scored: list[Attempt]) -> None:
    rows = list(csv.DictReader(io.StringIO(table_text(scored, "csv"))))
    kinds = {row["kind"] for row in rows}
    assert kinds == {"entrant", "baseline", "pair"}
    assert None not in rows[0]
    exact = next(row for row in rows if row["first"] == "paid/exact" and row["score"] == "usable")
    assert (float(exact["mean"]), exact["encoding"], exact["pixelreef"]) == (1.0, "rows (version 1)", __version__)
    pair = next(row for row in rows if row["kind"] == "pair")
    assert 0 <= float(pair["p_holm"]) <= 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("replies", [[], [reply(HOSTILE, "sun", "")], [reply("a", "sun", "", failure="not-asked")]])
def test_few_replies(kind: str, replies: list[object]) -> None:
    text = table_text(attempts(replies), kind)  # type: ignore[arg-type]
    assert not re.search(r"\b(nan|None|inf)\b", text)
    assert "reference" in text


def test_an_unknown_kind() -> None:
    with pytest.raises(InputError, match="--table must be one of latex, md, csv, got 'xml'"):
        table_text([], "xml")


def test_the_citation_file_says_the_same() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for line in (f'title: "{TITLE}"', f'- name: "{AUTHORS}"', f"version: {__version__}", f"license: {LICENSE}"):
        assert line in text
