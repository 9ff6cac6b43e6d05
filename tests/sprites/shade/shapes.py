"""Sprites to be shaded: discs by hand, and random ones by hypothesis, from noise to smooth blobs."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from numpy.typing import NDArray
from strategies import palettes

from pixelreef.core import Palette
from pixelreef.sprites.shade import Light

Cells = NDArray[np.uint8]
GREYS = Palette.from_hex(["000000", *(f"{grey:02x}" * 3 for grey in range(40, 256, 30))], transparent=0)


def disc(side: int = 17, radius: float = 7.5, value: int = 4) -> Cells:
    """A disc in the middle of a square; 0 around it."""
    away = np.arange(side) - (side - 1) / 2
    return ((away[:, None] ** 2 + away**2 <= radius**2) * value).astype(np.uint8)


@st.composite
def drawn(draw: st.DrawFn, side: int = 16) -> tuple[Cells, Palette]:
    """A sprite (h, w) and its palette: up to three blobs of one colour each, noise in some, or noise alone."""
    palette = draw(palettes(24))
    height, width = draw(st.integers(1, side)), draw(st.integers(1, side))
    colours = st.integers(0, len(palette) - 1)
    ground = draw(colours) if palette.transparent is None else palette.transparent
    cells = np.full((height, width), ground, np.uint8)
    y, x = np.mgrid[:height, :width]
    for _ in range(draw(st.integers(0, 3))):
        middle = draw(st.tuples(st.integers(-2, height + 1), st.integers(-2, width + 1)))
        radii = draw(st.tuples(st.integers(1, side), st.integers(1, side)))
        inside = ((y - middle[0]) / radii[0]) ** 2 + ((x - middle[1]) / radii[1]) ** 2 <= 1
        cells[inside] = draw(colours)
    if draw(st.booleans()):
        noise = draw(npst.arrays(np.uint8, (height, width), elements=colours))
        cells = np.where(draw(npst.arrays(np.bool_, (height, width))), noise, cells)
    return cells, palette


amounts = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0, 1)
lights = st.builds(
    Light,
    azimuth=st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0]) | st.floats(-360, 360),
    elevation=st.sampled_from([0.0, 35.0, 45.0, 90.0]) | st.floats(0, 90),
    light=amounts,
    shadow=amounts,
    occlusion=amounts,
    edges=amounts,
    rim=amounts,
)
