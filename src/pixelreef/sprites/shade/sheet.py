"""A contact sheet of sprites before and after: flat on the left, shaded on the right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.render import enlarged
from pixelreef.core.sheet import contact_sheet
from pixelreef.core.sprite import Sprite

PAIRS = 6  # in a row
MAX_PAIRS = 600
_MOST = 2**24  # pixels of all pairs together
_TILE = 96  # pixels that a sprite may take

Pair = tuple[Sprite, Sprite]
"""Flat and shaded."""


def flat_against_shaded(pairs: Sequence[Pair], title: str = "") -> NDArray[np.uint8]:
    """The first frames, all at one whole scale; an RGB picture. What is too much is left out, and said."""
    side = max(max(flat.size) for flat, _ in pairs)
    scale = max(1, _TILE // side)
    most = max(1, min(MAX_PAIRS, _MOST // (2 * (side * scale) ** 2)))
    shown = pairs[:most]
    if len(shown) < len(pairs):
        title = f"{title}{', ' if title else ''}the first {most} of {len(pairs):,}"
    pictures = [[enlarged(one.palette.rgba[one.grid.cells], scale) for one in pair] for pair in shown]
    rows = [[one for pair in pictures[start : start + PAIRS] for one in pair] for start in range(0, len(shown), PAIRS)]
    return contact_sheet(rows, title=title, scale=1, columns_per_label=2)
