"""How alike two sprites are, whatever their colours and whichever way they face: one distance, one threshold.

Every room that asks 'is this a near-copy?' asks here. What is compared is the set of *facts* that are true of a sprite:

    this pixel is opaque
    this pixel differs from its right neighbour
    this pixel differs from its lower neighbour

The distance is Jaccard's, 1 − |A ∩ B| / |A ∪ B|: the share of all facts true of either that are not true of both. Of B
and B mirrored left to right the nearer one counts. It is symmetric, keeps the triangle inequality, is 0 for a copy,
however recoloured or mirrored, and 0 between two blank sprites.

Where there is a transparent colour, outside the picture is transparent too, so that a border of empty pixels around
both sprites changes nothing. Where there is none, every pixel is opaque: that says nothing, and only the neighbours
inside the picture are compared; two grids of one colour each are then alike. Edges alone are few, so a changed pixel
weighs more and the threshold finds fewer altered copies (docs/metrics.md): where a grid has a background, declare it
transparent.

What it does not see: the colours themselves; whether two regions that do not touch share a colour; a sprite moved,
turned or scaled. A recolouring must keep different colours different: one that merges two neighbouring colours removes
edges, and one that makes a colour transparent removes pixels, and both count as changes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pixelreef.errors import InputError
from pixelreef.metrics.near_copies import NEAR_COPY, groups, keepers
from pixelreef.metrics.signatures import BLOCK, Distances, Indices, Signatures, check_alike, signatures

__all__ = ["NEAR_COPY", "Signatures", "distances", "groups", "keepers", "nearest", "nearest_other", "signatures"]


def distances(a: Signatures, b: Signatures, block: int = BLOCK) -> Distances:
    """(len(a), len(b)): the distance of every sprite of `a` to every sprite of `b`.

    Range: 0 to 1. Direction: lower is more alike. Empty: blank to blank is 0, blank to anything else is 1.

    >>> fish = np.array([[[0, 1, 1], [2, 2, 2]]], np.uint8)
    >>> recoloured_and_mirrored = np.array([[[5, 5, 0], [9, 9, 9]]], np.uint8)
    >>> distances(signatures(fish, 0), signatures(recoloured_and_mirrored, 0)).tolist()
    [[0.0]]
    """
    found = np.empty((len(a), len(b)), np.float32)
    for rows, columns, near in _blocks(a, b, block):
        found[rows, columns] = near
    return found


def nearest(a: Signatures, b: Signatures, block: int = BLOCK) -> tuple[Indices, Distances]:
    """For every sprite of `a`, the index of the nearest of `b` (the first of several) and its distance.

    >>> corpus = signatures(np.array([[[1, 2]], [[1, 0]]], np.uint8), 0)
    >>> index, distance = nearest(signatures(np.array([[[0, 7]]], np.uint8), 0), corpus)
    >>> index.tolist(), distance.tolist()
    ([1], [0.0])
    """
    if len(b) == 0 and len(a) > 0:
        raise InputError("sprites to compare with", "be at least one", 0)
    return _nearest(a, b, block, skip_self=False)


def nearest_other(sprites: Signatures, block: int = BLOCK) -> tuple[Indices, Distances]:
    """`nearest` within one set: for every sprite the nearest that is not itself (an exact copy of it may be).

    >>> nearest_other(signatures(np.array([[[1, 2]], [[1, 0]], [[0, 3]]], np.uint8), 0))[0].tolist()
    [1, 2, 1]
    """
    if len(sprites) == 1:
        raise InputError("sprites to compare among", "be at least two", 1)
    return _nearest(sprites, sprites, block, skip_self=True)


def _nearest(a: Signatures, b: Signatures, block: int, *, skip_self: bool) -> tuple[Indices, Distances]:
    index = np.zeros(len(a), np.intp)
    best = np.full(len(a), np.inf, np.float32)
    for rows, columns, near in _blocks(a, b, block):
        if skip_self and rows == columns:
            np.fill_diagonal(near, np.inf)
        place = near.argmin(axis=1)
        distance = near[np.arange(len(near)), place]
        nearer = distance < best[rows]  # strictly, so that the first of several stays
        index[rows] = np.where(nearer, place + columns.start, index[rows])
        best[rows] = np.where(nearer, distance, best[rows])
    return index, best


def _blocks(a: Signatures, b: Signatures, block: int) -> Iterator[tuple[slice, slice, Distances]]:
    """Block after block of the table of distances."""
    check_alike(a, b)
    for top in range(0, len(a), block):
        rows = slice(top, top + block)
        same_a, turned_a = _numbers(a[rows])
        for start in range(0, len(b), block):
            columns = slice(start, start + block)
            same_b, turned_b = _numbers(b[columns])
            # (l + r)(l' + r') ± (l − r)(l' − r') is 2(ll' + rr') and 2(lr' + rl'): the facts shared with the sprite and
            # with its mirror image, twice. Two products over pairs cost half of two over all facts.
            shared = same_a @ same_b.T
            shared += np.abs(turned_a @ turned_b.T)
            shared *= 0.5
            union = (a.facts[rows, None] + b.facts[None, columns]).astype(np.float32)
            union -= shared
            # Whole numbers below 2²⁴ are exact in float32, so a copy is at 0 and not near it; 1 stands in for 0/0.
            near = union - shared
            near /= np.maximum(union, 1)
            yield rows, columns, near


def _numbers(sprites: Signatures) -> tuple[Distances, Distances]:
    """Sums and differences of the mirrored pairs, as numbers to multiply; a middle fact enters the sums twice."""
    left, right, middle = (np.unpackbits(bits, axis=1) for bits in (sprites.left, sprites.right, sprites.middle))
    same = np.concatenate([left + right, middle, middle], axis=1, dtype=np.float32)
    turned = left.astype(np.float32)
    turned -= right
    return same, turned
