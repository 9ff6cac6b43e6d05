"""The stage `census`: how many sprites there are, how many of them differ, and where they come from.

sprites, unique    all, and those left when near-copies of one cell are merged (`metrics.likeness`)
distinct           unique against sprites
variety            how far two sprites of the cell are apart, by their features, against what is usual in the corpus
balance            sprites against the median cell, in doublings
blank              the share of sprites on which nothing is to be seen
colours            colours used in the cell
source_tells       how much better than chance its source tells a sprite's cell: 0 not at all, 1 always
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.taste.evidence import NAN, Evidence, Figure, Gate
from pixelreef.taste.sprites import Places, Sprites
from pixelreef.taste.stage import Progress
from pixelreef.taste.usual import share_figure, usual

_COMPARED = 200  # sprites of a cell whose features are compared pair by pair
_SHOWN = 8
_CLIP = 4.0  # deviations beyond which a feature says no more: a cell of noise would else set the scale for all

Floats = NDArray[np.float64]


class Census:
    """Counts, near-copies and sources."""

    name = "census"
    gates = (
        Gate("distinct", "census", "distinct", bad="low", words="share of sprites that are no near-copies"),
        Gate("variety", "census", "variety", bad="low", words="variety against the other cells"),
        Gate("blank", "census", "blank", bad="high", words="share of blank sprites"),
        Gate("balance", "census", "balance", bad="low", words="sprites against the median cell, in doublings"),
        Gate("source", "census", "source_tells", bad="high", words="the source alone tells the cell"),
    )

    def cost(self, sprites: Sprites) -> float:
        # 20,000 sprites of 32×32 took 9 s; half as much again is asked for. The pairs grow with the square.
        pixels = sprites.pixels / 1024
        return 0.5 + pixels * (4e-4 * len(sprites) + 1.5e-8 * len(sprites) ** 2)

    def run(self, sprites: Sprites, seed: int, progress: Progress) -> Mapping[str, Evidence]:
        kept = sprites.keeper == np.arange(len(sprites))
        progress(0.5)
        spread = spreads(sprites, seed)
        typical = usual(list(spread.values()))
        median = float(np.median([len(places) for places in sprites.by_cell.values() if len(places)]))
        seen = sprites.opaque.sum(axis=(1, 2)) / sprites.pixels
        tells = source_tells(sprites)
        progress(1.0)
        return {
            cell: self._evidence(sprites, cell, places, kept, seen, spread[cell] / typical, median, tells[cell])
            for cell, places in sprites.by_cell.items()
            if len(places)
        }

    def _evidence(
        self,
        sprites: Sprites,
        cell: str,
        places: Places,
        kept: NDArray[np.bool_],
        seen: Floats,
        variety: float,
        median: float,
        tells: float,
    ) -> Evidence:
        n, unique = len(places), int(kept[places].sum())
        used = np.unique(sprites.cells[places][sprites.opaque[places]])
        figures = {
            "sprites": Figure(n),
            "unique": Figure(unique),
            "distinct": share_figure(unique, n),
            **({"variety": Figure(variety)} if math.isfinite(variety) else {}),
            "balance": Figure(float(np.log2(n / median))),
            "blank": share_figure(int(is_blank(seen[places]).sum()), n),
            "colours": Figure(len(used)),
            **({"source_tells": Figure(tells)} if math.isfinite(tells) else {}),
        }
        copied = copied_most(sprites.keeper[places])
        shown = {"copied most": copied} if copied else {}
        return Evidence(n, figures, shown, [_sources(sprites, places), *_copies(n, unique)])


def is_blank(seen: Floats) -> NDArray[np.bool_]:
    """Which of a cell's sprites show next to nothing: a tenth of what its larger ones do, or four pixels in a thousand.

    `seen` is the share of each that is opaque. The larger ones are the upper quartile, so that half may be blank.

    >>> is_blank(np.array([0.0, 0.01, 0.3, 0.4])).tolist()
    [True, True, False, False]
    """
    return np.asarray(seen < max(0.1 * float(np.percentile(seen, 75)), 0.004))


def spreads(sprites: Sprites, seed: int) -> dict[str, float]:
    """Cell → the median distance of two of its sprites, in features whose spread is 1 over the corpus."""
    values = sprites.features.values.astype(np.float64)
    low, middle, high = np.percentile(values, [16, 50, 84], axis=0)
    scale = np.where(high - low > 1e-6, (high - low) / 2, np.maximum(values.std(axis=0), 1e-6))
    scaled = np.clip((values - middle) / scale, -_CLIP, _CLIP)
    return {cell: _spread(scaled[_some(places, seed, cell)]) for cell, places in sprites.by_cell.items()}


def _some(places: Places, seed: int, cell: str) -> Places:
    return places if len(places) <= _COMPARED else rng(seed, "census", cell).permutation(places)[:_COMPARED]


def _spread(values: Floats) -> float:
    if len(values) < 2:
        return NAN
    square = (values**2).sum(axis=1)
    apart = square[:, None] + square[None] - 2 * values @ values.T
    return float(np.median(np.sqrt(np.maximum(apart[np.triu_indices(len(values), 1)], 0))))


def source_tells(sprites: Sprites) -> dict[str, float]:
    """Cell → how much better than chance a guess by the source alone is for its sprites; NaN with one source.

    A guess by source is right with the cell's share in the source, p; by chance with its share in the corpus, q. What
    is given is (p − q) / (1 − q), the mean over the cell's sprites. With two factors or more it is the largest over
    the factors, each with its values in place of cells: a category that comes from one source alone is told by it.
    """
    if len(sprites.sources) < 2:
        return dict.fromkeys(sprites.names, NAN)
    tells = _tells(sprites.cell, sprites.source, len(sprites.names))
    for factor, values in sprites.factors.items():
        of_cell = [
            {value: place for place, value in enumerate(values)}.get(sprites.values_of(cell).get(factor, ""), -1)
            for cell in sprites.names
        ]
        if min(of_cell) >= 0 and len(values) > 1:
            by_value = _tells(np.array(of_cell, np.intp)[sprites.cell], sprites.source, len(values))
            tells = np.maximum(tells, by_value[of_cell])
    return dict(zip(sprites.names, tells.tolist(), strict=True))


def _tells(label: Places, source: Places, labels: int) -> Floats:
    sources = int(source.max()) + 1
    table = np.bincount(label * sources + source, minlength=labels * sources).reshape(labels, sources).astype(float)
    within = table / np.maximum(table.sum(axis=0), 1)
    total = table.sum(axis=1)
    right = (table * within).sum(axis=1) / np.maximum(total, 1)
    chance = total / total.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((total > 0) & (chance < 1), (right - chance) / (1 - chance), np.nan)


def source_table(sprites: Sprites) -> dict[str, dict[str, int]]:
    """Source → cell → sprites, where there are any."""
    counts = np.bincount(
        sprites.source * len(sprites.names) + sprites.cell, minlength=len(sprites.sources) * len(sprites.names)
    ).reshape(len(sprites.sources), -1)
    return {
        source: {cell: int(n) for cell, n in zip(sprites.names, row, strict=True) if n}
        for source, row in zip(sprites.sources, counts, strict=True)
    }


def copied_most(keeper: Places) -> list[int]:
    """The sprites that stand for most near-copies, the most first; none that stands for itself alone.

    >>> copied_most(np.array([0, 0, 2, 3, 3, 3]))
    [3, 0]
    """
    kept, times = np.unique(keeper, return_counts=True)
    order = np.argsort(-times, kind="stable")[:_SHOWN]
    return [int(kept[place]) for place in order if times[place] > 1]


def _sources(sprites: Sprites, places: Places) -> str:
    counts = np.bincount(sprites.source[places], minlength=len(sprites.sources))
    order = np.argsort(-counts, kind="stable")
    named = [f"{sprites.sources[place] or 'no source'} {counts[place]:,}" for place in order[:5] if counts[place]]
    return f"From {', '.join(named)}."


def _copies(n: int, unique: int) -> list[str]:
    return [f"{n - unique:,} of {n:,} are near-copies of another."] if unique < n else []
