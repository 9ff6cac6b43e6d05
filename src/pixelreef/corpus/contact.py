"""Contact sheets of a corpus: one per cell, and one of all cells, of sprites chosen by seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.file_names import FileNames
from pixelreef.core.files import write_bytes
from pixelreef.core.render import enlarged, png_from_rgba
from pixelreef.core.seeds import rng
from pixelreef.core.sheet import beside, contact_sheet
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.opened import Corpus

TILE = 96  # pixels that a sprite may take on a sheet
COLUMNS = 8
MAX_CELLS = 200  # on one overview
MAX_VALUES = 12  # of a factor, on a table

Chosen = Mapping[str, Sequence[Entry]]


def choose(corpus: Corpus, per_cell: int, seed: int) -> dict[str, list[Entry]]:
    """Up to `per_cell` sprites of every cell, by seed, in the order of the file."""
    chosen = {
        cell: np.sort(rng(seed, "sheet", cell).permutation(rows)[:per_cell]).tolist()
        for cell, rows in corpus.cells().items()
    }
    entries = corpus.at(row for rows in chosen.values() for row in rows)
    return {cell: [entries[row] for row in rows if row in entries] for cell, rows in chosen.items()}


def overview(chosen: Chosen, title: str, per_cell: int = COLUMNS) -> NDArray[np.uint8]:
    """All cells, one row each; many stand in several columns. Beyond 200 the first are shown, and the title says so."""
    cells = [cell for cell, entries in chosen.items() if entries]
    if len(cells) > MAX_CELLS:
        title = f"{title}, the first {MAX_CELLS} of {len(cells):,} cells"
    shown = cells[:MAX_CELLS]
    rows = pictures([chosen[cell][:per_cell] for cell in shown])
    height = -(-len(shown) // max(1, round((len(shown) / (per_cell + 1)) ** 0.5)))  # about as wide as it is high
    starts = range(0, max(len(shown), 1), max(height, 1))
    blocks = [
        contact_sheet(rows[at : at + height], shown[at : at + height], title=title if at == 0 else " ", scale=1)
        for at in starts
    ]
    return beside(blocks)


def table(chosen: Chosen, factors: Mapping[str, Sequence[str]], title: str, per_cell: int = 4) -> NDArray[np.uint8]:
    """Two factors as a table: a row for each value of the first, a group of columns for each value of the second."""
    first, second = factors.values()
    blank = np.zeros((1, 1, 4), np.uint8)
    shown = pictures([chosen.get(f"{row}/{column}", [])[:per_cell] for row in first for column in second])
    filled = [[*cell, *[blank] * (per_cell - len(cell))] for cell in shown]
    starts = range(0, len(filled), len(second))
    rows = [list(chain.from_iterable(filled[start : start + len(second)])) for start in starts]
    return contact_sheet(rows, list(first), list(second), title, scale=1, columns_per_label=per_cell)


def sheet_of(entries: Sequence[Entry], title: str, labels: Sequence[str] | None = None) -> NDArray[np.uint8]:
    """Sprites in rows of eight, each row labelled with what its sprites are (their species, unless told)."""
    names = list(labels) if labels is not None else [entry.species or entry.name for entry in entries]
    starts = range(0, len(entries), COLUMNS)
    rows = pictures([entries[start : start + COLUMNS] for start in starts])
    row_labels = [", ".join(dict.fromkeys(filter(None, names[start : start + COLUMNS]))) for start in starts]
    return contact_sheet(rows, [_short(label) for label in row_labels], title=title, scale=1)


def write_sheets(
    chosen: Chosen, out: Path, counts: Mapping[str, int], factors: Mapping[str, Sequence[str]] | None = None
) -> list[Path]:
    """`overview.png`, and `cells/NAME.png` for every cell; two cells whose names are alike as files get numbers.

    With two factors of at most twelve values each, `table.png` lays the cells out by both.
    """
    title = f"{sum(counts.values()):,} sprites in {len(counts):,} cells"
    written = [_write(out / "overview.png", overview(chosen, title))]
    if factors and len(factors) == 2 and all(1 <= len(values) <= MAX_VALUES for values in factors.values()):
        written.append(_write(out / "table.png", table(chosen, factors, title)))
    names = FileNames("cell")
    for cell, entries in chosen.items():
        if entries:
            title = f"{cell}: {len(entries)} of {counts.get(cell, len(entries)):,}"
            sheet = sheet_of(sorted(entries, key=lambda entry: entry.species), title)
            written.append(_write(out / "cells" / f"{names.of(cell)}.png", sheet))
    return written


def pictures(rows: Sequence[Sequence[Entry]]) -> list[list[NDArray[np.uint8]]]:
    """RGBA pictures at one whole scale for all; what is larger than a tile is thinned by a whole factor."""
    sides = [max(entry.cells.shape) for row in rows for entry in row]
    largest = max(sides, default=1)
    up, down = max(1, TILE // largest), -(-largest // (2 * TILE))
    return [[enlarged(_rgba(entry)[::down, ::down], up) for entry in row] for row in rows]


def _rgba(entry: Entry) -> NDArray[np.uint8]:
    return entry.palette.rgba[entry.cells]


def _short(label: str) -> str:
    return label if len(label) <= 40 else f"{label[:37]}..."


def _write(path: Path, sheet: NDArray[np.uint8]) -> Path:
    return write_bytes(path, png_from_rgba(sheet))
