"""A judgement as text for a terminal: the cells at a glance, and the reasons of those that do not pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pixelreef.corpus.census import aligned
from pixelreef.taste.evidence import LEVELS, CellVerdict, Level, needed
from pixelreef.taste.judge import Judgement
from pixelreef.taste.sprites import Sprites

MAX_VALUES = 12  # of a factor, on a table
MAX_HARDEST = 6  # cells that stand out most
HARDEST = "Likeliest to be hard to learn, by how far they stand out among these cells:"
MAX_LISTED = 40  # cells whose reasons are printed

SIGNS: dict[Level, str] = {"pass": "ok", "warn": "warn", "fail": "FAIL", "too few to tell": "few"}


def table_factors(sprites: Sprites, cells: Mapping[str, CellVerdict]) -> tuple[Sequence[str], Sequence[str]] | None:
    """(rows, columns) when two factors lay the cells out: the second's values down, the first's across; else None."""
    if len(sprites.factors) != 2 or any(len(values) > MAX_VALUES for values in sprites.factors.values()):
        return None
    if not all(sprites.values_of(cell) for cell in cells):
        return None
    columns, rows = sprites.factors.values()
    return rows, columns


def judgement_text(judged: Judgement) -> str:
    """Counts, the table or list of cells, and reasons."""
    parts = [_counts(judged), _glance(judged), _reasons(judged), _hardest(judged), *_remarks(judged)]
    return "\n".join(part for part in parts if part)


def _counts(judged: Judgement) -> str:
    found = Counter(verdict.word for verdict in judged.cells.values())
    named = ", ".join(f"{number} {word}" for word, number in found.most_common())
    return f"{len(judged.sprites):,} sprites in {len(judged.cells):,} cells: {named}\n"


def _glance(judged: Judgement) -> str:
    laid = table_factors(judged.sprites, judged.cells)
    if laid is None:
        return aligned([["cell", "sprites", "verdict"], *([_line(one) for one in judged.cells.values()])])
    rows, columns = laid
    lines = [["", *columns, ""]]
    for row in rows:
        words = [_word(judged.cells.get(f"{column}/{row}")) for column in columns]
        lines.append([row, *words, ""])
    return aligned(lines)


def _line(verdict: CellVerdict) -> list[str]:
    return [verdict.cell, f"{verdict.n:,}", verdict.word]


def _word(verdict: CellVerdict | None) -> str:
    if verdict is None:
        return "–"
    return SIGNS[verdict.level] if verdict.word == verdict.level else verdict.word


def _reasons(judged: Judgement) -> str:
    told = [verdict for level in LEVELS[:3] for verdict in judged.cells.values() if verdict.level == level]
    lines = [f"{one.cell}: {one.word}: {_why(one)}" for one in told[:MAX_LISTED]]
    if len(told) > MAX_LISTED:
        lines.append(f"… and {len(told) - MAX_LISTED:,} more; --json lists all")
    return "\n".join(lines) + ("\n" if lines else "")


def _why(verdict: CellVerdict) -> str:
    """Its first three reasons, and once how many more sprites all gates need."""
    reasons = [finding.reason for level in ("fail", "warn") for finding in verdict.findings if finding.level == level]
    more = [f"{needed(verdict.more)} for every gate to tell"] if verdict.more else []
    return "; ".join([*reasons[:3], *more])


def hardest_lines(judged: Judgement) -> list[str]:
    """The cells that stand out most, with the gates they stand out in."""
    return [
        f"{cell}: {total:.1f} ({', '.join(list(judged.stands_out[cell])[:3])})"
        for cell, total in judged.hardest()[:MAX_HARDEST]
    ]


def _hardest(judged: Judgement) -> str:
    lines = hardest_lines(judged)
    return "\n".join([HARDEST, *(f"  {line}" for line in lines), ""]) if lines else ""


def _remarks(judged: Judgement) -> list[str]:
    skipped = [run.name for run in judged.runs if run.seconds is None]
    remarks = [*judged.sprites.notes, *judged.notes]
    if skipped:
        remarks.append(f"The budget did not allow {', '.join(skipped)}.")
    if judged.calibration.status == "provisional":
        remarks.append("The limits are provisional: they were not worked out on planted faults.")
    return remarks
