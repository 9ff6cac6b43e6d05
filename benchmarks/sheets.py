"""How often a sprite sheet is cut right without flags, on generated sheets, by what was done to them.

    python benchmarks/sheets.py [SHEETS PER CONDITION]

Prints one JSON line per condition: sheets, how many had every creature whole and alone (`whole`), how many had the
cell size right too (`cells`), and for JPEG the sprites equal in every pixel. Creatures that do not reach the borders of
their cells leave cell size and gutter open: there `cells` counts luck.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from made_sheets import KEYS, Made, packed_sheet, random_sheet, reef_cells, same_subjects

from pixelreef.core.reef import reef_palette
from pixelreef.core.render import png_from_rgba
from pixelreef.core.seeds import rng
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.sheets import SheetOptions, sheet_entries

FIRST = 2000  # seed; weights and thresholds were set on lower ones, and these looked at only afterwards


def entries(data: bytes, options: SheetOptions) -> list[Entry]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sheet.png")
        file.write_bytes(data)
        return list(sheet_entries([file], options, Intake()))


def grids(fill: str, gutters: bool, count: int) -> dict[str, Any]:
    whole = cells = 0
    for seed in range(FIRST, FIRST + count):
        backdrop = KEYS[seed % len(KEYS)] if seed % 2 else None
        made = random_sheet(seed, fill, gutters, backdrop)
        scale = int(rng(seed, "scale").integers(1, 7))
        # White could be part of a sprite: only a palette without it can tell that it is not.
        options = SheetOptions(palette=reef_palette() if backdrop == (255, 255, 255) else None)
        found = [reef_cells(one.palette.rgba[one.cells]) for one in entries(made.png(scale), options)]
        right = same_subjects(found, made.truth())
        whole += right
        cells += right and {one.shape for one in found} == {made.cell[::-1]}
    return {"sheets": count, "whole": whole, "cells": cells}


def packed(count: int) -> dict[str, Any]:
    whole = 0
    for seed in range(FIRST, FIRST + count):
        sheet, sprites = packed_sheet(seed, 1 + seed % 3)
        data = png_from_rgba(reef_palette().rgba[sheet])
        found = [reef_cells(one.palette.rgba[one.cells]) for one in entries(data, SheetOptions())]
        whole += sorted(one.tobytes() for one in found) == sorted(one.tobytes() for one in sprites)
    return {"sheets": count, "whole": whole}


def jpegs(scale: int, quality: int, sampling: str, known: bool, count: int) -> dict[str, Any]:
    sheets = sprites = exact = outlines = wrong = pixels = 0
    for seed in range(FIRST, FIRST + count):
        made = Made(seed=seed, background=KEYS[seed % len(KEYS)], columns=5, rows=3, last_row=5)
        options = SheetOptions(palette=reef_palette() if known else None)
        found = entries(made.jpeg(scale, quality, sampling), options)
        truth = made.truth()
        sprites += len(truth)
        if [one.cells.shape for one in found] != [one.shape for one in truth]:
            continue
        sheets += 1
        for one, other in zip(found, truth, strict=True):
            rgba, true = one.palette.rgba[one.cells], reef_palette().rgba[other]
            outlines += bool(np.array_equal(rgba[..., 3], true[..., 3]))
            apart = np.abs(rgba.astype(int) - true).max(axis=-1)
            exact += bool((apart == 0).all())
            wrong, pixels = wrong + int((apart > (0 if known else 8)).sum()), pixels + apart.size
    return {
        "sheets": count,
        "cut": sheets,
        "sprites": sprites,
        "outlines": outlines,
        "exact" if known else "exact (by chance)": exact,
        "pixels wrong" if known else "pixels off by more than 8": f"{wrong} of {pixels}",
    }


def told(condition: str, started: float, figures: dict[str, Any]) -> None:
    seconds = round((process_time() - started) / figures["sheets"], 2)
    print(json.dumps({"condition": condition, **figures, "seconds a sheet": seconds}), flush=True)


def main(count: int) -> None:
    for fill in ("full", "mixed", "small"):
        for gutters in (True, False):
            started = process_time()
            told(f"grid, {fill} cells, gutters {'1–4' if gutters else 'none'}", started, grids(fill, gutters, count))
    started = process_time()
    told("packed, no grid", started, packed(count))
    for known in (True, False):
        for scale, quality, sampling in (
            (3, 90, "4:4:4"),
            (3, 75, "4:4:4"),
            (3, 90, "4:2:0"),
            (3, 75, "4:2:0"),
            (4, 90, "4:2:0"),
            (4, 75, "4:2:0"),
        ):
            started = process_time()
            name = f"JPEG ×{scale}, quality {quality}, {sampling}, palette {'given' if known else 'found'}"
            told(name, started, jpegs(scale, quality, sampling, known, max(1, count // 6)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
