"""The stage `texture`: are these pixels drawn, or are they noise, or a photograph reduced to a palette?

The figures of `grain`, as means over a cell, and most of them against what is usual in the corpus:

    stray       orphan pixels beyond the usual share
    crumbled    clusters smaller than usual, in doublings
    scattered   less agreement of neighbours than usual
    bulky       harder to compress than usual
    ragged      outlines longer than usual, in doublings
    gaudy       more colours than usual, in doublings
    smooth      smaller steps of colour between neighbours than usual, as photographs have
    flat        clusters larger than usual, in doublings, as blurred photographs have
    filled      more of the outermost pixels opaque than usual: whole pictures among sprites

They are differences and not counted in deviations of the cells: where cells are alike, as in a corpus that one program
drew, a deviation is so small that any cell with a habit of its own would stand out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np

from pixelreef.taste.evidence import Evidence, Figure, Gate
from pixelreef.taste.grain import GRAIN, Values
from pixelreef.taste.sprites import Places, Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.usual import mean_figure, usual

_SHOWN = 8
_AGAINST: dict[str, tuple[str, Literal["high", "low"]]] = {
    "stray": ("orphans", "high"),
    "crumbled": ("clusters", "low"),
    "scattered": ("agreement", "low"),
    "bulky": ("packed", "high"),
    "ragged": ("outline", "high"),
    "gaudy": ("colours", "high"),
    "smooth": ("steps", "low"),
    "flat": ("clusters", "high"),
    "filled": ("border", "high"),
}
"""Figure → the figure of `grain` that it compares, and on which side that is bad."""


class Texture:
    """The grain of pixels, cell by cell."""

    name = "texture"
    gates = (
        Gate("orphans", "texture", "orphans", bad="high", words="share of pixels alone in their colour", digits=3),
        Gate("stray", "texture", "stray", bad="high", words="pixels alone in their colour, beyond the usual", digits=3),
        Gate("crumbled", "texture", "crumbled", bad="high", words="clusters smaller than usual, in doublings"),
        Gate("scattered", "texture", "scattered", bad="high", words="neighbours that agree less than usual"),
        Gate("bulky", "texture", "bulky", bad="high", words="harder to compress than usual"),
        Gate("ragged", "texture", "ragged", bad="high", words="outlines longer than usual, in doublings"),
        Gate("gaudy", "texture", "gaudy", bad="high", words="more colours than usual, in doublings"),
        Gate("smooth", "texture", "smooth", bad="high", words="smaller steps of colour than usual"),
        Gate("flat", "texture", "flat", bad="high", words="clusters larger than usual, in doublings"),
        Gate("filled", "texture", "filled", bad="high", words="pictures that fill their frame, beyond the usual"),
    )

    def cost(self, sprites: Sprites) -> float:
        return 0.5 + 3e-4 * len(sprites) * sprites.pixels / 1024  # 20,000 of 32×32 took 4 s

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        found = textures(sprites, sprites.by_cell)
        progress(1.0)
        return found


def textures(sprites: Sprites, groups: Mapping[str, Places]) -> dict[str, Evidence]:
    """Evidence on groups of sprites, such as sources; what is usual is always so among the cells."""
    cells = _means(sprites, sprites.by_cell)
    middle = {name: usual([one[of].value for one in cells.values()]) for name, (of, _) in _AGAINST.items()}
    return {
        group: Evidence(
            len(groups[group]), {**means, **_against(means, middle)}, _shown(sprites.grain["orphans"], groups[group])
        )
        for group, means in _means(sprites, groups).items()
    }


def _means(sprites: Sprites, groups: Mapping[str, Places]) -> dict[str, dict[str, Figure]]:
    return {
        group: {name: mean_figure(sprites.grain[name][places]) for name in GRAIN}
        for group, places in groups.items()
        if len(places)
    }


def _against(means: Mapping[str, Figure], middle: Mapping[str, float]) -> dict[str, Figure]:
    """Figures less what is usual, turned so that more is worse; none where nothing is usual."""
    made = {}
    for name, (of, bad) in _AGAINST.items():
        one, usually = means[of], middle[name]
        if bad == "high" and math.isfinite(usually):
            made[name] = Figure(one.value - usually, one.low - usually, one.high - usually)
        elif math.isfinite(usually):
            made[name] = Figure(usually - one.value, usually - one.high, usually - one.low)
    return made


def _shown(orphans: Values, places: Places) -> dict[str, list[int]]:
    """The sprites of a cell with most orphan pixels, where any has more than one in fifty."""
    own = np.nan_to_num(orphans[places])
    order = np.argsort(-own, kind="stable")[:_SHOWN]
    worst = [int(places[place]) for place in order if own[place] > 0.02]
    return {"most pixels alone": worst} if worst else {}
