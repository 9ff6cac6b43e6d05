"""Boards: order, ranks, missing values, and the four forms of one table."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.samples import Summary, board, read

from pixelreef.errors import InputError
from pixelreef.report import Board, Column, Interval, Mark, Row
from pixelreef.report.columns import Cell, Spread
from pixelreef.report.tables import csv_table, markdown_text
from pixelreef.report.whisker import scale_of, whisker


def names(table: Board) -> list[object]:
    return [record["entrant"] for record in table.records()]


def sorted_by(key: str, descending: bool | None = None) -> Board:
    sample = board()
    return Board(sample.columns, sample.rows, sample.caption, sort=key, descending=descending)


@pytest.mark.parametrize(
    ("key", "descending", "order"),
    [
        ("score", None, ["tide", "kelp", "noise", "Anemone"]),
        ("score", False, ["noise", "kelp", "tide", "Anemone"]),
        ("cost", None, ["noise", "kelp", "tide", "Anemone"]),
        ("cost", True, ["tide", "kelp", "noise", "Anemone"]),
        ("replies", True, ["kelp", "tide", "Anemone", "noise"]),
        ("replies", False, ["Anemone", "tide", "kelp", "noise"]),
        ("entrant", None, ["Anemone", "kelp", "noise", "tide"]),
        ("valid", None, ["tide", "noise", "kelp", "Anemone"]),
    ],
)
def test_missing_is_last_in_both_directions_and_zero_is_not_missing(
    key: str, descending: bool | None, order: list[str]
) -> None:
    assert names(sorted_by(key, descending)) == order


@given(st.lists(st.none() | st.floats(), max_size=12), st.booleans())
def test_order_is_that_of_sorting_the_present_values(values: list[float | None], descending: bool) -> None:
    rows = [Row({"n": value}) for value in values]
    table = Board([Column("n", "N", "number")], rows, "", sort="n", descending=descending)
    present = sorted((v for v in values if v is not None and math.isfinite(v)), reverse=descending)
    assert [r["n"] for r in table.records()] == [*present, *[None] * (len(values) - len(present))]


def test_ranks_share_and_skip_and_leave_out_what_is_not_ranked() -> None:
    values = [
        ("a", 0.5, True),
        ("b", 0.9, False),
        ("c", 0.5, True),
        ("d", 0.7, True),
        ("e", 0.1, True),
        ("f", None, True),
    ]
    rows = [Row({"entrant": name, "score": value}, ranked=ranked) for name, value, ranked in values]
    table = Board([Column("entrant", "E"), Column("score", "S", "number")], rows, "", sort="score", rank=True)
    assert {r["entrant"]: r["rank"] for r in table.records()} == {"a": 2, "b": None, "c": 2, "d": 1, "e": 4, "f": None}


def test_records_are_json_and_missing_is_null() -> None:
    records = json.loads(json.dumps(board().records(), allow_nan=False))
    assert records[0] == {
        "rank": 1,
        "entrant": "tide",
        "score": {"mean": 0.75, "low": 0.7, "high": 0.8, "n": 60},
        "valid": 1.0,
        "replies": 60,
        "cost": 1.5,
        "note": "",
    }
    assert records[3]["score"]["mean"] is None
    assert records[3]["cost"] is None


def test_numbers_of_numpy_become_plain() -> None:
    columns = [Column("a", "A", "number"), Column("n", "N", "count")]
    table = Board(columns, [Row({"a": np.float32(0.5), "n": np.int64(3)})], "")
    assert json.dumps(table.records()) == '[{"a": 0.5, "n": 3, "note": ""}]'


def test_csv_has_four_columns_for_an_interval_and_empty_cells_for_missing() -> None:
    lines = list(csv.DictReader(io.StringIO(board().csv())))
    assert list(lines[0]) == [
        *("rank", "entrant", "score_mean", "score_low", "score_high", "score_n", "valid", "replies", "cost")
    ]
    assert lines[0]["score_mean"] == "0.75"
    assert (lines[2]["entrant"], lines[2]["score_mean"], lines[2]["score_low"]) == ("noise", "0.0", "")
    assert (lines[3]["score_mean"], lines[3]["score_n"], lines[3]["cost"]) == ("", "0", "")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5))
def test_csv_keeps_numbers_in_full(values: list[float]) -> None:
    table = Board([Column("n", "N", "number")], [Row({"n": value}) for value in values], "")
    assert [float(line) for line in table.csv().split("\n")[1:-1]] == values


def test_csv_does_not_run_as_a_formula() -> None:
    assert csv_table(["a"], [["=HYPERLINK(1)"], ["@x"], ["plain"], [-1]]) == "a\n'=HYPERLINK(1)\n'@x\nplain\n-1\n"


def test_markdown() -> None:
    assert board().markdown() == (
        "| # | Entrant | Score (a) | Valid | Replies | Cost |\n"
        "|--:|:--|--:|--:|--:|--:|\n"
        "| 1 | tide | 0.750 (0.700–0.800, n 60, 2 missing) | 100.0 % | 60 | 1.50 |\n"
        "| 2 | kelp | 0.500 (0.400–0.600, n 60) | 50.0 % | 1,200 | 0.25 |\n"
        "|  | noise | 0.000 (n 1) | 100.0 % | – | 0.00 |\n"
        "|  | Anemone | – | 0.0 % | 0 | – |\n"
        "\n"
        "- (a) Does not rank references above nulls.\n"
        "- Anemone: refused\n"
    )


@given(st.text())
def test_a_name_cannot_leave_its_markdown_cell(name: str) -> None:
    cell = markdown_text(name)
    assert "\n" not in cell
    bare = cell.replace("\\\\", "")
    assert all(bare[i - 1 : i] == "\\" for i, sign in enumerate(bare) if sign in "|<>[]`*_")


def test_html_shows_missing_as_a_dash_with_a_title_and_no_sort_number() -> None:
    body = board().fragment("b").body
    assert '<td class="interval"><span class="missing" title="no value (n 0, 60 missing)">–</span></td>' in body
    assert '<td class="number"><span class="missing" title="no value">–</span></td>' in body
    assert '<td class="percent" data-sort="0.0">0.0 %</td>' in body


def test_html_structure() -> None:
    seen = read(board())
    tags = [tag for tag, _ in seen.tags]
    assert tags.count("tr") == 5
    assert tags.count("button") == 5
    assert tags.count("svg") == 3
    assert seen.values.count("descending") == 1 + 3  # aria-sort of one head, data-first of three
    assert {"part_caption", "part_flag_a", "#part_flag_a"} <= set(seen.values)


def test_sort_numbers_of_the_page_are_those_of_the_board() -> None:
    table = Board([Column("n", "N", "number")], [Row({"n": 0.1 + 0.2}), Row({"n": 1e-300})], "")
    assert 'data-sort="0.30000000000000004"' in table.fragment("b").body
    assert 'data-sort="1e-300"' in table.fragment("b").body


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        ("text", 3),
        ("number", "3"),
        ("interval", 0.5),
        ("count", Summary(1, 1, 1, 1)),
        ("percent", object()),
        ("count", True),
    ],
)
def test_a_cell_of_another_kind_is_refused(kind: str, cell: object) -> None:
    column = Column("a", "A", kind)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="cell of column 'a' must be"):
        Board([column], [Row({"a": cell})], "")  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Board([], [], ""),
        lambda: Board([Column("a", "A"), Column("a", "B")], [], ""),
        lambda: Board([Column("rank", "A")], [], ""),
        lambda: Board([Column("a", "A")], [], "", sort="b"),
        lambda: Board([Column("a", "A")], [], "", rank=True),
        lambda: Board([Column("a", "A")], [Row({"b": "x"})], ""),
        lambda: Column("a", "A", "colour"),  # type: ignore[arg-type]
        lambda: Column("a", "A", "interval", scale=(1, 1)),
    ],
)
def test_a_board_that_makes_no_sense_is_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(InputError):
        make()


def test_an_empty_board_is_a_board() -> None:
    table = Board([Column("a", "A")], [], "Nothing yet", sort="a")
    assert table.records() == []
    assert table.csv() == "a\n"
    assert read(table).texts


@pytest.mark.parametrize(
    ("spread", "span"),
    [
        (Spread(0, -0.25, 0.5, 3), "−0.250 to 0.500"),
        (Spread(0.3, 0.25, 0.5, 3), "0.250–0.500"),
        (Spread(1, None, 2, 1), ""),
    ],
)
def test_span(spread: Spread, span: str) -> None:
    assert Column("a", "A", "interval").span(spread) == span


def test_whiskers_stand_on_one_scale() -> None:
    spreads = [Spread(0.5, 0.25, 0.75, 9), Spread(None, None, None, 0), Spread(1.25, None, None, 1)]
    scale = scale_of(spreads)
    assert (scale.low, scale.high) == (0.25, 1.25)
    assert scale.x(0.25) == 4
    assert scale.x(1.25) == 92
    assert scale.x(9) == 92
    assert 'cx="26.0"' in whisker(spreads[0], scale)
    assert whisker(spreads[1], scale) == ""
    assert 'class="span"' not in whisker(spreads[2], scale)
    assert 'class="zero"' in whisker(spreads[0], scale_of([], (-1, 1)))


@pytest.mark.parametrize("value", [0.0, 3.0, -2.0])
def test_a_single_value_stands_in_the_middle(value: float) -> None:
    assert scale_of([Spread(value, value, value, 1)]).x(value) == 48


def test_anything_of_the_shape_is_an_interval() -> None:
    assert isinstance(Summary(1, 1, 1, 1), Interval)
    assert not isinstance(0.5, Interval)
    kept: Cell = Column("a", "A", "interval").cell(Summary(math.nan, math.inf, 0.5, 3))
    assert kept == Spread(None, None, 0.5, 3)


def test_marks_show_their_turn_and_sort_by_their_place() -> None:
    rows = [
        Row({"cell": "a", "now": Mark("weak", "up", "0.41", 1)}),
        Row({"cell": "b", "now": Mark("<i>", "down", "", 0)}),
        Row({"cell": "c", "now": Mark("odd")}),
        Row({"cell": "d", "now": Mark("learned", "level", "", 2)}),
        Row({"cell": "e"}),
    ]
    table = Board([Column("cell", "Cell"), Column("now", "Now", "mark")], rows, "Cells", sort="now")
    assert [record["cell"] for record in table.records()] == ["d", "a", "b", "c", "e"]
    assert table.records()[1]["now"] == {"word": "weak", "turn": "better", "remark": "0.41"}
    assert table.csv().splitlines()[1:3] == ["d,learned =", "a,weak ▲"]
    assert "| a | weak ▲ |" in table.markdown()
    body = table.fragment("b").body
    assert '<span class="turn-up"><span class="word">weak</span><span class="sign" aria-hidden="true">▲</span>' in body
    assert '<span class="unseen"> better</span>' in body
    assert "&lt;i&gt;" in body
    with pytest.raises(InputError, match="must be a mark or None"):
        Board([Column("now", "Now", "mark")], [Row({"now": "weak"})], "")
