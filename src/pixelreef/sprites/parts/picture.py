"""A picture of parts: a colour for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import rgb_from_oklab
from pixelreef.corpus.parts import PARTS


def picture_of_parts(labels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(height, width, 4) sRGB bytes."""
    return _colours()[labels]


def _colours() -> NDArray[np.uint8]:
    """(parts, 4): hues by the golden section, in three shades, nothing clear."""
    places = np.arange(len(PARTS))
    hue = 2 * np.pi * (places * 0.381966 % 1)
    light = 0.55 + 0.15 * (places % 3)
    lab = np.stack([light, 0.13 * np.cos(hue), 0.13 * np.sin(hue)], axis=1)
    rgba = np.full((len(PARTS), 4), 255, np.uint8)
    rgba[:, :3] = rgb_from_oklab(lab)
    rgba[0] = 0
    return rgba
