"""The colour code shuffled: the same classes and the same colours, given to one another anew.

A model that has seen a data set's usual colours may paint from memory. Under a shuffle no class has the colour that it
had, so memory misleads and only the code in the prompt helps; each shuffle is a condition of its own on the board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes

MAX_SHUFFLES = 20
SIGN = "~"  # between an entrant's name and its condition


@dataclass(frozen=True)
class Condition:
    """A colour code: the data set's own (number 0) or a shuffle of it."""

    number: int
    classes: Classes

    @property
    def name(self) -> str:
        """`plain`, or `shuffle-1` and so on."""
        return f"shuffle-{self.number}" if self.number else "plain"

    @property
    def task(self) -> str:
        """The name of its task in logs."""
        return f"masks-{self.name}" if self.number else "masks"

    def entrant(self, name: str) -> str:
        """The name on the board of an entrant under this condition.

        >>> from pixelreef.masks.datasets import dataset
        >>> one = dataset("suim").classes
        >>> Condition(0, one).entrant("google/x"), Condition(2, one).entrant("google/x")
        ('google/x', 'google/x~shuffle-2')
        """
        return f"{name}{SIGN}{self.name}" if self.number else name


def conditions(classes: Classes, shuffles: int, seed: int) -> tuple[Condition, ...]:
    """The plain code, and so many shuffles of it."""
    if not 0 <= shuffles <= MAX_SHUFFLES:
        raise InputError("--shuffle", f"be from 0 to {MAX_SHUFFLES}", shuffles)
    return tuple(Condition(number, shuffled(classes, seed, number)) for number in range(shuffles + 1))


def shuffled(classes: Classes, seed: int, number: int) -> Classes:
    """Shuffle `number` of a seed: no scored class keeps its colour. Number 0 is the code as it is.

    >>> from pixelreef.masks.datasets import dataset
    >>> own = dataset("suim").classes
    >>> other = shuffled(own, 0, 1)
    >>> sorted(map(tuple, own.rgb.tolist())) == sorted(map(tuple, other.rgb.tolist()))
    True
    >>> (own.rgb == other.rgb).all(axis=1).any()
    np.False_
    """
    if number == 0:
        return classes
    count = len(classes)
    if count < 2:
        raise InputError("--shuffle", "be used with two classes or more", count)
    random = rng(seed, "masks", "shuffle", number)
    places = random.permutation(count)
    while (places == np.arange(count)).any():  # about 1 in e permutations leaves none in its place
        places = random.permutation(count)
    given = {one.name: classes.scored[place].colour for one, place in zip(classes.scored, places, strict=True)}
    return replace(
        classes, classes=tuple(replace(one, colour=given.get(one.name, one.colour)) for one in classes.classes)
    )
