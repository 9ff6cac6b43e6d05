"""Tables as Markdown and as CSV, safe to paste and to open.

A name that holds `|`, `<` or a link stays a name in Markdown. In CSV, text that a spreadsheet would run as a formula
gets an apostrophe in front; numbers are written in full and missing cells are empty.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

from pixelreef.report.html import visible

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#!])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def markdown_text(value: str) -> str:
    r"""Text as it may stand in a cell of a Markdown table.

    >>> markdown_text("a|b\n*c*")
    'a\\|b \\*c\\*'
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(visible(value).split()))


def markdown_table(head: Sequence[str], numeric: Sequence[bool], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already; figures stand to the right.

    >>> print(markdown_table(["a", "b"], [False, True], [["x", "1"]]), end="")
    | a | b |
    |:--|--:|
    | x | 1 |
    """
    rule = "|".join("--:" if figure else ":--" for figure in numeric)
    lines = [_line(head), f"|{rule}|", *(_line(row) for row in rows)]
    return "\n".join(lines) + "\n"


def csv_table(head: Sequence[str], rows: Iterable[Sequence[str | int | float | None]]) -> str:
    r"""A table as CSV with `\n` at the end of each line; None is an empty cell.

    >>> csv_table(["a", "b"], [["=1+1", 0.5], [None, 2]])
    "a,b\n'=1+1,0.5\n,2\n"
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_inert(name) for name in head])
    writer.writerows([_inert(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return out.getvalue()


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _inert(cell: str) -> str:
    return visible("'" + cell if cell.startswith(_FORMULA) else cell)
