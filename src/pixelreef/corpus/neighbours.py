"""For every sprite, the sprites of its cell that are most like it: what to look at before it is kept or dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.corpus.entry import Entry
from pixelreef.metrics.likeness import distances, signatures


def neighbours(entries: Sequence[Entry], count: int) -> list[tuple[int, ...]]:
    """Per entry, the places of up to `count` others of its cell and size, the most alike first, equals in order.

    Likeness is blind to colour and to which way a sprite faces: see `metrics.likeness`.
    """
    found: list[tuple[int, ...]] = [()] * len(entries)
    alike: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for place, entry in enumerate(entries):
        alike[entry.cell, entry.cells.shape, entry.palette.transparent is None].append(place)
    for places in alike.values():
        has_transparent = entries[places[0]].palette.transparent is not None
        facts = signatures(np.stack([_transparent_first(entries[p]) for p in places]), 0 if has_transparent else None)
        apart = distances(facts, facts)
        np.fill_diagonal(apart, np.inf)
        nearest = np.argsort(apart, axis=1, kind="stable")[:, : min(count, len(places) - 1)]
        for place, near in zip(places, nearest.tolist(), strict=True):
            found[place] = tuple(places[one] for one in near)
    return found


def _transparent_first(entry: Entry) -> Cells:
    """The cells with the transparent index as 0, so that sprites of different palettes can be compared."""
    transparent = entry.palette.transparent
    if not transparent:
        return entry.cells
    table = np.arange(256, dtype=np.uint8)
    table[[0, transparent]] = transparent, 0
    return np.asarray(table[entry.cells])
