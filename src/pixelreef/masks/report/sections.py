"""The page of a report of masks, section by section: the board first, then pictures, reasons, methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pixelreef.masks.report import boards
from pixelreef.masks.report.analysis import Analysis
from pixelreef.report import Board, Section


@dataclass(eq=False)
class Shown:
    """What a page shows: figures, photographs, what models said; and, once made, what its gallery holds."""

    found: Analysis
    photographs: Mapping[str, Path]
    texts: Mapping[tuple[str, str, int], str]
    said: dict[str, Any] = field(default_factory=dict)


def all_sections(shown: Shown, board: Board) -> list[Section]:
    """The whole page."""
    found = shown.found
    return [
        Section("board", "Board", f"Ranked by {boards.PRIMARY_WORDS}.", [board]),
        Section("measures", "Measures", "", [boards.measures_board(found)]),
    ]
