"""Sprites of the reef on a sheet with an offset, gutters and a coloured backdrop, enlarged and saved as JPEG.

They keep a pixel free on every side, so nothing on the sheet tells a cell's margin from a gutter: what is compared are
the sprites, cut to what is seen of them.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pixelreef.core.reef import reef_palette
from pixelreef.corpus.fit import subject_box
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.sheets import SheetOptions, sheet_entries

ROWS, COLUMNS, SIDE, OFFSET, GUTTER, SCALE = 5, 6, 32, 3, 1, 3
BACKDROP = (120, 200, 80)


def wrong_pixels(quality: int, subsampling: int, folder: Path) -> list[int]:
    """How many pixels of each sprite differ, once its shape is known to be right."""
    sprites = [entry.cells for entry in make_reef(21, 1)]
    pitch = SIDE + GUTTER
    sheet = np.empty((OFFSET + ROWS * pitch, OFFSET + COLUMNS * pitch, 3), np.uint8)
    sheet[:] = BACKDROP
    for place, cells in enumerate(sprites):
        y, x = OFFSET + place // COLUMNS * pitch, OFFSET + place % COLUMNS * pitch
        seen = cells != 0
        sheet[y : y + SIDE, x : x + SIDE][seen] = reef_palette().rgb[cells[seen]]
    held = io.BytesIO()
    large = Image.fromarray(sheet.repeat(SCALE, 0).repeat(SCALE, 1))
    large.save(held, "JPEG", quality=quality, subsampling=subsampling)
    (folder / "reef.jpg").write_bytes(held.getvalue())
    intake = Intake()
    found = list(sheet_entries([folder / "reef.jpg"], SheetOptions(palette=reef_palette()), intake))
    assert not intake.refused
    cut = [one.cells[subject_box(one.cells, 0)] for one in found]
    drawn = [cells[subject_box(cells, 0)] for cells in sprites]
    assert [one.shape for one in cut] == [one.shape for one in drawn]
    return [int((a != b).sum()) for a, b in zip(cut, drawn, strict=True)]


@pytest.mark.parametrize(("quality", "subsampling"), [(95, 2), (90, 0), (75, 0)])
def test_a_noisy_sheet_of_the_reef_is_cut_exactly(quality: int, subsampling: int, tmp_path: Path) -> None:
    assert wrong_pixels(quality, subsampling, tmp_path) == [0] * (ROWS * COLUMNS)


def test_halved_colours_at_a_lower_quality_cost_a_few_pixels(tmp_path: Path) -> None:
    wrong = wrong_pixels(90, 2, tmp_path)
    print(sum(wrong), "of", ROWS * COLUMNS * SIDE**2)
    assert sum(wrong) <= 30  # of 30,720
