"""A sprite of any size and any colours → a drawing: 24×24, opaque, 2 to 10 colours, the background first.

The size is `corpus.fit`'s work, the colours `core.quantise`'s; here is which ten colours are kept. No colour is
invented but the background's, black or white, whichever is farther from the sprite.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.corpus.colours import with_transparent
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.fit import fitted
from pixelreef.draw.drawing import MAX_COLOURS, SIDE, Drawing
from pixelreef.errors import GridError

_GROUNDS = np.array([[0, 0, 0], [255, 255, 255]], np.uint8)


def drawing_from_entry(entry: Entry) -> Drawing:
    """Fit, reduce the colours, and lay what is transparent over one background; GridError where nothing is seen."""
    palette = with_transparent(entry.palette) if entry.cells.shape != (SIDE, SIDE) else entry.palette
    rgba = palette.rgba[fitted(entry.cells, (SIDE, SIDE), palette.transparent)]
    seen = rgba[..., 3] > 0
    if not seen.any():
        raise GridError("sprite", "show something", "transparency alone", verbatim=True)
    clear = not seen.all()
    colours, counts = np.unique(rgba[seen][:, :3], axis=0, return_counts=True)
    kept = most_telling(colours, counts, MAX_COLOURS - clear)
    ground = [_ground(kept)] if clear or len(kept) == 1 else []
    rgb = np.concatenate([*ground, kept]) if ground else kept
    cells = quantise(rgba[..., :3], Palette(kept)) + len(ground)
    return Drawing(Grid(np.where(seen, cells, 0).astype(np.uint8)), Palette(rgb))


def most_telling(colours: NDArray[np.uint8], counts: NDArray[np.intp], most: int) -> NDArray[np.uint8]:
    """At most `most` of (n, 3) colours, the commonest first: the two whose merging changes least become the commoner.

    What a merging changes is Ward's measure in OKLab, n·m/(n + m)·d².

    >>> greys = np.array([[0, 0, 0], [250, 250, 250], [255, 255, 255]], np.uint8)
    >>> most_telling(greys, np.array([5, 2, 9]), 2).tolist()
    [[255, 255, 255], [0, 0, 0]]
    """
    lab, weights = oklab_from_rgb(colours), counts.astype(np.float64)
    left = list(range(len(colours)))
    while len(left) > most:
        own = weights[left]
        apart = ((lab[left][:, None] - lab[left][None]) ** 2).sum(axis=2)
        cost = apart * own[:, None] * own[None] / (own[:, None] + own[None])
        np.fill_diagonal(cost, np.inf)
        first, second = (left[int(place)] for place in np.unravel_index(int(cost.argmin()), cost.shape))
        stays, goes = (first, second) if weights[first] >= weights[second] else (second, first)
        weights[stays] += weights[goes]
        left.remove(goes)
    order = sorted(left, key=lambda place: (-weights[place], place))
    return colours[order]


def _ground(kept: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(1, 3)."""
    apart = ((oklab_from_rgb(_GROUNDS)[:, None] - oklab_from_rgb(kept)[None]) ** 2).sum(axis=2).min(axis=1)
    return _GROUNDS[[int(apart.argmax())]]
