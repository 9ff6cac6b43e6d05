"""The report of scored attempts: a page, and the same in CSV, JSON and Markdown.

    written = write_report(attempts, Path("draw-report"), seed=0)
    written.page, written.document["entrants"]

    index.html      everything, one file that opens from disk
    board.csv       one row per entrant, baselines included
    board.md        the same board, to paste
    board.json      the board and every analysis
    attempts.csv    one row per attempt, every measure
    replies.jsonl   the replies behind it, which score to the same report again

Works out nothing: see `analysis`. The same attempts and seed give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import write_json, write_text
from pixelreef.draw.analysis import Analysis, analyse, document
from pixelreef.draw.attempt_rows import attempts_csv
from pixelreef.draw.boards import draw_board
from pixelreef.draw.controls import is_baseline, with_baselines
from pixelreef.draw.score import Attempt
from pixelreef.draw.sections import all_sections
from pixelreef.report import Html, Page
from pixelreef.runs.replies import write_jsonl

_LEAD = (
    "A model returns a palette of 2 to 10 colours and a 24 × 24 grid of indices as JSON. This page measures whether it "
    "keeps the format, whether the grid is a picture, and whether the picture shows its subject."
)


@dataclass(frozen=True)
class Written:
    """The page, and what `board.json` holds."""

    page: Path
    document: dict[str, Any]


def write_report(attempts: Sequence[Attempt], out: Path, seed: int = 0, *, baselines: bool = True) -> Written:
    """Write all files into `out`; with `baselines`, nulls and references stand beside the entrants."""
    out = Path(out)
    found = analyse(with_baselines(attempts, seed) if baselines else attempts, seed)
    board = draw_board(found.standings, found.flags, "Pixel art by palette and grid")
    made = {**document(found), "board": board.records()}
    write_jsonl(out / "replies.jsonl", (one.reply for one in attempts if not is_baseline(one)))
    write_text(out / "attempts.csv", attempts_csv(found.attempts))
    write_text(out / "board.csv", board.csv())
    write_text(out / "board.md", board.markdown())
    write_json(out / "board.json", made)
    return Written(write_text(out / "index.html", page(found)), made)


def page(found: Analysis) -> Html:
    """The whole page as HTML."""
    footer = f"Made by pixelreef {__version__}, seed {found.seed}. Opens from disk; needs no network."
    return Page("Pixel art by palette and grid", _LEAD, all_sections(found), footer).html()
