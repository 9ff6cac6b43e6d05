"""The `pixelreef` profile: every measure of a batch of drawings by one call.

A measure is found by being decorated with `measure` in any module of this package. Subject checks, the reading of
replies and the published formulas are not part of it.

    scores = score(batch.cells, batch.rgb, batch.colours)
    scores["craft"].mean()
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from importlib import import_module

import numpy as np

from pixelreef import metrics
from pixelreef.core.colour import Floats
from pixelreef.errors import InputError
from pixelreef.metrics.measure import MEASURES, Measure
from pixelreef.metrics.tally import Cells, Integers, Tally

__all__ = ["MEASURES", "METRICS_VERSION", "composites", "score"]

METRICS_VERSION = "1"
"""Of the profile as a whole: moves when a measure is added, removed or changed."""

# Drawings tallied at once: their planes and tables of pairs take some 8 MB. Measured fastest of 64 to 512.
_AT_ONCE = 512


def score(cells: Cells, rgb: Cells, colours: Integers, names: Iterable[str] | None = None) -> dict[str, Floats]:
    """Name → (N,) of every measure, or of those named: cells (N, H, W), padded palettes (N, K, 3), lengths (N,).

    Range: 0 to 1 each. Direction: see each `Measure`. Empty: a batch of none gives arrays of none.

    >>> cells = np.zeros((3, 24, 24), np.uint8)
    >>> rgb = np.zeros((3, 10, 3), np.uint8)
    >>> score(cells, rgb, np.array([2, 2, 2]), ["craft"])
    {'craft': array([0., 0., 0.])}
    """
    chosen = _chosen(names)
    found: dict[str, Floats] = {one.name: np.empty(len(cells)) for one in chosen}
    Tally(cells, rgb, colours)  # refuses what is no batch, an empty one too
    for start in range(0, len(cells), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        tally = Tally(cells[part], rgb[part], colours[part])
        for one in chosen:
            found[one.name][part] = one.compute(tally)
    return found


def composites() -> list[str]:
    """The names of the measures that claim quality.

    >>> composites()
    ['craft', 'pixel_art_quality', 'render_success']
    """
    return [one.name for one in MEASURES.values() if one.claims_quality]


def _chosen(names: Iterable[str] | None) -> list[Measure]:
    if names is None:
        return list(MEASURES.values())
    asked = list(names)
    for name in asked:
        if name not in MEASURES:
            raise InputError("measure", f"be one of {', '.join(MEASURES)}", name)
    return [MEASURES[name] for name in asked]


def _find() -> None:
    for module in sorted(found.name for found in pkgutil.iter_modules(metrics.__path__)):
        if module != "profile":
            import_module(f"{metrics.__name__}.{module}")


_find()
