"""Contact sheets of samples beside real sprites: most faults are seen sooner than they are read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.file_names import FileNames
from pixelreef.core.files import write_bytes
from pixelreef.core.render import enlarged, png_from_rgba
from pixelreef.core.seeds import rng
from pixelreef.core.sheet import contact_sheet
from pixelreef.taste.judge import Judgement
from pixelreef.taste.sprites import Sprites

PER_CELL = 8
MOST_CELLS = 100  # on one sheet
_TILE = 48


def sheet_beside(judged: Judgement, per_cell: int = PER_CELL) -> NDArray[np.uint8]:
    """All cells, one row each: samples to the left, real sprites to the right, the verdict before them."""
    cells = list(judged.cells)[:MOST_CELLS]
    rows = [[*_pictures(judged.sprites, cell, per_cell, judged.seed), *_real(judged, cell, per_cell)] for cell in cells]
    labels = [f"{cell}: {judged.cells[cell].word}" for cell in cells]
    return contact_sheet(rows, labels, ["samples", "real"], scale=1, columns_per_label=per_cell)


def write_sheets_beside(judged: Judgement, out: Path) -> list[Path]:
    """`samples.png` of all cells, and `cells/NAME.png` for each that is not learned, with what its evidence shows."""
    written = [write_bytes(out / "samples.png", png_from_rgba(sheet_beside(judged)))]
    names = FileNames("cell")
    for cell, verdict in judged.cells.items():
        shown = {words: places for one in verdict.evidence.values() for words, places in one.shown.items() if places}
        if verdict.level in ("fail", "warn") and shown:
            rows = [[_picture(judged.sprites, place) for place in places[:PER_CELL]] for places in shown.values()]
            rows.append(_real(judged, cell, PER_CELL))
            sheet = contact_sheet(rows, [*shown, "real"], title=f"{cell}: {verdict.word}", scale=1)
            written.append(write_bytes(out / "cells" / f"{names.of(cell)}.png", png_from_rgba(sheet)))
    return written


def _real(judged: Judgement, cell: str, count: int) -> list[NDArray[np.uint8]]:
    return _pictures(judged.against, cell, count, judged.seed) if judged.against is not None else []


def _pictures(sprites: Sprites, cell: str, count: int, seed: int) -> list[NDArray[np.uint8]]:
    """So many of a cell's sprites by seed, and blanks where there are fewer."""
    places = sprites.by_cell.get(cell, np.zeros(0, np.intp))
    chosen = np.sort(rng(seed, "beside", cell).permutation(places)[:count])
    blank = np.zeros((1, 1, 4), np.uint8)
    return [_picture(sprites, int(place)) for place in chosen] + [blank] * (count - len(chosen))


def _picture(sprites: Sprites, place: int) -> NDArray[np.uint8]:
    cells = sprites.cells[place]
    return enlarged(sprites.palette.rgba[cells], max(1, _TILE // max(cells.shape)))
