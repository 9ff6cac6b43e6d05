"""Crossing two sprites: `Breeder(sampler).children(a, b, Kind.halves, n=8, seed=0)`.

The second parent is moved so that the bodies lie over one another, and mirrored where that makes them lie much better.
The child is told the cell of the parent that gives more of its body; of a prefix, the other's. What is drawn has
colours of its parents, of a silhouette the other's, unless new ones are asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.core.sprite_files import sprite_in_palette
from pixelreef.errors import InputError
from pixelreef.sprites.breed.inherit import (
    DRAWN,
    FIRST,
    SECOND,
    Cells,
    Kind,
    Map,
    Parent,
    grown,
    inherited,
    mutated,
    rows_from_map,
)
from pixelreef.sprites.breed.place import aligned, placed
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.completion import Given, colours_of
from pixelreef.sprites.config import Config
from pixelreef.sprites.parts.labeller import Labeller
from pixelreef.sprites.sample import EVERY, Sample, Sampler, Told, Wanted

GENERATOR = "pixelreef-breed-3"
_TOLD = 200  # characters of what a parent's lineage tells, as of a name


@dataclass(frozen=True, eq=False)
class Child:
    """What was bred."""

    drawn: Sample
    map: Map
    """(height, width): DRAWN, FIRST, SECOND."""
    lineage: Mapping[str, Any]
    ground: int

    def shares(self) -> dict[str, float]:
        """Of the pixels that are not ground, by where they come from."""
        of = self.map[self.drawn.cells != self.ground]
        counts = np.bincount(of, minlength=3) / max(1, len(of))
        return {"from_a": float(counts[FIRST]), "from_b": float(counts[SECOND]), "drawn": float(counts[DRAWN])}

    def sprite(self, sampler: Sampler, name: str = "") -> Sprite:
        """With its lineage."""
        return Sprite(sampler.weights.palette, (Frame(Grid(self.drawn.cells)),), name, self.lineage)


@dataclass(frozen=True)
class Cross:
    """How children are asked for."""

    kind: Kind = Kind.halves
    mutate: float = 0.0
    """The share of inherited pixels of bodies that is drawn anew."""
    cell: Told | None = None
    """What children are told to be; None: as the parent that gives more."""
    align: bool = True
    sampling: Sampling | None = None
    mask: Map | None = None
    """(height, width), for the kind `mask`."""
    new_colours: bool = False
    """Whether what is drawn may have colours that no parent has."""

    def __post_init__(self) -> None:
        if not 0 <= self.mutate <= 1:
            raise InputError("--mutate", "be from 0 to 1", self.mutate)


@dataclass(frozen=True)
class _Pair:
    """Two sprites, and both on the model's canvas."""

    a: Sprite
    b: Sprite
    first: Parent
    second: Parent


@dataclass(frozen=True, eq=False)
class Planned:
    """A child before it is drawn; what is drawn does not change what is known of it."""

    wanted: Wanted
    map: Map
    lineage: Mapping[str, Any]

    def sprite(self, cells: Cells, palette: Palette) -> Sprite:
        """With its lineage, when it is drawn."""
        return Sprite(palette, (Frame(Grid(cells)),), child_name(self.lineage), self.lineage)


class Breeder:
    """A model that is asked for children."""

    def __init__(self, sampler: Sampler, labeller: Labeller | None = None) -> None:
        self.sampler, self.labeller = sampler, labeller

    def children(self, a: Sprite, b: Sprite, cross: Cross, n: int = 8, seed: int = 0) -> list[Child]:
        """Children 0 to n of two sprites and a seed; each is the same however many are asked for."""
        return self._drawn(self.planned(a, b, cross, n, seed), cross, seed)

    def one_of_each(self, pairs: Sequence[tuple[Sprite, Sprite]], cross: Cross, seed: int = 0) -> list[Child]:
        """A child of each of many pairs, drawn together; its number is its place."""
        placed = [_Pair(a, b, *self.parents(a, b, cross.align)) for a, b in pairs]
        plans = [self._plan(pair, number, cross, seed) for number, pair in enumerate(placed)]
        return self._drawn(plans, cross, seed)

    def planned(self, a: Sprite, b: Sprite, cross: Cross, n: int = 8, seed: int = 0) -> list[Planned]:
        """The same children, for somebody else to draw: `sampler.task([one.wanted for one in planned], seed)`."""
        pair = _Pair(a, b, *self.parents(a, b, cross.align))
        return [self._plan(pair, number, cross, seed) for number in range(n)]

    def _plan(self, pair: _Pair, number: int, cross: Cross, seed: int) -> Planned:
        found = self._map(pair, cross, rng(seed, "breed", cross.kind, number))
        config = self.sampler.config
        from_whom = [pair.second] if cross.kind == Kind.silhouette else [pair.first, pair.second]
        colours = None if cross.new_colours else colours_of((one.cells for one in from_whom), config)
        begun = cross.kind == Kind.prefix and not cross.mutate
        given = Given(_codes(pair, found, cross.kind, config), colours, begun)
        wanted = Wanted(self._told(pair, cross, found), number, given)
        return Planned(wanted, found, self._lineage(pair, cross, seed, wanted, found))

    def _drawn(self, plans: Sequence[Planned], cross: Cross, seed: int) -> list[Child]:
        samples = self.sampler.draw([one.wanted for one in plans], seed, cross.sampling)
        ground = self.sampler.config.ground
        return [Child(sample, one.map, one.lineage, ground) for sample, one in zip(samples, plans, strict=True)]

    def parents(self, a: Sprite, b: Sprite, align: bool = True) -> tuple[Parent, Parent]:
        """Both on the model's canvas, the second over the first."""
        first, second = self.parent(a), self.parent(b)
        return first, aligned(second, first) if align else second

    def parent(self, sprite: Sprite, parts: bool = True) -> Parent:
        """A sprite on the model's canvas, with its parts where they are sure and asked for."""
        config, weights = self.sampler.config, self.sampler.weights
        own = sprite_in_palette(sprite, weights.palette).grid.cells
        cells = placed(own, config.height, config.width, config.ground)
        labels = None
        if self.labeller is not None and parts:
            found = self.labeller.label(cells, weights.palette, cell_of(sprite, self.sampler) or {})
            labels = None if found.unsure else found.labels
        return Parent(cells, config.ground, labels)

    def _map(self, pair: _Pair, cross: Cross, random: np.random.Generator) -> Map:
        patch = self.sampler.config.patch
        found = inherited(cross.kind, pair.first, pair.second, random, cross.mask, patch)
        return mutated(found, pair.first, pair.second, cross.mutate, random) if cross.mutate else found

    def _told(self, pair: _Pair, cross: Cross, found: Map) -> dict[str, str]:
        if cross.cell is not None:
            return self.sampler.factors_from(cross.cell)
        of_first = int((pair.first.filled & (found == FIRST)).sum())
        of_second = int((pair.second.filled & (found == SECOND)).sum())
        prefers_second = cross.kind in (Kind.prefix, Kind.silhouette) or of_second > of_first
        ordered = (pair.b, pair.a) if prefers_second else (pair.a, pair.b)
        return next((cell for one in ordered if (cell := cell_of(one, self.sampler)) is not None), {})

    def _lineage(self, pair: _Pair, cross: Cross, seed: int, wanted: Wanted, found: Map) -> dict[str, Any]:
        return {
            "by": GENERATOR,
            "kind": str(cross.kind),
            "seed": seed,
            "number": wanted.number,
            "cell": self.sampler.name_of(wanted.factors),
            "mutate": cross.mutate,
            "new_colours": cross.new_colours,
            "sampling": (cross.sampling or Sampling()).document(),
            "parents": [_parentage(one) for one in (pair.a, pair.b)],
            "inheritance": rows_from_map(found),
        }


def child_name(lineage: Mapping[str, Any]) -> str:
    """By its kind and number.

    >>> child_name({"kind": "halves", "number": 3})
    'halves-0003'
    """
    return f"{lineage['kind']}-{lineage['number']:04d}"


def cell_of(sprite: Sprite, sampler: Sampler) -> dict[str, str] | None:
    """The factors that a sprite's lineage tells, where the model knows them."""
    cell = sprite.lineage.get("cell")
    if not isinstance(cell, str) or cell == EVERY:
        return None
    try:
        return sampler.factors_from(cell)
    except InputError:
        return None


def _codes(pair: _Pair, found: Map, kind: Kind, config: Config) -> NDArray[np.int64]:
    """What is known before drawing. Drawn spots inside a body stay filled, so that a child has no holes."""
    a, b = pair.first, pair.second
    merged = np.select([found == FIRST, found == SECOND], [a.cells, b.cells], config.unknown).astype(np.int64)
    if kind == Kind.silhouette:
        body = a.filled
    else:
        both = a.filled & b.filled
        body = both & ~grown(~both, 1)
    return np.where((found == DRAWN) & body & (kind != Kind.prefix), config.filled, merged)


def _parentage(sprite: Sprite) -> dict[str, Any]:
    """Enough to know a parent again, without its own forebears, and without whatever else a document may hold there."""
    content = hashlib.sha256(sprite.grid.cells.tobytes() + sprite.palette.rgb.tobytes()).hexdigest()
    told = {name: sprite.lineage.get(name) for name in ("by", "cell", "seed", "number", "kind")}
    kept = {name: value for name, value in told.items() if isinstance(value, str | int) and len(str(value)) <= _TOLD}
    return {"name": sprite.name, "hash": content, **kept}
