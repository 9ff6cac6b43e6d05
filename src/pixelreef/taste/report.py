"""A judgement as a page: the board of cells at a glance, each opening to its evidence with sprites beside it.

    write_report(judged, "taste-report")      index.html, judgement.json

Verdicts on a corpus and on samples look alike; samples stand beside the real sprites that they were held against.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef import __version__
from pixelreef.core.files import write_json, write_text
from pixelreef.core.render import png_from_rgba
from pixelreef.core.seeds import rng
from pixelreef.report import Board, Column, Gallery, Mosaic, Page, Picture, Points, Row, Section, Tile, Tiles
from pixelreef.report.mosaic import Tone
from pixelreef.report.part import Part
from pixelreef.taste.census import source_table
from pixelreef.taste.evidence import CellVerdict, Level, needed
from pixelreef.taste.judge import Judgement
from pixelreef.taste.sprites import Places, Sprites
from pixelreef.taste.tables import HARDEST, hardest_lines, table_factors

SHOWN = 16  # sprites of a cell on its strip
MAX_OPEN = 150  # cells that open to their evidence; those that pass come last
MAX_TILES = 1000
_TONES: dict[Level, Tone] = {"pass": "good", "warn": "warn", "fail": "bad", "too few to tell": "open"}
_LEAD = {
    "corpus": "Is this corpus the right shape? Cell by cell, before a model is trained on it.",
    "samples": "Did the model learn this cell? Samples held against real sprites, cell by cell.",
}


def write_report(judged: Judgement, out: str | os.PathLike[str], note: str = "") -> list[Path]:
    """Write `index.html` and `judgement.json` into a folder."""
    folder = Path(out)
    return [
        write_text(folder / "index.html", report_page(judged, note).html()),
        write_json(folder / "judgement.json", {**judged.document(), "note": note}),
    ]


def report_page(judged: Judgement, note: str = "") -> Page:
    """The whole page."""
    return Page(
        f"Taste: {judged.kind}",
        _LEAD[judged.kind] + (f"\n\n{note}" if note else ""),
        [board_section(judged), *_sources_section(judged), _about_section(judged)],
        f"Made by pixelreef {__version__}, seed {judged.seed}. Opens from disk; needs no network.",
    )


def board_section(judged: Judgement) -> Section:
    """The board of cells, for this page or another, such as the demo's."""
    found = Counter(verdict.word for verdict in judged.cells.values())
    tiles = Tiles([(word, f"{number:,}", "cells" if number > 1 else "cell") for word, number in found.most_common()])
    parts: list[Part] = [tiles, mosaic(judged)]
    if hardest := hardest_lines(judged):
        parts.append(Points([HARDEST, *hardest]))
    return Section("cells", "Cells", "Choose a cell to see what its verdict rests on.", parts)


def mosaic(judged: Judgement) -> Mosaic:
    """The cells in a table of two factors, or one after the other."""
    laid = table_factors(judged.sprites, judged.cells)
    order = sorted(judged.cells, key=lambda cell: judged.cells[cell].level == "pass")
    opened = set(order[:MAX_OPEN])
    shown = list(judged.cells.values())[:MAX_TILES]
    tiles = [_tile(judged, verdict, verdict.cell in opened, laid is not None) for verdict in shown]
    label = f"{len(shown):,} of {len(judged.cells):,} cells"
    return Mosaic(tiles, label, *laid) if laid else Mosaic(tiles, label)


def _tile(judged: Judgement, verdict: CellVerdict, opens: bool, laid: bool) -> Tile:
    values = list(judged.sprites.values_of(verdict.cell).values()) if laid else ["", ""]
    places = chosen(judged.sprites, verdict.cell, 4, judged.seed)
    return Tile(
        verdict.cell,
        verdict.word,
        _TONES[verdict.level],
        next(iter(verdict.reasons), ""),
        _picture(strip(judged.sprites, places, 2), verdict.cell),
        row=values[1],
        column=values[0],
        parts=_inside(judged, verdict) if opens else (),
    )


def _inside(judged: Judgement, verdict: CellVerdict) -> list[Part]:
    notes = [note for evidence in verdict.evidence.values() for note in evidence.notes]
    more = [f"{needed(verdict.more)} for every gate to tell."] if verdict.more else []
    parts: list[Part] = [Gallery(_strips(judged, verdict), tile=560, label=f"Sprites of {verdict.cell}")]
    if verdict.reasons or notes or more:
        parts.append(Points([*verdict.reasons, *more, *notes]))
    return [*parts, *([_gates(verdict)] if verdict.findings else []), _figures(verdict)]


def _strips(judged: Judgement, verdict: CellVerdict) -> list[Picture]:
    """Sprites by seed, real ones beside samples, then what the stages say is worth a look."""
    places = chosen(judged.sprites, verdict.cell, SHOWN, judged.seed)
    found = [_picture(strip(judged.sprites, places), f"{len(places)} of {verdict.n:,}, chosen by seed")]
    if judged.against is not None and verdict.cell in judged.against.names:
        real = chosen(judged.against, verdict.cell, SHOWN, judged.seed)
        if len(real):
            found.append(_picture(strip(judged.against, real), "real sprites"))
    for name, evidence in verdict.evidence.items():
        for caption, shown in evidence.shown.items():
            if len(shown):
                found.append(_picture(strip(judged.sprites, np.array(shown[:SHOWN])), caption, name))
    return found


def chosen(sprites: Sprites, cell: str, count: int, seed: int) -> Places:
    """Up to so many sprites of a cell, by seed, in their order."""
    return np.sort(rng(seed, "shown", cell).permutation(sprites.by_cell[cell])[:count])


def strip(sprites: Sprites, places: Places, columns: int = SHOWN // 2) -> NDArray[np.uint8]:
    """(H, W, 4): sprites in rows of so many, a pixel between them."""
    height, width = sprites.cells.shape[1:]
    rows = max(1, -(-len(places) // columns))  # a cell may have no samples
    across = max(1, min(columns, len(places)))
    sheet = np.zeros((rows * (height + 1) - 1, across * (width + 1) - 1, 4), np.uint8)
    for number, place in enumerate(places):
        top, left = number // columns * (height + 1), number % columns * (width + 1)
        sheet[top : top + height, left : left + width] = sprites.palette.rgba[sprites.cells[place]]
    return sheet


def _picture(pixels: NDArray[np.uint8], title: str, caption: str = "") -> Picture:
    return Picture(png_from_rgba(pixels), pixels.shape[1], pixels.shape[0], title, caption)


def _gates(verdict: CellVerdict) -> Board:
    columns = [
        Column("gate", "Gate"),
        Column("stage", "Stage"),
        Column("level", "Says"),
        Column("value", "Figure", "number"),
        Column("limit", "Limit", "number"),
    ]
    rows = [
        Row({"gate": one.gate, "stage": one.stage, "level": one.level, "value": one.value, "limit": one.limit})
        for one in verdict.findings
    ]
    return Board(columns, rows, "What each gate says")


def _figures(verdict: CellVerdict) -> Board:
    columns = [
        Column("figure", "Figure"),
        Column("stage", "Stage"),
        Column("value", "Value", "number"),
        Column("low", "From", "number"),
        Column("high", "To", "number"),
    ]
    rows = [
        Row({"figure": name, "stage": stage, "value": one.value, "low": one.low, "high": one.high})
        for stage, evidence in verdict.evidence.items()
        for name, one in evidence.figures.items()
    ]
    return Board(columns, rows, "All figures, with 95 % intervals where there are any")


def _sources_section(judged: Judgement) -> list[Section]:
    """Source × value of the first factor, where there is more than one source."""
    sprites = judged.sprites
    if len(sprites.sources) < 2:
        return []
    heads = _heads(sprites)
    columns = [Column("source", "Source"), Column("texture", "Texture"), Column("orphans", "Pixels alone", "percent")]
    columns += [Column(f"c{n}", head, "count") for n, head in enumerate(heads)]
    rows = []
    for source, cells in list(source_table(sprites).items())[:200]:
        counts: Counter[str] = Counter()
        for cell, number in cells.items():
            counts[_head(sprites, cell)] += number
        given = {f"c{n}": counts[head] for n, head in enumerate(heads) if counts[head]}
        verdict = judged.sources.get(source)
        word = verdict.word if verdict else None
        orphans = verdict.evidence["texture"].value("orphans") if verdict else None
        rows.append(Row({"source": source or "not said", "texture": word, "orphans": orphans, **given}))
    words = "A category that comes from one source alone may be learnt by the looks of the source."
    return [Section("sources", "Sources", words, [Board(columns, rows, "Sprites by source and category")])]


def _heads(sprites: Sprites) -> list[str]:
    return list(dict.fromkeys(_head(sprites, cell) for cell in sprites.names))[:50]


def _head(sprites: Sprites, cell: str) -> str:
    return next(iter(sprites.values_of(cell).values()), cell)


def _about_section(judged: Judgement) -> Section:
    columns = [
        Column("stage", "Stage"),
        Column("estimate", "Expected, s", "number", 1),
        Column("seconds", "Took, s", "number", 1),
    ]
    rows = [
        Row({"stage": run.name, "estimate": run.estimate, "seconds": run.seconds}, "" if run.seconds else "not run")
        for run in judged.runs
    ]
    status = judged.calibration.status
    told = {
        "provisional": "The limits are provisional: they were not worked out on planted faults.",
        "calibrated": "The limits were worked out on cells with planted faults.",
    }
    remarks: Sequence[str] = [
        f"{told[status]} Calibration {judged.calibration.hash}.",
        *judged.sprites.notes,
        *judged.notes,
    ]
    return Section("about", "How it was judged", "", [Board(columns, rows, "Stages"), Points(remarks)])
