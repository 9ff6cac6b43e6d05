"""Inheritance: which pixel of a child comes from which parent, and which are drawn anew.

    Kind.halves      either side of a line
    Kind.parts       some kinds of parts of one, the others of the other
    Kind.checker     squares in turn
    Kind.prefix      the first rows of one, all the rest drawn: the completion of a prefix
    Kind.silhouette  the shape of one, filled with the other
    Kind.mask        as a drawn map says

Where pixels of both parents meet, a seam is left open. What is ground in both stays ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.parts import PART_INDEX
from pixelreef.errors import InputError

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
Map = NDArray[np.uint8]
DRAWN, FIRST, SECOND = range(3)
SIGNS = "*AB"  # of a map as text
SEAM = 2  # pixels on either side, and what is near enough to a body to be part of the seam
SQUARE = 8  # pixels along a side of the checker

_GROUPS = (
    ("head", "eye", "left eye", "right eye", "mouth", "gill", "light organ"),
    ("fin", "left fin", "right fin", "tail", "limb", "left limb", "right limb", "tentacle", "spine", "branch", "polyp"),
    ("body", "belly", "shell", "pattern", "organ", "base", "none"),
)  # front, outside, trunk


class Kind(StrEnum):
    """Of masks."""

    halves = "halves"
    parts = "parts"
    checker = "checker"
    prefix = "prefix"
    silhouette = "silhouette"
    mask = "mask"


@dataclass(frozen=True, eq=False)
class Parent:
    """A sprite to inherit from, on the model's canvas and in its palette."""

    cells: Cells
    """(height, width)."""
    ground: int
    labels: NDArray[np.uint8] | None = None
    """(height, width) parts, where they are known and sure."""

    @property
    def filled(self) -> Bits:
        """Where there is anything."""
        return np.asarray(self.cells != self.ground)


def inherited(
    kind: Kind, a: Parent, b: Parent, random: np.random.Generator, mask: Map | None = None, patch: int = 1
) -> Map:
    """(height, width) of DRAWN, FIRST and SECOND; so is `mask`, for the kind of that name.

    A prefix ends where a row of patches does, `patch` pixels high.
    """
    if kind == Kind.prefix:
        return _prefix(a, random, patch)
    if kind == Kind.silhouette:
        return _silhouette(a, b)
    if kind == Kind.parts:
        return _parts(a, b, random)
    if kind == Kind.mask:
        return seamed(_drawn(mask, a), a, b)
    first = _line(a, b, random) if kind == Kind.halves else _checker(a, random)
    return seamed(map_from_bits(first), a, b, 1 if kind == Kind.checker else SEAM)


def map_from_bits(first: Bits) -> Map:
    """All from the first parent or from the second."""
    return np.where(first, FIRST, SECOND).astype(np.uint8)


def seamed(found: Map, a: Parent, b: Parent, width: int = SEAM) -> Map:
    """With the seam between the parents open, where a body of either is near."""
    first, second = found == FIRST, found == SECOND
    seam = grown(first, width) & grown(second, width)
    body = (first & a.filled) | (second & b.filled) | (found == DRAWN)
    return np.where(seam & grown(body, width), DRAWN, found).astype(np.uint8)


def grown(bits: Bits, steps: int) -> Bits:
    """With all within so many steps along rows and columns."""
    for _ in range(steps):
        padded = np.pad(bits, 1)
        bits = bits | padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
    return bits


def mutated(found: Map, a: Parent, b: Parent, share: float, random: np.random.Generator) -> Map:
    """With spots drawn anew that cover about this share of what was inherited of bodies."""
    body = ((found == FIRST) & a.filled) | ((found == SECOND) & b.filled)
    wanted, spots = share * int(body.sum()), np.zeros(found.shape, np.bool_)
    places = np.argwhere(body)
    for row, column in random.permutation(places) if len(places) else ():
        if (spots & body).sum() >= wanted:
            break
        size = int(random.integers(1, 4))
        spots[row : row + size, column : column + size] = True
    return np.where(spots & body, DRAWN, found).astype(np.uint8)


def rows_from_map(found: Map) -> list[str]:
    """As text, one row for each of the picture: A and B for parents, * for what was drawn."""
    return ["".join(SIGNS[place] for place in row) for row in found]


def map_from_rows(rows: Sequence[str], what: str = "mask") -> Map:
    """From such text; `what` names it in errors.

    >>> map_from_rows(["AB", "*A"]).tolist()
    [[1, 2], [0, 1]]
    """
    if odd := sorted(set("".join(rows)) - set(SIGNS)):
        raise InputError(what, "be rows of A, B and *", odd[0])
    if len({len(row) for row in rows}) != 1:
        raise InputError(what, "have rows of one length", "others" if rows else "none", verbatim=True)
    return np.array([[SIGNS.index(sign) for sign in row] for row in rows], np.uint8)


def _drawn(mask: Map | None, a: Parent) -> Map:
    height, width = a.cells.shape
    if mask is None or mask.shape != a.cells.shape:
        size = "none" if mask is None else f"{mask.shape[1]} × {mask.shape[0]}"
        raise InputError("--mask", f"be {width} × {height} pixels", size, verbatim=True)
    return mask


def _line(a: Parent, b: Parent, random: np.random.Generator) -> Bits:
    """On one side of a line through the middle of both, upright, level or aslant."""
    rows, columns = np.nonzero(a.filled | b.filled)
    middle = (rows.min() + rows.max()) / 2 if len(rows) else 0, (columns.min() + columns.max()) / 2 if len(rows) else 0
    angle = np.pi / 4 * int(random.integers(8)) + random.normal() * 0.1
    y, x = np.mgrid[: a.cells.shape[0], : a.cells.shape[1]]
    return np.asarray(np.cos(angle) * (x - middle[1]) + np.sin(angle) * (y - middle[0]) + random.uniform(-1, 1) < 0)


def _checker(a: Parent, random: np.random.Generator) -> Bits:
    y, x = np.mgrid[: a.cells.shape[0], : a.cells.shape[1]]
    shift = random.integers(SQUARE, size=2)
    return np.asarray(((y + shift[0]) // SQUARE + (x + shift[1]) // SQUARE) % 2 == 0)


def _prefix(a: Parent, random: np.random.Generator, patch: int) -> Map:
    """Down to somewhere around the middle third of the body."""
    rows = np.flatnonzero(a.filled.any(axis=1))
    top, bottom = (rows[0], rows[-1] + 1) if len(rows) else (0, len(a.cells))
    stop = top + (bottom - top) * float(random.uniform(0.35, 0.65))
    stop = patch * max(round(stop / patch), int(top) // patch + 1)
    found = np.full(a.cells.shape, DRAWN, np.uint8)
    found[:stop] = FIRST
    return found


def _silhouette(a: Parent, b: Parent) -> Map:
    """The ground of one; inside, what the other has there, but for the edges of both."""
    inside = ~grown(~a.filled, 1) & ~grown(~b.filled, 1)
    return np.where(a.filled, np.where(inside, SECOND, DRAWN), FIRST).astype(np.uint8)


def _parts(a: Parent, b: Parent, random: np.random.Generator) -> Map:
    if a.labels is None or b.labels is None:
        todo = "Take another kind of mask."
        raise InputError("--by parts", "be asked of parents whose parts are sure", "an unsure one", todo, verbatim=True)
    of_first = int(random.integers(1, 2 ** len(_GROUPS) - 1))
    kinds = [PART_INDEX[name] for place, group in enumerate(_GROUPS) if of_first >> place & 1 for name in group]
    first = a.filled & np.isin(a.labels, kinds)
    second = b.filled & ~np.isin(b.labels, kinds) & ~first
    nothing = ~a.filled & ~b.filled
    found = np.select([first | nothing, second], [FIRST, SECOND], DRAWN)
    return np.where(grown(first, SEAM) & grown(second, SEAM), DRAWN, found).astype(np.uint8)
