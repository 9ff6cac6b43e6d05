"""Writing the report of scored masks into a folder. Works out nothing: see `analysis`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import write_json, write_text
from pixelreef.masks.distributed import files_in
from pixelreef.masks.pairs import ENDINGS
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.boards import main_board
from pixelreef.masks.report.document import document
from pixelreef.masks.report.galleries import Galleries, Progress
from pixelreef.masks.report.latex import board_latex
from pixelreef.masks.report.pictures import Album, Texts
from pixelreef.masks.report.rows import classes_csv, images_csv
from pixelreef.masks.report.sections import all_sections
from pixelreef.masks.score import Scores
from pixelreef.report import Page

TITLE = "Masks by image models"
LEAD = (
    "A model gets a photograph and a colour for each class, and paints the semantic mask. This page measures how much "
    "of each mask is right, how much of the rest is the decoder's doing, and why a mask is wrong."
)


@dataclass(frozen=True)
class Written:
    """The page, and what `board.json` holds."""

    page: Path
    document: dict[str, Any]


def write_report(
    scores: Scores,
    out: Path,
    *,
    images: Path | Mapping[str, Path] | None = None,
    texts: Texts | None = None,
    controls: Sequence[str] = (),
    title: str = TITLE,
    seed: int = 0,
    progress: Progress | None = None,
) -> Written:
    """Write all files into `out`. `images` are the photographs: a folder, or item → file; without them, those of the
    scores. `texts` are what models said. `controls` names the entrants that are not ranked. The same scores, files and
    seed give the same bytes."""
    out = Path(out)
    found = analyse(scores, controls, seed)
    board = main_board(found, f"{len(scores.items):,} images, {scores.classes.name or 'classes'}")
    galleries = Galleries(Album(found, _photographs(scores, images), texts or {}), progress=progress)
    sections = all_sections(found, galleries, board)
    made = {**document(found, board), "gallery": galleries.record}
    write_text(out / "images.csv", images_csv(found))
    write_text(out / "classes.csv", classes_csv(found))
    write_text(out / "board.csv", board.csv())
    write_text(out / "board.md", board.markdown())
    write_text(out / "board.tex", board_latex(found))
    write_json(out / "board.json", made)
    footer = f"Made by pixelreef {__version__}, seed {seed}. Opens from disk; needs no network."
    return Written(write_text(out / "index.html", Page(title, LEAD, sections, footer).html()), made)


def _photographs(scores: Scores, images: Path | Mapping[str, Path] | None) -> Mapping[str, Path]:
    if images is None:
        return scores.photographs
    return images if isinstance(images, Mapping) else files_in(Path(images), *ENDINGS)
