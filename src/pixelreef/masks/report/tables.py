"""The board as one table of text, for a paper or another program."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pixelreef.errors import InputError
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.boards import main_board
from pixelreef.masks.report.document import document
from pixelreef.masks.report.latex import board_latex
from pixelreef.masks.score import Scores

KINDS = ("latex", "md", "csv", "json")


def table_text(scores: Scores, kind: str, controls: Sequence[str] = (), seed: int = 0) -> str:
    """The board as `latex`, `md`, `csv` or `json`."""
    if kind not in KINDS:
        raise InputError("--table", f"be one of {', '.join(KINDS)}", kind)
    found = analyse(scores, controls, seed)
    if kind == "latex":
        return board_latex(found)
    board = main_board(found, "Masks")
    if kind == "json":
        return json.dumps(document(found, board), indent=2) + "\n"
    return board.markdown() if kind == "md" else board.csv()
