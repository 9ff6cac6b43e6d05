"""A board: a table of entrants, as a sortable part of a page, as Markdown, as CSV and as records.

All four come from one object and stand in one order. Sorting in the page only reorders rows by numbers that were worked
out here, so a page without scripts shows the same board. The board computes no score and no interval.

    board = Board(
        [Column("entrant", "Entrant"), Column("score", "Score", "interval", better="high")],
        [Row({"entrant": "tide-2", "score": summary}), Row({"entrant": "noise", "score": None}, ranked=False)],
        caption="Drawings of 63 subjects", sort="score", rank=True,
    )
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pixelreef.errors import InputError
from pixelreef.report.board_html import BoardView, board_html
from pixelreef.report.columns import Cell, Column, Given, Mark, Spread, number_of
from pixelreef.report.part import Fragment
from pixelreef.report.tables import csv_table, markdown_table, markdown_text

_RANK = "rank"


@dataclass(frozen=True)
class Row:
    """One entrant. A key that is absent is a missing value; a row that is not ranked is a reference or a null."""

    cells: Mapping[str, Given]
    note: str = ""
    ranked: bool = True


@dataclass(frozen=True)
class Board:
    """Typed columns and rows. `sort` names the column that orders the rows and gives the ranks."""

    columns: Sequence[Column]
    rows: Sequence[Row]
    caption: str
    sort: str | None = None
    descending: bool | None = None
    rank: bool = False
    _cells: list[list[Cell]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keys = [column.key for column in self.columns]
        if len(set(keys)) < len(keys) or not keys or _RANK in keys:
            raise InputError("column keys", f"be at least one, differ, and none be {_RANK!r}", keys)
        if self.sort is not None and self.sort not in keys:
            raise InputError("sort", f"name a column: {', '.join(keys)}", self.sort)
        if self.rank and self.sort is None:
            raise InputError("sort", "name the column that gives the ranks", self.sort)
        for row in self.rows:
            if unknown := set(row.cells) - set(keys):
                raise InputError("row", f"have cells only for {', '.join(keys)}", sorted(unknown))
        cells = [[column.cell(row.cells.get(column.key)) for column in self.columns] for row in self.rows]
        object.__setattr__(self, "_cells", cells)

    @cached_property
    def order(self) -> list[int]:
        """The numbers of the rows as the board shows them: sorted, missing values last whichever way."""
        if self.sort is None:
            return list(range(len(self.rows)))
        column = self._sort_index
        keys = self.sort_keys[column]
        sign = -1 if self._descending else 1
        return sorted(range(len(self.rows)), key=lambda row: _last_if_none(keys[row], sign))

    @cached_property
    def sort_keys(self) -> list[list[float | None]]:
        """Per column, per row: the number by which the row sorts. Text sorts by its place in the alphabet."""
        return [
            [number_of(row[index]) for row in self._cells]
            if column.numeric
            else _alphabet([row[index] for row in self._cells])
            for index, column in enumerate(self.columns)
        ]

    @cached_property
    def ranks(self) -> list[int | None]:
        """Per row: 1 for the best in the sort column; equals share a rank; None where missing or not ranked."""
        if self.sort is None:
            return [None] * len(self.rows)
        sign = -1 if self._descending else 1
        keys = [sign * k if k is not None else None for k in self.sort_keys[self._sort_index]]
        ranked = [key for key, row in zip(keys, self.rows, strict=True) if key is not None and row.ranked]
        return [
            1 + sum(other < key for other in ranked) if key is not None and row.ranked else None
            for key, row in zip(keys, self.rows, strict=True)
        ]

    def records(self) -> list[dict[str, Any]]:
        """Rows as dicts of plain values, ready for JSON: an interval is a dict, a missing value is None."""
        return [self._record(row) for row in self.order]

    def csv(self) -> str:
        """One line per row; an interval takes four columns: `score_mean`, `score_low`, `score_high`, `score_n`."""
        head = [name for column in self.columns for name in _csv_names(column)]
        rows = [
            [
                value
                for column, cell in zip(self.columns, self._cells[row], strict=True)
                for value in _flat(column, cell)
            ]
            for row in self.order
        ]
        if self.rank:
            return csv_table([_RANK, *head], [[self.ranks[i], *row] for i, row in zip(self.order, rows, strict=True)])
        return csv_table(head, rows)

    def markdown(self) -> str:
        """A table, then what the flags and notes say."""
        head = [markdown_text(c.title) + (f" ({self.flags[c.key]})" if c.flag else "") for c in self.columns]
        rows = [[markdown_text(c.words(cell)) for c, cell in self._row(row)] for row in self.order]
        numeric = [column.numeric for column in self.columns]
        if self.rank:
            head, numeric = ["#", *head], [True, *numeric]
            rows = [[str(self.ranks[i] or ""), *row] for i, row in zip(self.order, rows, strict=True)]
        table = markdown_table(head, numeric, rows)
        remarks = [f"- ({self.flags[c.key]}) {markdown_text(c.flag)}" for c in self.columns if c.flag]
        remarks += [
            f"- {markdown_text(self.columns[0].words(self._cells[row][0]))}: {markdown_text(self.rows[row].note)}"
            for row in self.order
            if self.rows[row].note
        ]
        return table + ("\n" + "\n".join(remarks) + "\n" if remarks else "")

    @cached_property
    def flags(self) -> dict[str, str]:
        """The letter of each flagged column: a, b, c, …"""
        flagged = [column.key for column in self.columns if column.flag]
        return {key: chr(ord("a") + number) for number, key in enumerate(flagged)}

    def fragment(self, name: str) -> Fragment:
        view = BoardView(
            name=name,
            caption=self.caption,
            columns=self.columns,
            flags=self.flags,
            order=self.order,
            cells=self._cells,
            sort_keys=self.sort_keys,
            notes=[row.note for row in self.rows],
            ranked=[row.ranked for row in self.rows],
            ranks=self.ranks if self.rank else None,
            sort=self.sort,
            descending=self._descending,
        )
        return Fragment(board_html(view), ("board.css", "board.js"))

    @property
    def _sort_index(self) -> int:
        return [column.key for column in self.columns].index(str(self.sort))

    @property
    def _descending(self) -> bool:
        if self.descending is not None or self.sort is None:
            return bool(self.descending)
        return self.columns[self._sort_index].descending_first

    def _row(self, row: int) -> list[tuple[Column, Cell]]:
        return list(zip(self.columns, self._cells[row], strict=True))

    def _record(self, row: int) -> dict[str, Any]:
        cells = {c.key: cell.record() if isinstance(cell, Spread | Mark) else cell for c, cell in self._row(row)}
        rank = {_RANK: self.ranks[row]} if self.rank else {}
        return {**rank, **cells, "note": self.rows[row].note}


def _last_if_none(key: float | None, sign: int) -> tuple[bool, float]:
    return (True, 0.0) if key is None else (False, sign * key)


def _alphabet(cells: Sequence[Cell]) -> list[float | None]:
    """The place of each text among all texts of its column, capitals or not; equals share a place.

    >>> _alphabet(["b", None, "A", "B"])
    [1, None, 0, 1]
    """
    places = {word: place for place, word in enumerate(sorted({c.casefold() for c in cells if isinstance(c, str)}))}
    return [places[cell.casefold()] if isinstance(cell, str) else None for cell in cells]


def _csv_names(column: Column) -> list[str]:
    if column.kind != "interval":
        return [column.key]
    return [f"{column.key}_{name}" for name in ("mean", "low", "high", "n")]


def _flat(column: Column, cell: Cell) -> list[str | int | float | None]:
    if isinstance(cell, Spread):
        return [cell.mean, cell.low, cell.high, cell.n]
    if isinstance(cell, Mark):
        return [cell.text]
    return [None] * 4 if column.kind == "interval" else [cell]
