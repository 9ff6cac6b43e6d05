"""Hypothesis strategies for the core's own values."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from pixelreef.core import Frame, Grid, Palette, Sprite


@st.composite
def palettes(draw: st.DrawFn, most: int = 65) -> Palette:
    count = draw(st.integers(1, most))
    rgb = draw(npst.arrays(np.uint8, (count, 3)))
    return Palette(rgb, draw(st.none() | st.integers(0, count - 1)))


@st.composite
def sprites(draw: st.DrawFn, most_colours: int = 65, side: int = 64, frames: int = 1) -> Sprite:
    palette = draw(palettes(most_colours))
    shape = draw(st.tuples(st.integers(1, side), st.integers(1, side)))
    cells = npst.arrays(np.uint8, shape, elements=st.integers(0, len(palette) - 1))
    made = draw(st.lists(st.tuples(cells, st.integers(1, 60_000)), min_size=1, max_size=frames))
    return Sprite(palette, tuple(Frame(Grid(array), time) for array, time in made))
