from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.draw.drawing import SIDE
from pixelreef.draw.encodings import encoding
from pixelreef.draw.reply import read
from pixelreef.errors import GridError
from pixelreef.tune.fitting import drawing_from_entry, most_telling


def entry(cells: NDArray[Any], palette: Palette) -> Entry:
    return Entry(cells.astype(np.uint8), palette, Origin("test"))


def test_a_small_sprite_is_centred_on_a_background_of_its_own() -> None:
    palette = Palette.from_hex(["123456", "ff0000", "00ff00"], transparent=0)
    drawing = drawing_from_entry(entry(np.array([[1, 1], [1, 2]]), palette))
    assert drawing.cells.shape == (SIDE, SIDE)
    assert drawing.palette.hex() == ["000000", "ff0000", "00ff00"]  # black is farther from both; the commonest first
    assert drawing.cells[11:13, 11:13].tolist() == [[1, 1], [1, 2]]
    assert int((drawing.cells == 0).sum()) == SIDE * SIDE - 4


def test_an_opaque_picture_of_the_right_size_keeps_its_cells() -> None:
    palette = Palette.from_hex(["ff0000", "00ff00", "0000ff"])
    cells = rng(0, "opaque").integers(0, 3, (SIDE, SIDE))
    drawing = drawing_from_entry(entry(cells, palette))
    assert np.array_equal(drawing.palette.rgb[drawing.cells], palette.rgb[cells])
    assert len(drawing.palette) == 3


def test_one_colour_all_over_gets_a_second_one_that_is_not_used() -> None:
    drawing = drawing_from_entry(entry(np.zeros((SIDE, SIDE)), Palette.from_hex(["000000"])))
    assert drawing.palette.hex() == ["ffffff", "000000"]
    assert set(drawing.cells.ravel().tolist()) == {1}


def test_what_shows_nothing_is_refused() -> None:
    with pytest.raises(GridError, match="show something"):
        drawing_from_entry(entry(np.zeros((4, 4)), Palette.from_hex(["000000"], transparent=0)))


def test_colours_that_are_near_and_rare_go_first() -> None:
    colours = np.array([[255, 0, 0], [254, 0, 0], [0, 0, 255], [0, 255, 0]], np.uint8)
    assert most_telling(colours, np.array([10, 3, 1, 50]), 3).tolist() == [[0, 255, 0], [255, 0, 0], [0, 0, 255]]


@given(st.integers(0, 2**32), st.integers(1, 70), st.integers(1, 70), st.integers(1, 64))
def test_any_sprite_becomes_a_drawing_that_every_encoding_writes(seed: int, high: int, wide: int, most: int) -> None:
    random = rng(seed, "sprite")
    cells = random.integers(0, most, (high, wide))
    cells[random.integers(high), random.integers(wide)] = 63  # something is seen
    drawing = drawing_from_entry(entry(cells, reef_palette()))
    assert 2 <= len(drawing.palette) <= 10
    assert drawing.palette.transparent is None
    own = {tuple(colour) for colour in reef_palette().rgb.tolist()} | {(0, 0, 0), (255, 255, 255)}
    assert {tuple(colour) for colour in drawing.palette.rgb.tolist()} <= own
    assert read(encoding("rows").encode(drawing)).strict == drawing
