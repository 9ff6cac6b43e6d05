"""Cell by cell, samples beside real sprites: what every stage of `against` starts from.

Of each cell at most `MOST` samples and `MOST` real sprites are compared one with another, chosen by seed, so the cost
grows with the number of samples only where it must: their features and the nearest training sprite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.metrics.features import Features, features
from pixelreef.taste.against.blemish import blemish_changes
from pixelreef.taste.evidence import Evidence, Gate
from pixelreef.taste.sprites import Places, Sprites

MOST = 256  # of a cell, on either side
DRAWS = 6  # times that real sprites are held out
TINY = 1e-6
_BLEMISHED = 512  # real sprites that tell what a blemish changes
_WEIGHT = 4.0  # spreads that a blemish is worth at most: a quarter

Values = NDArray[np.floating[Any]]
Progress = Callable[[float], None]


class SampleStage(Protocol):
    """A way of holding samples against real sprites."""

    @property
    def name(self) -> str: ...

    @property
    def gates(self) -> tuple[Gate, ...]: ...

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """Cell → evidence, for every cell of the pairing."""


@dataclass(frozen=True, eq=False)
class Pair:
    """One cell: places of samples and of real sprites in their sets, in an order drawn by seed."""

    cell: str
    samples: Places
    real: Places
    values: Values
    """(len(samples), F): standardised features."""
    real_values: Values
    """(len(real), F)."""
    seed: int

    @property
    def n(self) -> int:
        """What the evidence rests on: the smaller side."""
        return min(len(self.samples), len(self.real))

    def draws(self, number: int = DRAWS) -> Iterator[tuple[Places, Places, Places]]:
        """Places in `samples`, places in `real` held out in equal number, and places in `real` that are left.

        Half of the real sprites at most are held out; with fewer than four there is nothing to hold out.
        """
        size = min(len(self.samples), len(self.real) // 2)
        for draw in range(number if size >= 2 else 0):
            random = rng(self.seed, "held out", self.cell, draw)
            order = random.permutation(len(self.real))
            yield random.permutation(len(self.samples))[:size], order[:size], order[size:]


@dataclass(frozen=True, eq=False)
class Pairing:
    """Samples and the real sprites that they are held against: of one size and one palette."""

    samples: Sprites
    real: Sprites
    seed: int
    held_out: Sprites | None = None
    """Real sprites that whoever drew the samples never saw, where the corpus says which."""

    def __post_init__(self) -> None:
        if self.samples.cells.shape[1:] != self.real.cells.shape[1:] or self.samples.palette != self.real.palette:
            raise InputError("samples and corpus", "be of one size and one palette", self.samples.cells.shape[1:])
        if not self.cells:
            todo = f"The corpus has {', '.join(self.real.names[:4])}, …"
            raise InputError("cells of the samples", "be cells of the corpus", list(self.samples.names[:4]), todo)

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Those that have both samples and real sprites, in the order of the corpus."""
        sampled = {cell for cell, places in self.samples.by_cell.items() if len(places)}
        return tuple(cell for cell, places in self.real.by_cell.items() if len(places) and cell in sampled)

    @cached_property
    def pairs(self) -> Mapping[str, Pair]:
        """Cell → its pair."""
        chosen = {cell: self._chosen(self.samples, cell, "samples") for cell in self.cells}
        real = {cell: self._chosen(self.real, cell, "real") for cell in self.cells}
        values, real_values = _values(self.samples, chosen), _values(self.real, real)
        centre, scale = self._standard(real, np.concatenate(list(real_values.values())))
        # One wild feature of one sample must not outweigh all others: cubes of it would, in the kernel.
        return {
            cell: Pair(
                cell,
                chosen[cell],
                real[cell],
                np.clip((values[cell] - centre) / scale, -8, 8),
                np.clip((real_values[cell] - centre) / scale, -8, 8),
                self.seed,
            )
            for cell in self.cells
        }

    def _standard(self, real: Mapping[str, Places], values: Values) -> tuple[Values, Values]:
        """(F,) each: the mean of every feature over the real sprites, and its spread, or what blemishes make of it."""
        random = rng(self.seed, "blemishes")
        some = random.permutation(len(values))[:_BLEMISHED]
        cells = self.real.cells[np.concatenate(list(real.values()))[some]]
        blemish = blemish_changes(cells, values[some], self.real.palette, random)
        scale = np.maximum(values.std(axis=0), _WEIGHT * blemish)
        return values.mean(axis=0), np.where(scale > TINY, scale, 1.0)  # what never varies counts as it is

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the features, in order."""
        return features(self.real.cells[:1], self.real.palette).names

    def family(self, *families: str) -> Places:
        """The columns of some families of features."""
        return np.array([place for place, name in enumerate(self.names) if name.split(".")[0] in families], np.intp)

    def features_of(self, pairs: Mapping[str, Places], *, real: bool) -> tuple[Features, list[str]]:
        """The features of some of the compared sprites (cell → places in the pair), with the cell of each."""
        rows, labels = [], []
        for cell, places in pairs.items():
            values = self.pairs[cell].real_values if real else self.pairs[cell].values
            rows.append(values[places])
            labels += [cell] * len(places)
        return Features(self.names, np.concatenate(rows).astype(np.float32)), labels

    def _chosen(self, sprites: Sprites, cell: str, side: str) -> Places:
        return rng(self.seed, "pairing", side, cell).permutation(sprites.by_cell[cell])[:MOST]


def _values(sprites: Sprites, chosen: Mapping[str, Places]) -> dict[str, Values]:
    """Cell → features of the chosen sprites."""
    places = np.concatenate(list(chosen.values()))
    found = features(sprites.cells[places], sprites.palette).values.astype(np.float64)
    ends = np.cumsum([len(of) for of in chosen.values()])[:-1]
    return dict(zip(chosen, np.split(found, ends), strict=True))


def told(pairing: Pairing, progress: Progress) -> Iterator[Pair]:
    """The pairs in turn, with progress."""
    for number, pair in enumerate(pairing.pairs.values(), 1):
        yield pair
        progress(number / len(pairing.pairs))
