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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.errors import GridError, InputError

Cells = NDArray[np.uint8]
Bits = NDArray[np.bool_]
Distances = NDArray[np.float32]
Indices = NDArray[np.intp]

# At or below this, two sprites are near-copies. A pixel that changes from one opaque colour to another turns at most
# its four edges, so with 5 % of n opaque pixels changed at most 0.2 n facts turn, of a union of at least n: the
# distance is at most 0.2, whatever the sprite. (A pixel made transparent turns up to five facts: at most 0.25, but 0.1
# on real tiles.) From the other side: of 2.4 million pairs of a real tile and one of another category turned upside
# down, which are alike only by accident, none is nearer than 0.27. docs/metrics.md has the table.
NEAR_COPY = 0.2

_BANDS = 25  # large parts of a picture whose facts are counted to tell what can't be near
_PAIRS = 4096  # pairs compared one by one at once: 2 × 1.6 MB for 32×32 sprites, which stays in the cache

BLOCK = 1024  # rows compared at once: 32×32 sprites then take 2 × 13 MB as numbers, and 2 × 4 MB for the answer


@dataclass(frozen=True)
class Signatures:
    """The facts of N sprites of one size, eight to a byte.

    Facts come in mirrored pairs: `left` holds the one, `right` in the same place the other, and `middle` those that are
    their own mirror image (the middle column). `facts` counts those that are true of each sprite.
    """

    left: Cells  # (N, ⌈pairs / 8⌉)
    right: Cells  # (N, ⌈pairs / 8⌉)
    middle: Cells  # (N, ⌈middle / 8⌉)
    facts: NDArray[np.int32]  # (N,)
    size: tuple[int, int]  # (width, height)
    has_transparent: bool

    def __len__(self) -> int:
        return len(self.facts)

    @classmethod
    def joined(cls, parts: Sequence[Signatures]) -> Signatures:
        """One after the other; all of one size, and with a transparent colour or all without."""
        for part in parts:
            _check_alike(parts[0], part)
        columns = ([getattr(part, name) for part in parts] for name in ("left", "right", "middle", "facts"))
        left, right, middle, facts = (np.concatenate(column) for column in columns)
        return cls(left, right, middle, facts, parts[0].size, parts[0].has_transparent)

    def __getitem__(self, chosen: slice | Indices) -> Signatures:
        return Signatures(
            self.left[chosen],
            self.right[chosen],
            self.middle[chosen],
            self.facts[chosen],
            self.size,
            self.has_transparent,
        )


def signatures(batch: Cells, transparent: int | None) -> Signatures:
    """The facts of each grid of a batch (N, H, W), of which one index may be transparent.

    >>> arrow = np.array([[[0, 1, 2], [1, 1, 1]]], np.uint8)
    >>> signatures(arrow, transparent=0).facts.tolist()  # 5 opaque, 5 differ sideways, 7 up and down
    [17]
    """
    if batch.ndim != 3 or batch.dtype != np.uint8 or (len(batch) > 0 and batch.size == 0):
        raise GridError("batch", "be a (N, H, W) array of uint8", (batch.shape, str(batch.dtype)))
    parts = [_packed(batch[start : start + BLOCK], transparent) for start in range(0, max(len(batch), 1), BLOCK)]
    left, right, middle, facts = (np.concatenate(column) for column in zip(*parts, strict=True))
    size = (batch.shape[2], batch.shape[1])
    return Signatures(left, right, middle, facts.astype(np.int32), size, transparent is not None)


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


def groups(
    sprites: Signatures,
    threshold: float = NEAR_COPY,
    block: int = BLOCK,
    progress: Callable[[int, int], None] | None = None,
) -> Indices:
    """(N,): a group number for each sprite, from 0 in order of appearance; near-copies share it.

    Whoever is within the threshold of any member belongs, so two members at the ends of a chain of near-copies may be
    further apart than the threshold. That is what a split into training and test needs: no near-copy crosses it.
    `progress` hears how many sprites have been compared with all that can be near them, and of how many.

    >>> groups(signatures(np.array([[[1, 2]], [[1, 0]], [[0, 3]]], np.uint8), 0)).tolist()
    [0, 1, 1]
    """
    labels, distinct = _merged_twins(sprites)
    order = distinct[np.argsort(sprites.facts[distinct], kind="stable")]
    ordered = sprites[order]
    words = [_words(bits) for bits in (ordered.left, ordered.right, ordered.middle)]
    for i, j in _possible_pairs(ordered, threshold, block):
        apart = labels[order[i]] != labels[order[j]]  # what is one group already need not be compared
        i, j = i[apart], j[apart]
        near = _pair_distances(words, ordered.facts, i, j) <= threshold
        labels = _joined(labels, order[i[near]], order[j[near]])
        if progress and len(i):
            progress(int(i[0]), len(order))
    return np.unique(labels, return_inverse=True)[1].astype(np.intp)


def _merged_twins(sprites: Signatures) -> tuple[Indices, Indices]:
    """The first sprite with the same facts, mirrored or not, for each sprite; and those that are their own first."""
    first: dict[bytes, int] = {}
    labels = np.arange(len(sprites))
    for place, (left, right, middle) in enumerate(zip(sprites.left, sprites.right, sprites.middle, strict=True)):
        halves = sorted((left.tobytes(), right.tobytes()))
        labels[place] = first.setdefault(b"".join([*halves, middle.tobytes()]), place)
    return labels, np.flatnonzero(labels == np.arange(len(sprites)))


def _possible_pairs(sprites: Signatures, threshold: float, block: int) -> Iterator[tuple[Indices, Indices]]:
    """All pairs i < j that may be within the threshold, few that are not, of sprites sorted by their facts.

    Two bounds, both exact. |A ∩ B| ≤ |A| and |A ∪ B| ≥ |B|, so the distance is at least 1 − |A| / |B|: only a window of
    the sorted sprites can be near. And in any part of the picture that is its own mirror image, |A xor B| is at least
    the difference of the two counts: summed over such parts that bounds the distance from below. First with a few large
    parts for all pairs of the window, then with many small ones for those that are left.
    """
    from scipy.spatial.distance import cdist

    counts = _mirrored_counts(sprites)
    coarse, fine = (_banded(counts, max(1, counts.shape[1] // _BANDS)).astype(np.float64), _banded(counts, 2))
    facts = sprites.facts
    reach = threshold + 1e-6  # the comparison that decides is rounded to 24 bits
    # |A ∪ B| is (|A| + |B| + |A xor B|) / 2, so |A xor B| ≤ reach · |A ∪ B| is |A xor B| ≤ share · (|A| + |B|).
    share = reach / (2 - reach)
    for top in range(0, len(sprites), block):
        rows = slice(top, top + block)
        end = int(np.searchsorted(facts * (1 - reach), facts[rows][-1], side="right"))
        for start in range(top, end, block):
            columns = slice(start, min(start + block, end))
            least = cdist(coarse[rows], coarse[columns], "cityblock")
            i, j = np.nonzero(least <= share * (facts[rows, None] + facts[None, columns]))
            i, j = i + top, j + start
            i, j = i[i < j], j[i < j]
            possible = _pair_gaps(fine, i, j) <= share * (facts[i] + facts[j])
            yield i[possible], j[possible]


def _mirrored_counts(sprites: Signatures) -> Cells:
    """(N, bytes): the facts that are true in each byte's place together with its mirror image, at most 16."""
    pairs = np.bitwise_count(sprites.left) + np.bitwise_count(sprites.right)
    return np.concatenate([pairs, np.bitwise_count(sprites.middle)], axis=1)


def _banded(counts: Cells, width: int) -> NDArray[np.uint16]:
    return np.add.reduceat(counts, np.arange(0, counts.shape[1], width), axis=1, dtype=np.uint16)


def _pair_gaps(counts: NDArray[np.uint16], i: Indices, j: Indices) -> NDArray[np.int64]:
    """(len(i),): the sum of the differences between the counts of each sprite i and the j in the same place."""
    found = np.empty(len(i), np.int64)
    for start in range(0, len(i), _PAIRS):
        some = slice(start, start + _PAIRS)
        a, b = counts[i[some]], counts[j[some]]
        gaps = np.maximum(a, b)
        gaps -= np.minimum(a, b)
        found[some] = np.einsum("nk->n", gaps, dtype=np.int64)
    return found


def _words(bits: Cells) -> NDArray[np.uint64]:
    """The same bits, 64 to a number, filled up with zeros."""
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return np.ascontiguousarray(padded).view(np.uint64)


def _pair_distances(words: list[NDArray[np.uint64]], facts: NDArray[np.int32], i: Indices, j: Indices) -> Distances:
    """(len(i),): the distance of each sprite i to the sprite j in the same place."""
    found = np.empty(len(i), np.float32)
    for start in range(0, len(i), _PAIRS):
        some = slice(start, start + _PAIRS)
        left_a, right_a, middle_a = (part[i[some]] for part in words)
        left_b, right_b, middle_b = (part[j[some]] for part in words)
        same = _differing(left_a, left_b) + _differing(right_a, right_b)
        turned = _differing(left_a, right_b) + _differing(right_a, left_b)
        apart = np.minimum(same, turned) + _differing(middle_a, middle_b)
        union = (facts[i[some]] + facts[j[some]] + apart) // 2  # the sum is even
        found[some] = apart.astype(np.float32) / np.maximum(union, 1).astype(np.float32)
    return found


def _differing(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.int32]:
    return np.asarray(np.bitwise_count(a ^ b).sum(axis=1, dtype=np.int32))


def _joined(labels: Indices, a: Indices, b: Indices) -> Indices:
    """The labels after joining each of `a` with its partner in `b`; a group is known by its first member."""
    if not len(a):
        return labels
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(labels)
    ends = np.concatenate([a, np.arange(count)]), np.concatenate([b, labels])
    graph = coo_array((np.ones(len(ends[0]), np.bool_), ends), shape=(count, count))
    _, joined = connected_components(graph, directed=False)
    _, first, places = np.unique(joined, return_index=True, return_inverse=True)
    return np.asarray(first[places])


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
    _check_alike(a, b)
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


def _check_alike(a: Signatures, b: Signatures) -> None:
    if (a.size, a.has_transparent) != (b.size, b.has_transparent):
        raise InputError(
            "sprites",
            "have one size, and both a transparent colour or neither",
            [(a.size, a.has_transparent), (b.size, b.has_transparent)],
        )


def _numbers(sprites: Signatures) -> tuple[Distances, Distances]:
    """Sums and differences of the mirrored pairs, as numbers to multiply; a middle fact enters the sums twice."""
    left, right, middle = (np.unpackbits(bits, axis=1) for bits in (sprites.left, sprites.right, sprites.middle))
    same = np.concatenate([left + right, middle, middle], axis=1, dtype=np.float32)
    turned = left.astype(np.float32)
    turned -= right
    return same, turned


def _packed(batch: Cells, transparent: int | None) -> tuple[Cells, Cells, Cells, Indices]:
    planes = _facts(batch, transparent)
    halves = [plane.shape[2] // 2 for plane in planes]
    left = [plane[:, :, :half] for plane, half in zip(planes, halves, strict=True)]
    right = [plane[:, :, ::-1][:, :, :half] for plane, half in zip(planes, halves, strict=True)]
    middle = [plane[:, :, half : plane.shape[2] - half] for plane, half in zip(planes, halves, strict=True)]
    packed = [np.packbits(_rows(part), axis=1) for part in (left, right, middle)]
    return packed[0], packed[1], packed[2], _rows(planes).sum(axis=1)


def _facts(batch: Cells, transparent: int | None) -> list[Bits]:
    """Planes of bits (N, h, w), each of which mirrors with the picture."""
    if transparent is None:
        return [batch[:, :, 1:] != batch[:, :, :-1], batch[:, 1:] != batch[:, :-1]]
    wide = np.pad(batch, ((0, 0), (1, 1), (1, 1)), constant_values=transparent)
    inner = slice(1, -1)
    return [
        batch != transparent,
        wide[:, inner, 1:] != wide[:, inner, :-1],
        wide[:, 1:, inner] != wide[:, :-1, inner],
    ]


def _rows(planes: list[Bits]) -> Bits:
    return np.concatenate([plane.reshape(len(plane), plane.shape[1] * plane.shape[2]) for plane in planes], axis=1)
