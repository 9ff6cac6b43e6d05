"""Sprites in memory, as the stages look at them: one size, one palette, a cell and a source each.

    sprites = sprites_from_corpus(open_corpus("reef.parquet"))
    sprites.cells.shape, sprites.names, sprites.of("coral/abyss")

What several stages need (signatures, near-copies, features, grain) is worked out once, by the first that asks. Sprites
of a sample set are the same thing. `gather` says what is done with corpora of many sizes and palettes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.corpus.layout import Factors
from pixelreef.errors import InputError
from pixelreef.metrics.features import Features, features
from pixelreef.metrics.likeness import Signatures, groups, keepers, signatures
from pixelreef.taste.grain import grain

Places = NDArray[np.intp]
Bits = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sprites:
    """N sprites of one size and palette. Nothing is changed in place: `changed` gives sprites with other pixels."""

    cells: Cells
    """(N, H, W) palette indices."""
    palette: Palette
    names: tuple[str, ...]
    """All cells, in the order of the factors' values; a cell may have no sprites."""
    cell: Places
    """(N,): the place of each sprite's cell among `names`."""
    factors: Factors
    """Factor → its values in order; empty when nothing is known."""
    sources: tuple[str, ...]
    source: Places
    """(N,): the place of each sprite's source among `sources`."""
    rows: NDArray[np.int64]
    """(N,): where each stands in its file."""
    group: Places
    """(N,): sprites that must stay together (frames of one creature) share a number."""
    notes: tuple[str, ...] = ()
    """What was done to bring them to one size and palette, in whole sentences."""

    def __post_init__(self) -> None:
        arrays = (self.cell, self.source, self.rows, self.group)
        if self.cells.ndim != 3 or self.cells.dtype != np.uint8 or any(len(one) != len(self.cells) for one in arrays):
            raise InputError("sprites", "be (N, H, W) bytes with N of everything else", self.cells.shape)
        if not len(self.cells):
            raise InputError("sprites", "be at least one", 0)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def pixels(self) -> int:
        """Of one sprite, seen or not."""
        return int(self.cells.shape[1] * self.cells.shape[2])

    def of(self, cell: str) -> Places:
        """The places of a cell's sprites."""
        return np.flatnonzero(self.cell == self.names.index(cell))

    @cached_property
    def by_cell(self) -> Mapping[str, Places]:
        """Cell → the places of its sprites, cells without sprites too."""
        order = np.argsort(self.cell, kind="stable")
        ends = np.cumsum(np.bincount(self.cell, minlength=len(self.names)))
        return dict(zip(self.names, np.split(order, ends[:-1]), strict=True))

    def labels(self) -> list[str]:
        """The cell of each sprite, by name."""
        return [self.names[place] for place in self.cell.tolist()]

    def values_of(self, cell: str) -> dict[str, str]:
        """Factor → value of a cell, where its name tells.

        A cell's name is its values joined; one that lacks a value has fewer, and is told by nothing.
        """
        values = cell.split("/")
        return dict(zip(self.factors, values, strict=True)) if len(values) == len(self.factors) else {}

    @cached_property
    def opaque(self) -> Bits:
        """(N, H, W): what can be seen."""
        clear = self.palette.transparent
        return np.ones(self.cells.shape, np.bool_) if clear is None else self.cells != clear

    @cached_property
    def signatures(self) -> Signatures:
        """What `metrics.likeness` compares."""
        return signatures(self.cells, self.palette.transparent)

    @cached_property
    def keeper(self) -> Places:
        """(N,): for each sprite the one of its cell that stands for it and its near-copies."""
        found = np.arange(len(self))
        for places in self.by_cell.values():
            if len(places):
                found[places] = places[keepers(self.signatures[places])]
        return found

    @cached_property
    def kin(self) -> Places:
        """(N,): a number that near-copies of any cell share, and sprites of one group too."""
        return joined(groups(self.signatures), self.group)

    def kin_of(self, places: Places) -> Places:
        """(len(places),): the kin of some sprites, numbered from 0; where one is too large to be held out as a whole,
        each of its sprites counts for itself.
        """
        large = self.of_large_kin(places)
        kin = np.where(large, int(self.kin.max()) + 1 + np.arange(len(places)), self.kin[places])
        return np.asarray(np.unique(kin, return_inverse=True)[1], np.intp)

    def of_large_kin(self, places: Places) -> Bits:
        """(len(places),): which of some sprites are of a kin that makes up more than a quarter of them.

        Pixels of any colour are all alike to `metrics.likeness`, and in a world of few shapes one near-copy leads to
        the next until most of a cell are kin.
        """
        _, kin, counts = np.unique(self.kin[places], return_inverse=True, return_counts=True)
        return np.asarray(counts[kin] > max(1, len(places) / 4))

    @cached_property
    def grain(self) -> dict[str, NDArray[np.float64]]:
        """Name → (N,) values, see `grain`."""
        return grain(self.cells, self.palette)

    @cached_property
    def features(self) -> Features:
        """Of all families."""
        return features(self.cells, self.palette)

    def at(self, places: Sequence[int] | Places) -> Sprites:
        """Some of the sprites, in the order of `places`."""
        chosen = np.asarray(places, np.intp)
        return replace(
            self,
            cells=self.cells[chosen],
            cell=self.cell[chosen],
            source=self.source[chosen],
            rows=self.rows[chosen],
            group=self.group[chosen],
        )

    def changed(self, cells: Cells | None = None, cell: Places | None = None) -> Sprites:
        """The same sprites with other pixels, or other labels: what a fault does."""
        return replace(self, cells=self.cells if cells is None else cells, cell=self.cell if cell is None else cell)

    def by_source(self) -> Sprites:
        """The same sprites with their sources as cells."""
        return replace(self, names=self.sources, cell=self.source, factors={"source": self.sources})


def joined(a: Places, b: Places) -> Places:
    """(N,): numbers of the groups that arise when sharing a number in either makes two belong together.

    >>> joined(np.array([0, 0, 1, 2]), np.array([5, 6, 6, 7])).tolist()
    [0, 0, 0, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    a, b = (np.unique(one, return_inverse=True)[1] for one in (a, b))
    count = len(a) + len(b)
    graph = coo_array((np.ones(len(a), np.int8), (a, b + len(a))), shape=(count, count))
    found = connected_components(graph, directed=False)[1][a]
    return np.asarray(np.unique(found, return_inverse=True)[1], np.intp)


def sprites_from_arrays(
    cells: Cells, palette: Palette, labels: Sequence[str], factors: Factors | None = None, source: str = "made"
) -> Sprites:
    """Sprites from pixels and the cell of each, of one source; cells in order of appearance."""
    names = tuple(dict.fromkeys(labels))
    places = {name: place for place, name in enumerate(names)}
    count = len(cells)
    return Sprites(
        cells,
        palette,
        names,
        np.array([places[label] for label in labels], np.intp),
        factors or {},
        (source,),
        np.zeros(count, np.intp),
        np.arange(count, dtype=np.int64),
        np.arange(count, dtype=np.intp),
    )
