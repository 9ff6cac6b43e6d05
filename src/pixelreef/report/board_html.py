"""How a board looks in a page: head cells with sort buttons, figures with whiskers, flags and notes.

Takes a `BoardView`, the board already sorted, ranked and checked; it decides nothing about values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pixelreef.report.columns import MISSING, SIGNS, TURNS, Cell, Column, Mark, Spread
from pixelreef.report.html import Html, attribute, joined, text
from pixelreef.report.whisker import Scale, scale_of, whisker


@dataclass(frozen=True)
class BoardView:
    """A board as it is drawn. `cells`, `notes`, `ranked` and `ranks` go by row, `sort_keys` by column, then row."""

    name: str
    caption: str
    columns: Sequence[Column]
    flags: Mapping[str, str]
    order: Sequence[int]
    cells: Sequence[Sequence[Cell]]
    sort_keys: Sequence[Sequence[float | None]]
    notes: Sequence[str]
    ranked: Sequence[bool]
    ranks: Sequence[int | None] | None
    sort: str | None
    descending: bool


def board_html(view: BoardView) -> Html:
    """The board: a caption, a table that scrolls sideways where it must, and the flags spelt out."""
    scales = [_scale(view, index) for index in range(len(view.columns))]
    rank = _rank_head(view) if view.ranks is not None else ""
    head = joined(_head(view, column) for column in view.columns)
    body = joined((_row(view, row, scales) for row in view.order), "\n")
    return Html(
        '<div class="board"><div class="board-scroll" tabindex="0" role="region"'
        f' aria-labelledby="{view.name}_caption">'
        f'<table><caption id="{view.name}_caption"><span>{text(view.caption)}</span></caption>'
        f"<thead><tr>{rank}{head}</tr></thead>\n<tbody>{body}</tbody></table></div>{_flags(view)}</div>\n"
    )


def _scale(view: BoardView, index: int) -> Scale:
    spreads = [cell for row in view.cells if isinstance(cell := row[index], Spread)]
    return scale_of(spreads, view.columns[index].scale)


def _rank_head(view: BoardView) -> Html:
    title = next(column.title for column in view.columns if column.key == view.sort)
    return Html(
        f'<th scope="col" class="rank"><abbr title="Rank by {attribute(title)}">'
        '<span aria-hidden="true">#</span><span class="unseen">Rank</span></abbr></th>'
    )


def _head(view: BoardView, column: Column) -> Html:
    order = "descending" if view.descending else "ascending"
    state = f' aria-sort="{order}"' if column.key == view.sort else ""
    first = "descending" if column.descending_first else "ascending"
    better = f"{'higher' if column.better == 'high' else 'lower'} is better" if column.better else ""
    hint = text(column.hint or better)
    return Html(
        f'<th scope="col" class="{column.kind}"{state} data-first="{first}"><button type="button">{text(column.title)}'
        f'<span class="arrow" aria-hidden="true"></span></button>{_flag(view, column)}'
        f'<span class="hint">{hint}</span></th>'
    )


def _flag(view: BoardView, column: Column) -> str:
    if not column.flag:
        return ""
    letter = view.flags[column.key]
    return (
        f'<a class="flag" href="#{view.name}_flag_{letter}" title="{attribute(column.flag)}">'
        f'<span class="unseen">Warning </span>{letter}</a>'
    )


def _flags(view: BoardView) -> str:
    notes = [
        f'<li id="{view.name}_flag_{view.flags[c.key]}"><span class="flag">{view.flags[c.key]}</span> '
        f"<strong>{text(c.title)}</strong>: {text(c.flag)}</li>"
        for c in view.columns
        if c.flag
    ]
    return f'<ul class="board-flags">{"".join(notes)}</ul>' if notes else ""


def _row(view: BoardView, row: int, scales: Sequence[Scale]) -> Html:
    rank = "" if view.ranks is None else f'<td class="rank">{view.ranks[row] or ""}</td>'
    cells = joined(_cell(view, row, index, scale) for index, scale in enumerate(scales))
    kind = "" if view.ranked[row] else ' class="unranked"'
    return Html(f"<tr{kind}>{rank}{cells}</tr>")


def _cell(view: BoardView, row: int, index: int, scale: Scale) -> Html:
    column, cell, key = view.columns[index], view.cells[row][index], view.sort_keys[index][row]
    # repr of a float is what JavaScript reads back as the same number.
    sort = "" if key is None else f' data-sort="{key!r}"'
    inside = _inside(column, cell, scale)
    if index:
        return Html(f'<td class="{column.kind}"{sort}>{inside}</td>')
    note = f'<span class="note">{text(view.notes[row])}</span>' if view.notes[row] else ""
    return Html(f'<th scope="row" class="{column.kind}"{sort}>{inside}{note}</th>')


def _inside(column: Column, cell: Cell, scale: Scale) -> Html:
    if cell is None or (isinstance(cell, Spread) and cell.mean is None):
        why = f"no value ({column.counts(cell)})" if isinstance(cell, Spread) else "no value"
        return Html(f'<span class="missing" title="{attribute(why)}">{MISSING}</span>')
    if isinstance(cell, Spread) and cell.mean is not None:
        span = f"<span>{text(column.span(cell))}</span> " if column.span(cell) else ""
        return Html(
            f'<span class="mean">{text(column.figure(cell.mean))}</span>{whisker(cell, scale)}'
            f'<span class="remark">{span}<span>{text(column.counts(cell))}</span></span>'
        )
    return _mark(cell) if isinstance(cell, Mark) else text(column.words(cell))


def _mark(mark: Mark) -> Html:
    shown = f'<span class="sign" aria-hidden="true">{SIGNS[mark.turn]}</span>'
    sign = f'{shown}<span class="unseen"> {TURNS[mark.turn]}</span>' if mark.turn != "none" else ""
    remark = f'<span class="remark">{text(mark.remark)}</span>' if mark.remark else ""
    return Html(f'<span class="turn-{mark.turn}"><span class="word">{text(mark.word)}</span>{sign}</span>{remark}')
