"""The stage `texture`: are these pixels drawn, or are they noise, or a photograph reduced to a palette?

The figures of `grain`, as means over a cell, and four of them against what is usual in the corpus:

    stray      orphan pixels beyond the usual share
    crumbled   clusters smaller than usual, in doublings
    ragged     outlines longer than usual, in doublings
    gaudy      more colours than usual, in doublings
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pixelreef.taste.evidence import Evidence, Figure, Gate
from pixelreef.taste.grain import GRAIN, Values, grain
from pixelreef.taste.sprites import Places, Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.usual import mean_figure, usual

_SHOWN = 8
_AGAINST = {"stray": "orphans", "ragged": "outline", "gaudy": "colours"}
_CRUMBLED = "clusters"


class Texture:
    """The grain of pixels, cell by cell."""

    name = "texture"
    gates = (
        Gate("orphans", "texture", "orphans", bad="high", words="share of pixels alone in their colour", digits=3),
        Gate("stray", "texture", "stray", bad="high", words="pixels alone in their colour, beyond the usual", digits=3),
        Gate("crumbled", "texture", "crumbled", bad="high", words="clusters smaller than usual, in doublings"),
        Gate("ragged", "texture", "ragged", bad="high", words="outlines longer than usual, in doublings"),
        Gate("gaudy", "texture", "gaudy", bad="high", words="more colours than usual, in doublings"),
    )

    def cost(self, sprites: Sprites) -> float:
        return 0.5 + 5e-4 * len(sprites) * sprites.pixels / 1024  # 20,000 of 32×32 took 7 s

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        found = grain(sprites.cells, sprites.palette)
        progress(0.9)
        places = {cell: of for cell, of in sprites.by_cell.items() if len(of)}
        means = {name: {cell: mean_figure(found[name][of]) for cell, of in places.items()} for name in GRAIN}
        against = _against(means)
        progress(1.0)
        return {
            cell: Evidence(
                len(of),
                {**{name: means[name][cell] for name in GRAIN}, **{name: by[cell] for name, by in against.items()}},
                _shown(found["orphans"], of),
            )
            for cell, of in places.items()
        }


def _against(means: Mapping[str, Mapping[str, Figure]]) -> dict[str, dict[str, Figure]]:
    made: dict[str, dict[str, Figure]] = {}
    for name, of in _AGAINST.items():
        middle = usual([figure.value for figure in means[of].values()], bad="high")
        made[name] = {
            cell: Figure(one.value - middle, one.low - middle, one.high - middle) for cell, one in means[of].items()
        }
    middle = usual([figure.value for figure in means[_CRUMBLED].values()], bad="low")
    made["crumbled"] = {
        cell: Figure(middle - one.value, middle - one.high, middle - one.low) for cell, one in means[_CRUMBLED].items()
    }
    return made


def _shown(orphans: Values, places: Places) -> dict[str, list[int]]:
    """The sprites of a cell with most orphan pixels, where any has more than one in fifty."""
    own = np.nan_to_num(orphans[places])
    order = np.argsort(-own, kind="stable")[:_SHOWN]
    worst = [int(places[place]) for place in order if own[place] > 0.02]
    return {"most pixels alone": worst} if worst else {}
