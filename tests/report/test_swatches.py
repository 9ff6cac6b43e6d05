"""Swatches: every colour of a palette is seen once."""

from __future__ import annotations

import pytest
from report.samples import read

from pixelreef.core.palette import Palette
from pixelreef.core.ramps import Ramps
from pixelreef.core.reef import RAMP_NAMES, reef_palette, reef_ramps
from pixelreef.errors import PaletteError
from pixelreef.report import Swatches


def test_the_reef_has_a_row_per_ramp_and_one_for_transparent() -> None:
    seen = read(Swatches(reef_palette(), reef_ramps(), "The reef palette."))
    words = [text for text in seen.texts if text.strip()]
    assert [word for word in words if word in RAMP_NAMES] == list(RAMP_NAMES)
    cells = [word for word in words if word[0].isdigit()]
    assert cells[0] == "1 #191d25"
    assert cells[-1] == "0 transparent"
    assert sorted(int(cell.split()[0]) for cell in cells) == list(range(64))


def test_a_colour_on_no_ramp_is_shown_too() -> None:
    palette = Palette.from_hex(["000000", "ffffff", "ff0000"])
    words = read(Swatches(palette, Ramps(((0, 1),), ("greys",), 3))).texts
    assert "on no ramp" in words
    assert "2 #ff0000" in words


def test_ramps_of_another_palette_are_refused() -> None:
    with pytest.raises(PaletteError, match="ramps must be of a palette of 2 colours, got 64"):
        Swatches(Palette.from_hex(["000000", "ffffff"]), reef_ramps())
