"""Sampling by cell: the way from weights to sprites.

    sampler = Sampler(weights_from(None))
    for sample in sampler.sample("jellyfish/abyss", n=16, seed=0):
        sample.number, sample.cells, sample.factors, sample.likelihood

Sprite n of a seed and a cell is the same however many are drawn, and beside whichever others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import InputError, shown
from pixelreef.sprites.choose import Sampling, uniforms
from pixelreef.sprites.completion import Given
from pixelreef.sprites.cut import Bits
from pixelreef.sprites.engine import Engine, Task
from pixelreef.sprites.task import Codes
from pixelreef.sprites.weights import Weights

EVERY = "all"  # every cell; also the one cell of a model without factors, as in a corpus
MAX_CELLS = 10_000  # that are drawn by one word
GOOD = ("learned", "weak")  # verdicts of taste that do not warn
_BLOCK = 512  # sprites whose uniform numbers are held at once: 4.5 MB at 32×32
_LISTED = 40  # cells in a message

Told = str | Mapping[str, str | None]
"""A cell, or factors and their values; a factor that is left out, or None, is not told."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A sprite that was drawn."""

    cell: str
    number: int
    """Of its cell, from 0."""
    cells: NDArray[np.uint8]
    """(height, width) palette indices."""
    factors: Mapping[str, str]
    likelihood: float
    """The natural logarithm of its probability under the model, without the given pixels."""

    @property
    def bits(self) -> float:
        """Bits per pixel."""
        return -self.likelihood / (math.log(2) * self.cells.size)


@dataclass(frozen=True, eq=False)
class Wanted:
    """A sprite to draw."""

    factors: Mapping[str, str]
    """As told, without those not told."""
    number: int
    given: Given | None = None


class Sampler:
    """Weights ready to be asked for sprites."""

    def __init__(self, weights: Weights, threads: int | None = None) -> None:
        self.weights, self.config = weights, weights.config
        self.engine = Engine(weights.config, weights.arrays, threads)

    def cells(self) -> Iterator[str]:
        """Every cell, the last factor changing first."""
        for values in product(*self.config.factors.values()):
            yield "/".join(values) or EVERY

    def cells_from(self, names: Sequence[str]) -> list[str]:
        """The cells of a list of names, patterns such as `jellyfish/*`, or `all`; each once, in the order asked for."""
        found: dict[str, None] = {}
        for name in names:
            if name == EVERY or any(sign in name for sign in "*?["):
                found |= dict.fromkeys(self._matching("*" if name == EVERY else name))
            else:
                self.factors_from(name)
                found[name] = None
        return list(found)

    def failing(self, cell: str) -> str | None:
        """The verdict of taste that the weights carry for a cell, where it is one that warns."""
        verdicts = self.weights.facts.get("verdicts")
        word = verdicts.get(cell) if isinstance(verdicts, dict) else None
        return word if isinstance(word, str) and word not in GOOD else None

    def sample(
        self,
        cell: Told,
        n: int,
        seed: int = 0,
        sampling: Sampling | None = None,
        given: Given | None = None,
        first: int = 0,
    ) -> Iterator[Sample]:
        """Sprites `first` to `first + n` of a cell, as they finish."""
        return self.sample_cells([cell], n, seed, sampling, given, first)

    def sample_cells(
        self,
        cells: Sequence[Told],
        n: int,
        seed: int = 0,
        sampling: Sampling | None = None,
        given: Given | None = None,
        first: int = 0,
    ) -> Iterator[Sample]:
        """So many of each cell, cell by cell, as they finish; sprites of several cells are drawn together."""
        if n < 0 or first < 0:
            raise InputError("--n", "be at least 0", min(n, first))
        told = [self.factors_from(cell) for cell in cells]
        every = (Wanted(factors, number, given) for factors in told for number in range(first, first + n))
        return self.draw(every, seed, sampling)

    def factors_from(self, cell: Told) -> dict[str, str]:
        """The factors of a cell, in their declared order, without those not told."""
        factors = self.config.factors
        if isinstance(cell, str):
            if not factors and cell == EVERY:
                return {}
            if (values := _split(cell, list(factors.values()))) is None:
                raise InputError("--cell", "be a cell of these weights", cell, self._known())
            return dict(zip(factors, values, strict=True))
        for name, value in cell.items():
            if name not in factors:
                raise InputError("factor", f"be one of {', '.join(factors) or 'none'}", name)
            if value is not None and value not in factors[name]:
                raise InputError(f"factor {name}", f"be one of {_some(factors[name])}", value)
        return {name: value for name in factors if (value := cell.get(name)) is not None}

    def draw(self, wanted: Iterable[Wanted], seed: int = 0, sampling: Sampling | None = None) -> Iterator[Sample]:
        """Sprites in order, as they finish; each may have other factors and other given pixels."""
        every = iter(wanted)
        while block := list(islice(every, _BLOCK)):
            for drawn in self.engine.finished(self.task(block, seed), sampling or Sampling()):
                rows = block[drawn.start : drawn.start + len(drawn.grids)]
                for one, cells, likely in zip(rows, drawn.grids, drawn.likelihood, strict=True):
                    yield Sample(self.name_of(one.factors), one.number, cells, one.factors, float(likely))

    def task(self, block: Sequence[Wanted], seed: int) -> Task:
        """Sprites ready for the engine."""
        config = self.config
        shapes = np.empty((len(block), config.patches, 1 + config.patch))
        colours = np.empty((len(block), config.height, config.width))
        names = np.array([self.name_of(one.factors) for one in block])
        numbers = np.array([one.number for one in block], np.intp)
        for name in dict.fromkeys(names.tolist()):
            rows = names == name
            shapes[rows], colours[rows] = uniforms(seed, numbers[rows], config, name)
        places = np.array([self._places(one.factors) for one in block], np.intp).reshape(len(block), -1)
        given = [one.given for one in block]
        known = self._codes_of([None if one is None or one.begun else one for one in given])
        begun = self._codes_of([one if one is not None and one.begun else None for one in given])
        return Task(places, shapes, colours, known, self._allowed_of(block), begun)

    def _codes_of(self, given: Sequence[Given | None]) -> Codes | None:
        if not any(given):
            return None
        config = self.config
        blank = np.full((config.height, config.width), config.unknown)
        return np.stack([blank if one is None else one.codes for one in given])

    def _allowed_of(self, block: Sequence[Wanted]) -> Bits | None:
        allowed = [None if one.given is None else one.given.allowed for one in block]
        if all(one is None for one in allowed):
            return None
        every = np.ones(self.config.colours, np.bool_)
        return np.stack([every if one is None else one for one in allowed])

    def _places(self, factors: Mapping[str, str]) -> list[int]:
        known = self.config.factors.items()
        return [values.index(factors[name]) if name in factors else len(values) for name, values in known]

    def name_of(self, factors: Mapping[str, str]) -> str:
        """As a corpus names a cell, with `*` for what was not told."""
        return "/".join(factors.get(name, "*") for name in self.config.factors) or EVERY

    def _matching(self, pattern: str) -> list[str]:
        if math.prod(len(values) for values in self.config.factors.values()) > MAX_CELLS:
            raise InputError("--cell", f"be one by one where there are more than {MAX_CELLS:,} cells", pattern)
        found = [cell for cell in self.cells() if fnmatchcase(cell, pattern)]
        if not found:
            raise InputError("--cell", "match a cell of these weights", pattern, self._known())
        return found

    def _known(self) -> str:
        return f"They know {_some(islice(self.cells(), _LISTED + 1))}."


def _split(cell: str, factors: list[tuple[str, ...]]) -> list[str] | None:
    """One value of each factor, whose names may have a `/` in them, or None.

    >>> _split("a/b/c", [("a", "a/b"), ("c",)])
    ['a/b', 'c']
    """
    if len(factors) == 1:
        return [cell] if cell in factors[0] else None
    for value in factors[0] if factors else ():
        if cell.startswith(f"{value}/") and (rest := _split(cell[len(value) + 1 :], factors[1:])) is not None:
            return [value, *rest]
    return None


def _some(names: Iterator[str] | Sequence[str]) -> str:
    """Names that somebody may have written, for a message."""
    listed = list(islice(names, _LISTED + 1))
    plain = [name if name.isascii() and name.isprintable() else shown(name) for name in listed[:_LISTED]]
    return ", ".join(plain) + (", …" if len(listed) > _LISTED else "")
