"""A kind of held-out subject, and the words and looks that kinds share.

A kind makes a *specification*, plain JSON data, from a stream of chance. Text, check and reference are all made from
the specification alone, and the check tests only what the text asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import perm
from typing import Any

import numpy as np

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.subject import Check
from pixelreef.draw.vision.colours import NAMES

Specification = dict[str, Any]
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_PLURALS = {"cross": "crosses"}


@dataclass(frozen=True)
class Kind:
    """How one kind of held-out subject is made, told, checked and drawn."""

    name: str
    category: str
    distinct: int
    """How many specifications mean different pictures."""
    share: int
    """How often it comes up within its category, against the others there."""
    make: Callable[[np.random.Generator], Specification]
    text: Callable[[Specification], str]
    colours: Callable[[Specification], Sequence[str]]
    """The colour names that the text mentions."""
    problem: Callable[[Specification, Scene], str]
    """What of the text is not in a drawing, as a plain sentence; empty when all of it is."""
    paint: Callable[[Specification, np.random.Generator], Canvas]
    fills: bool = False
    """Whether the picture is filled to its edges, so that moving it makes another picture."""
    sided: bool = False
    """Whether left and right matter, so that mirroring it makes another picture."""

    def check(self, specification: Specification, drawing: Drawing) -> Check:
        """The verdict on a drawing."""
        problem = self.problem(specification, Scene(drawing, self.colours(specification)))
        return Check(not problem, problem or f"everything asked of the {self.name} is there")

    def reference(self, specification: Specification, random: np.random.Generator) -> Drawing:
        """A correct drawing, laid out by chance."""
        return self.paint(specification, random).drawing(random)


def some(random: np.random.Generator, count: int, names: Sequence[str] = NAMES) -> list[str]:
    """So many different names."""
    return [names[index] for index in random.permutation(len(names))[:count].tolist()]


def a_colour_each(random: np.random.Generator, parts: Sequence[str]) -> Specification:
    """Part → colour name, no colour twice."""
    return dict(zip(parts, some(random, len(parts)), strict=True))


def arrangements(count: int) -> int:
    """In how many ways so many things can have different colour names."""
    return perm(len(NAMES), count)


def one_of(random: np.random.Generator, values: Sequence[Any], weights: Sequence[int] | None = None) -> Any:
    """One of the values."""
    if weights is None:
        return values[int(random.integers(len(values)))]
    return values[int(random.choice(len(values), p=np.array(weights) / sum(weights)))]


def number(count: int) -> str:
    """A count in words."""
    return _NUMBERS[count]


def article(word: str) -> str:
    """The word after 'a' or 'an'.

    >>> article("orange square")
    'an orange square'
    """
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def several(count: int, colour: str, thing: str) -> str:
    """A count of things of a colour.

    >>> several(1, "orange", "cross"), several(3, "red", "cross")
    ('an orange cross', 'three red crosses')
    """
    if count == 1:
        return article(f"{colour} {thing}")
    return f"{number(count)} {colour} {_PLURALS.get(thing, thing + 's')}"


def listed(words: Sequence[str]) -> str:
    """Words with commas between them."""
    return ", ".join(words)
