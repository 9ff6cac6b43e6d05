"""Is there anything to see? Samples that show next to nothing, against the barest real sprites of the cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pixelreef.taste.against.pairing import Pairing, Progress, told
from pixelreef.taste.evidence import Evidence, Figure, Gate
from pixelreef.taste.sprites import Sprites

_BAREST = 0.02  # quantile of the real sprites' pixels that counts as the least a sprite has
_PART = 0.25  # of it, below which a sample is empty


class Emptiness:
    """Figures: `empty` share of samples, `substance` of the median sample against the median real sprite."""

    name = "emptiness"
    gates = (Gate("samples_empty", name, "empty", "high", "samples that show next to nothing"),)

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """Every sample of a cell is looked at."""
        ground = ground_of(pairing.real)
        seen, real_seen = substance(pairing.samples, ground), substance(pairing.real, ground)
        found = {}
        for pair in told(pairing, progress):
            places = pairing.samples.by_cell[pair.cell]
            real = real_seen[pairing.real.by_cell[pair.cell]]
            least = max(1.0, _PART * float(np.quantile(real, _BAREST)))
            empty = seen[places] < least
            figures = {
                "empty": Figure(float(empty.mean())),
                "substance": Figure(float(np.median(seen[places]) / max(float(np.median(real)), 1.0))),
            }
            shown = {"next to nothing": places[empty][:8].tolist()} if empty.any() else {}
            found[pair.cell] = Evidence(pair.n, figures, shown)
        return found


def ground_of(sprites: Sprites) -> int:
    """The index that means nothing is there: the transparent one, else the commonest."""
    if sprites.palette.transparent is not None:
        return sprites.palette.transparent
    return int(np.bincount(sprites.cells.ravel()).argmax())


def substance(sprites: Sprites, ground: int) -> NDArray[np.int64]:
    """(N,): the pixels of each sprite that are not ground."""
    return np.asarray((sprites.cells != ground).sum(axis=(1, 2)))
