"""The comparison as a page, as JSON, and as a table to paste.

index.html      everything, one file that opens from disk
compare.json    every figure with its interval
compare.md      the figures that the verdicts rest on
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import write_json, write_text
from pixelreef.draw.pictures import PER_SUBJECT, picture
from pixelreef.draw.score import Attempt
from pixelreef.report import Board, Column, Gallery, Page, Points, Row, Section
from pixelreef.report.part import Part as PagePart
from pixelreef.tune.compare import Compared, Comparison, Part, document

PICTURES = 400
_LEAD = (
    "One model before and after it was taught prompt and drawing pairs, on subjects it was never taught. Differences "
    "are tuned − base, paired by subject, with 95 % intervals."
)
_WORDS = {
    "format": "Does it keep the format better?",
    "structure": "Is the grid more often 24 × 24?",
    "quality": "Are the pictures better?",
    "craft": "Is the craft better?",
    "subject": "Do pictures show their subjects?",
}


@dataclass(frozen=True)
class Written:
    """The page, and what `compare.json` holds."""

    page: Path
    document: dict[str, Any]
    markdown: str


def write_comparison(found: Comparison, out: Path) -> Written:
    """Write all files into `out`."""
    made, table = document(found), markdown(found)
    write_json(out / "compare.json", made)
    write_text(out / "compare.md", table)
    footer = f"Made by pixelreef {__version__}, seed {found.seed}. Opens from disk; needs no network."
    page = Page("Base against tuned", _LEAD, list(_sections(found)), footer)
    return Written(write_text(out / "index.html", page.html()), made, table)


def markdown(found: Comparison) -> str:
    """The telling figure of each kind, for every part."""
    blocks = [f"Base: {found.base}. Tuned: {found.tuned}."]
    for part in found.parts:
        board = _board(part, [one for one in part.rows if one.asked.telling])
        blocks.append(f"{_caption(part)}\n\n{board.markdown()}")
    return "\n\n".join(blocks) + "\n"


_VERDICTS = {
    "higher": "Yes",
    "lower": "No, worse",
    "perhaps higher": "Perhaps",
    "perhaps lower": "No, perhaps worse",
    "the same throughout": "No difference at all",
}


def answers(part: Part) -> list[str]:
    """Each question with its answer in words."""
    return [f"{_WORDS[kind]} {_answer(one)}" for kind, one in part.telling().items()]


def _answer(one: Compared) -> str:
    gap = one.gap
    if gap.mean is None or gap.low is None or gap.high is None:
        return f"Can't be asked: {one.asked.name} is missing for too many subjects."
    figures = f"{gap.mean:+.3f} [{gap.low:+.3f}, {gap.high:+.3f}], {gap.n} subjects".replace("-", "−")
    words = _VERDICTS.get(one.verdict, "No difference shown")
    if one.verdict.startswith("perhaps") and one.p is not None:
        words += f" (p {one.p:.2f} for all figures together)"
    least = "" if gap.smallest is None else f"; below {gap.smallest:.3f} none could be shown"
    return f"{words}: {one.asked.name} {figures}{least}."


def _sections(found: Comparison) -> Iterator[Section]:
    yield Section("answers", "Did it help?", _entrants(found), [Points(_all_answers(found))])
    for number, part in enumerate(found.parts, 1):
        parts: list[PagePart] = [_board(part, part.rows)]
        words = "Under constrained decoding a reply is valid by construction." if part.decoding == "constrained" else ""
        yield Section(f"part-{number}", part.title.capitalize(), words, parts)
    yield Section("gallery", "What was drawn", _shown_words(found), [_gallery(found)])


def _entrants(found: Comparison) -> str:
    return f"Base: {found.base}. Tuned: {found.tuned}."


def _all_answers(found: Comparison) -> list[str]:
    return [f"{part.title.capitalize()}: {answer}" for part in found.parts for answer in answers(part)]


def _board(part: Part, rows: Sequence[Compared]) -> Board:
    columns = [
        Column("kind", "About"),
        Column("figure", "Figure"),
        Column("base", "Base", "interval"),
        Column("tuned", "Tuned", "interval"),
        Column("gap", "Tuned − base", "interval"),
        Column("p", "p (Holm)", "number"),
        Column("smallest", "Smallest that could be shown", "number"),
        Column("verdict", "Tuned is"),
    ]
    cells = [
        Row(
            {
                "kind": one.asked.kind,
                "figure": f"{one.asked.name}: {one.asked.words}",
                "base": one.base,
                "tuned": one.tuned,
                "gap": one.gap,
                "p": one.p,
                "smallest": one.gap.smallest,
                "verdict": one.verdict,
            }
        )
        for one in rows
    ]
    return Board(columns, cells, _caption(part))


def _caption(part: Part) -> str:
    counted = (
        f"{part.subjects} subjects, {part.base_attempts} attempts of the base and {part.tuned_attempts} of the tuned"
    )
    return f"{part.title.capitalize()}: {counted}"


def _chosen(found: Comparison) -> list[Attempt]:
    """At most 6 attempts of one entrant at one subject in one way of asking, those of both side by side."""
    counts: dict[tuple[str, str], int] = {}
    kept = []
    for one in sorted(found.attempts, key=lambda one: (one.reply.item, one.reply.attempt, one.reply.entrant)):
        key = (one.entrant, one.reply.item)
        counts[key] = counts.get(key, 0) + 1
        if one.asked and counts[key] <= PER_SUBJECT:
            kept.append(one)
    return kept[:PICTURES]


def _gallery(found: Comparison) -> Gallery:
    called = {found.base: "base", found.tuned: "tuned"}
    pictures = [
        picture(one, one.entrant.replace(one.reply.entrant, called[one.reply.entrant], 1)) for one in _chosen(found)
    ]
    return Gallery(pictures, tile=96, label="Attempts of base and tuned")


def _shown_words(found: Comparison) -> str:
    return f"{len(_chosen(found)):,} of {sum(one.asked for one in found.attempts):,} attempts, by subject."
