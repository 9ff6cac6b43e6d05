"""Text and tables as LaTeX that compiles whatever a name holds. Needs `booktabs` alone.

Every character that TeX reads as markup is escaped; what a standard font may not have (emoji, other scripts, control
signs) becomes `?`, so that a fragment compiles with pdflatex as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_MARKUP = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",  # by number: named quotes need a package, and babel may make the sign itself a command
    "`": r"{\char96}",
    "[": r"{[}",  # bare, it would be an argument of the line end before it
    "]": r"{]}",
    "–": r"--",
    "−": r"\ensuremath{-}",
    "·": r"\textperiodcentered{}",
    "×": r"\ensuremath{\times}",
    "→": r"\ensuremath{\to}",
    "≥": r"\ensuremath{\geq}",
    "…": r"\dots{}",
    "“": r"``",
    "”": r"''",
    "’": r"'",
}


def latex_text(value: str) -> str:
    r"""Text as it may stand in a LaTeX document.

    >>> latex_text("50 % of a_b & \\input{x}")
    '50 \\% of a\\_b \\& \\textbackslash{}input\\{x\\}'
    """
    return "".join(_MARKUP.get(sign, sign if " " <= sign <= "~" else "?") for sign in " ".join(value.split()))


def latex_table(head: Sequence[str], numeric: Sequence[bool], groups: Iterable[Sequence[Sequence[str]]]) -> str:
    """A booktabs table of plain text, groups of rows parted by a rule."""
    columns = "".join("r" if figure else "l" for figure in numeric)
    bodies = ["".join(_line(row) for row in group) for group in groups if group]
    body = "\\midrule\n".join(bodies)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{_line(head)}\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"


def _line(cells: Sequence[str]) -> str:
    return " & ".join(latex_text(cell) for cell in cells) + r" \\" + "\n"
