"""A mate for a sprite: of many that the model draws, the one that suits it best.

    mate = mate_for(breeder, sprite, seed=0)
    mate.sprite, mate.suits

Parents suit one another as far as their bodies cover the same pixels in the same colours once they lie over one
another. Children of any two sprites of a cell are chimeras, half crab and half sea star; those of parents that suit
are sprites of the cell as plain samples are (`experiments/breeding.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pixelreef.core.seeds import derive
from pixelreef.core.sprite import Sprite
from pixelreef.sprites.breed.cross import Breeder, cell_of
from pixelreef.sprites.breed.inherit import Parent
from pixelreef.sprites.breed.place import aligned
from pixelreef.sprites.sample import Sampler, Told, Wanted
from pixelreef.sprites.write import Order, sprite_from_sample

CANDIDATES = 128


@dataclass(frozen=True)
class Mate:
    """The best that was found."""

    sprite: Sprite
    suits: float


def suits(a: Parent, b: Parent) -> float:
    """From 0 to 1: of the pixels of either, the share that both cover and the share in one colour, halfway between."""
    laid = aligned(b, a)
    either, both = a.filled | laid.filled, a.filled & laid.filled
    alike = both & (a.cells == laid.cells)
    return float((both.sum() + alike.sum()) / (2 * max(1, int(either.sum()))))


def mate_for(breeder: Breeder, sprite: Sprite, seed: int = 0, cell: Told | None = None, parts: bool = False) -> Mate:
    """Of the model's own sprites of a cell, the sprite's unless another is told, the one that suits best.

    With `parts` of those whose parts are sure, where there are any.
    """
    sampler = breeder.sampler
    factors = (cell_of(sprite, sampler) or {}) if cell is None else sampler.factors_from(cell)
    found = [(one, breeder.parent(one, parts)) for one in candidates(sampler, factors, seed)]
    sure = [one for one in found if one[1].labels is not None]
    return best_mate(breeder.parent(sprite, parts=False), sure or found)


def candidates(sampler: Sampler, factors: Mapping[str, str], seed: int) -> Iterator[Sprite]:
    """Those that a mate is found among."""
    order = Order(sampler.weights, derive(seed, "mate") >> 1)  # seeds have 63 bits; no sprite is to meet itself
    for one in sampler.draw([Wanted(factors, number) for number in range(CANDIDATES)], order.seed, order.sampling):
        yield sprite_from_sample(one, order, f"mate-{one.number:04d}")


def best_mate(parent: Parent, found: Iterable[tuple[Sprite, Parent]]) -> Mate:
    """The one that suits best; of equals the first. A twin is taken only where there are none but twins."""
    return max((Mate(sprite, suits(parent, own)) for sprite, own in found), key=lambda one: (one.suits < 1, one.suits))
