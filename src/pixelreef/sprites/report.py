"""A training run as a page: how loss fell and cells were learned, every cell's figures, and the sheets it drew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import read_bytes
from pixelreef.report import Board, Chart, Column, Gallery, Page, Picture, Points, Row, Section, Tiles
from pixelreef.sprites.history import Look

_LEAD = "How a model learned to draw: bits per pixel on sprites that it never saw, and what taste says of its samples."
MAX_SHEETS = 12


def run_page(facts: Mapping[str, Any], looks: Sequence[Look], out: Path, notes: Sequence[str]) -> Page:
    """The page of a run that has been looked at."""
    sections = [
        Section("loss", "Loss and cells learned", "", [_tiles(facts, looks[-1]), chart(looks)]),
        *_sheets_section(looks, out),
        Section("cells", "Cells", "On sprites held back, at the last look.", [_cells(looks)]),
        Section("about", "How it was trained", "", [_recipe(facts), *([Points(notes)] if notes else [])]),
    ]
    footer = f"Made by pixelreef {__version__}, seed {facts['recipe']['seed']}. Opens from disk; needs no network."
    return Page(f"Training: {facts['recipe']['shape']}", _LEAD, sections, footer)


def _tiles(facts: Mapping[str, Any], last: Look) -> Tiles:
    learned = (
        [] if last.learned is None else [("cells learned", f"{last.learned:.0%}", f"of {len(last.verdicts or {})}")]
    )
    copied = [] if last.copied is None else [("near-copies", f"{last.copied:.0%}", "of samples")]
    return Tiles(
        [
            ("bits per pixel", f"{last.loss:.3f}", f"{last.opaque:.2f} for each pixel seen"),
            ("steps", f"{last.step:,}", f"of {facts['recipe']['steps']:,}"),
            ("minutes", f"{last.seconds / 60:.1f}", ""),
            ("sprites taught", f"{facts['taught']:,}", f"{facts['held']:,} held back"),
            *learned,
            *copied,
        ]
    )


def chart(looks: Sequence[Look]) -> Chart:
    """Validation loss and the share of cells learned over steps."""
    judged = [look for look in looks if look.learned is not None]
    steps = [look.step for look in looks]
    lines = [_line("held back", steps, [look.loss for look in looks])]
    lines.append(_line("taught", steps, [look.taught for look in looks]) | {"line": {"dash": "dot"}})
    if judged:
        shares = [look.learned for look in judged]
        line = _line("cells learned", [look.step for look in judged], shares)
        lines.append({**line, "mode": "lines+markers", "yaxis": "y2"})
    layout: dict[str, Any] = {
        "xaxis": {"title": {"text": "steps"}},
        "yaxis": {"title": {"text": "bits per pixel"}, "rangemode": "tozero"},
        "yaxis2": {
            "title": {"text": "cells learned"}, "overlaying": "y", "side": "right", "range": [0, 1.02],
            "tickmode": "array", "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%", "showgrid": False,
        },
        "legend": {"orientation": "h"},
    }  # fmt: skip
    told = f"Bits per pixel on sprites held back went from {looks[0].loss:.3f} to {looks[-1].loss:.3f}"
    shown = f"; {judged[-1].learned:.0%} of cells are learned." if judged else "."
    return Chart({"data": lines, "layout": layout}, told + shown, table=_history(looks))


def _line(name: str, steps: Sequence[int], values: Sequence[float | None]) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "name": name, "x": list(steps), "y": list(values)}


def _history(looks: Sequence[Look]) -> Board:
    columns = [
        Column("step", "Step", "count"),
        Column("minutes", "Minutes", "number", 1),
        Column("taught", "Bits, taught", "number", 3),
        Column("loss", "Bits, held back", "number", 3),
        Column("opaque", "For each pixel seen", "number", 3),
        Column("learned", "Cells learned", "percent"),
        Column("copied", "Near-copies", "percent"),
    ]
    rows = [
        Row({"step": one.step, "minutes": one.seconds / 60, "taught": one.taught, "loss": one.loss,
             "opaque": one.opaque, "learned": one.learned, "copied": one.copied})
        for one in looks
    ]  # fmt: skip
    return Board(columns, rows, "Every look at the model")


def _cells(looks: Sequence[Look]) -> Board:
    last, first = looks[-1], looks[0]
    columns = [
        Column("cell", "Cell"),
        Column("loss", "Bits per pixel", "number", 3),
        Column("first", "At the first look", "number", 3),
        Column("verdict", "Taste says"),
    ]
    verdicts = last.verdicts or {}
    rows = [
        Row({"cell": cell, "loss": loss, "first": first.cells.get(cell), "verdict": verdicts.get(cell, "not asked")})
        for cell, loss in last.cells.items()
    ]
    return Board(columns, rows, f"{len(rows):,} cells")


def _sheets_section(looks: Sequence[Look], out: Path) -> list[Section]:
    steps = [look.step for look in looks if (out / f"sheet-{look.step}.png").exists()][-MAX_SHEETS:]
    pictures = [_picture(out / f"sheet-{step}.png", step) for step in reversed(steps)]
    if not pictures:
        return []
    words = "The same random numbers each time; unselected."
    return [Section("sheets", "What it drew", words, [Gallery(pictures, tile=900, label="Sheets, the last first")])]


def _picture(path: Path, step: int) -> Picture:
    png = read_bytes(path)
    width, height = (int.from_bytes(png[start : start + 4], "big") for start in (16, 20))
    return Picture(png, width, height, f"step {step:,}")


def _recipe(facts: Mapping[str, Any]) -> Board:
    columns = [Column("field", "Field"), Column("value", "Value")]
    told = {**facts["recipe"], "corpus": facts["corpus"], "held back": facts["split"]}
    return Board(columns, [Row({"field": name, "value": str(value)}) for name, value in told.items()], "The recipe")
