"""Entries from sheets: every sheet restored, cut, and its sprites brought to size and colours, one by one.

A bad sheet is one refusal, a bad frame or sprite another; nothing of them ends the import. Empty cells and repeated
sprites (equal in every pixel, over all sheets of the import) are dropped and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes
from pixelreef.core.grid import Cells
from pixelreef.core.images import image_from_bytes
from pixelreef.corpus.colours import coloured
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.fit import fitted
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.layout import MAX_SIDE
from pixelreef.corpus.sheets.atlas import atlas_beside, read_atlas
from pixelreef.corpus.sheets.background import visible
from pixelreef.corpus.sheets.cut import Cut, Place, find_cut
from pixelreef.corpus.sheets.options import SheetOptions
from pixelreef.corpus.sheets.restore import Restored, SheetReport, restored
from pixelreef.corpus.sheets.scale import Scale
from pixelreef.errors import GridError, InputError

Told = Callable[[SheetReport, Restored, Cut, set[str]], None]
"""Hears of each sheet once it is through: the report, the restored sheet, its cut, and the names that were taken."""


def sheet_entries(
    files: Iterable[Path], options: SheetOptions, intake: Intake, told: Told | None = None
) -> Iterator[Entry]:
    """The sprites of all sheets, in order."""
    hashes: set[str] = set()
    for file in files:
        try:
            sheet, cut = _opened(file, options, intake)
        except InputError as error:
            intake.refuse(file.name, error)
            continue
        taken: set[str] = set()
        for entry in _sprites(file, sheet, cut, options, intake):
            if entry.hash in hashes:
                intake.count("repeated sprites")
                continue
            hashes.add(entry.hash)
            taken.add(entry.name.removeprefix(f"{file.stem}-"))
            intake.count("taken")
            yield entry
        if told:
            told(_report(file, sheet, cut, len(taken)), sheet, cut, taken)


def _opened(file: Path, options: SheetOptions, intake: Intake) -> tuple[Restored, Cut]:
    data = read_bytes(file)
    picture = image_from_bytes(data, f"sheet {str(file)!r}")
    atlas = options.atlas
    if atlas is None and options.cell is None and not options.components:
        atlas = atlas_beside(file)
    if atlas is None:
        sheet = restored(picture, data, options)
        intake.count("unsure pixels", sheet.unsure)
        return sheet, find_cut(sheet.rgba, options)
    sheet = restored(picture, data, options.with_scale(options.scale or Scale()))  # an atlas counts the file's pixels
    return sheet, read_atlas(atlas, (sheet.rgba.shape[1], sheet.rgba.shape[0]), intake)


def _sprites(file: Path, sheet: Restored, cut: Cut, options: SheetOptions, intake: Intake) -> Iterator[Entry]:
    opaque = bool(visible(sheet.rgba).all())
    rows = {row: rank for rank, row in enumerate(sorted({place.row for place in cut.places}))}
    columns = {column: rank for rank, column in enumerate(sorted({place.column for place in cut.places}))}
    for place in cut.places:
        pixels = place.cut(sheet.rgba)
        if _empty(pixels, opaque):
            intake.count("empty cells")
            continue
        try:
            made = coloured(pixels, options.palette)
            cells = fitted(made.cells, options.size, made.palette.transparent) if options.size else made.cells
            _check_side(cells)
        except InputError as error:
            intake.refuse(f"{file.name}#{place.name}", error)
            continue
        intake.count("snapped pixels", made.snapped)
        intake.count("half-transparent pixels", made.half_transparent)
        factors = _factors(file.name, place, options, rows[place.row], columns[place.column])
        if not factors:
            intake.unlabelled.append(f"{file.name}#{place.name}")
        yield Entry(
            cells,
            made.palette,
            Origin(file.stem, options.author, options.licence, f"{file.name}#{place.name}"),
            factors,
            f"{file.stem}-{place.name}",
            group=f"{file.stem}/{place.group}" if place.group else "",
        )


def _factors(file: str, place: Place, options: SheetOptions, row: int, column: int) -> dict[str, str]:
    """What the labels say of the sheet, then of its row and column, then of this very sprite."""
    found = options.labels.factors_of(file)
    for given, rank in ((options.rows, row), (options.columns, column)):
        found.update({name: values[rank] for name, values in given.items() if rank < len(values) and values[rank]})
    found.update(options.labels.table.get(f"{file}#{place.name}", {}))
    return {name: found[name] for name in options.all_labels.names if found.get(name)}


def _check_side(cells: Cells) -> None:
    height, width = cells.shape
    if max(height, width) > MAX_SIDE:
        todo = "Give --size to reduce it, or --cell."
        raise GridError("sprite", f"be at most {MAX_SIDE} pixels on a side", f"{width} × {height}", todo, verbatim=True)


def _empty(pixels: NDArray[np.uint8], opaque: bool) -> bool:
    """Nothing to see; on a sheet without any transparency, one colour alone."""
    if not opaque:
        return not visible(pixels).any()
    return bool((pixels == pixels[0, 0]).all())


def _report(file: Path, sheet: Restored, cut: Cut, taken: int) -> SheetReport:
    found = {
        "size": [sheet.rgba.shape[1], sheet.rgba.shape[0]],
        "scale": sheet.scale.factor,
        "noise": sheet.noisy,
        "unsure": sheet.unsure,
        "background": str(sheet.background),
        "sprites": taken,
        **cut.how,
    }
    return SheetReport(file.name, found)
