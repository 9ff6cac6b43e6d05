"""First sight of a drawing: how common each colour is, which one is the background, and masks by colour.

The background is the colour that fills most of the rim, the 92 cells along the four edges; in a tie, the lower index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import SIDE, Drawing
from pixelreef.draw.vision.colours import Tone, names, tones

Mask = NDArray[np.bool_]

_RIM = np.zeros((SIDE, SIDE), bool)
_RIM[[0, -1], :] = _RIM[:, [0, -1]] = True
RIM_CELLS = int(_RIM.sum())
OTHER = 255  # the class of a colour that none of the names fits


def counts(drawing: Drawing) -> NDArray[np.intp]:
    """(colours,) cells of each palette index."""
    return np.bincount(drawing.cells.ravel(), minlength=len(drawing.palette))


def background(drawing: Drawing) -> int:
    """The palette index that fills most of the rim."""
    return int(np.bincount(drawing.cells[_RIM]).argmax())


def rim_share(mask: Mask) -> float:
    """The share of the rim that a mask covers."""
    return float(np.count_nonzero(mask[_RIM])) / RIM_CELLS


def mask_of(drawing: Drawing, wanted: Callable[[Tone], bool], without: int | None = None) -> Mask:
    """The cells whose colour is wanted, but for one palette index."""
    chosen = [wanted(tone) and index != without for index, tone in enumerate(tones(drawing.palette))]
    return np.array(chosen)[drawing.cells]


def classes(drawing: Drawing, wanted: Sequence[str]) -> NDArray[np.uint8]:
    """(24, 24): for each cell the place in `wanted` of the best of its colour's names, or `OTHER`.

    Shades of one name fall together, so a square in two reds is one red square.
    """
    table = [
        next((wanted.index(name) for name in called if name in wanted), OTHER) for called in names(drawing.palette)
    ]
    return np.array(table, np.uint8)[drawing.cells]
