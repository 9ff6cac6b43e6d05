"""Near-copies among many sprites: which belong together, and which to keep, without comparing every pair.

Most pairs are ruled out by bounds that are cheap and exact: no pair within the threshold is missed. One is on the
number of facts: |A ∩ B| ≤ |A| and |A ∪ B| ≥ |B|, so the distance is at least 1 − |A| / |B|. The other is on parts of
the picture: in any part that is its own mirror image, |A xor B| is at least the difference of the two counts, and their
sum over all parts bounds the distance from below. A few large parts first, then many small ones for what is left.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pixelreef.metrics.signatures import BLOCK, Cells, Distances, Indices, Signatures

# At or below this, two sprites are near-copies. A pixel that changes from one opaque colour to another turns at most
# its four edges, so with 5 % of n opaque pixels changed at most 0.2 n facts turn, of a union of at least n: the
# distance is at most 0.2, whatever the sprite. (A pixel made transparent turns up to five facts: at most 0.25, but 0.1
# on real tiles.) From the other side: of 2.4 million pairs of a real tile and one of another category turned upside
# down, which are alike only by accident, none is nearer than 0.27. docs/metrics.md has the table.
NEAR_COPY = 0.2

_BANDS = 25  # large parts of a picture whose facts are counted to tell what can't be near
_PAIRS = 4096  # pairs compared one by one at once: 2 × 1.6 MB for 32×32 sprites, which stays in the cache

Progress = Callable[[int, int], None]


def groups(
    sprites: Signatures, threshold: float = NEAR_COPY, block: int = BLOCK, progress: Progress | None = None
) -> Indices:
    """(N,): a group number for each sprite, from 0 in order of appearance; near-copies share it.

    Whoever is within the threshold of any member belongs, so two members at the ends of a chain of near-copies may be
    further apart than the threshold. That is what a split into training and test needs: no near-copy crosses it.
    `progress` hears how many sprites have been compared with all that can be near them, and of how many.

    >>> from pixelreef.metrics.signatures import signatures
    >>> groups(signatures(np.array([[[1, 2]], [[1, 0]], [[0, 3]]], np.uint8), 0)).tolist()
    [0, 1, 1]
    """
    labels = _twins(sprites)
    single = np.flatnonzero(labels == np.arange(len(sprites)))
    order = single[np.argsort(sprites.facts[single], kind="stable")]
    bounds = _Bounds(sprites[order], threshold)
    for top in range(0, len(order), block):
        rows = np.arange(top, min(top + block, len(order)))
        for start in range(top, bounds.reach_of(int(rows[-1])), block):
            columns = np.arange(start, min(start + block, len(order)))
            i, j = bounds.possible(rows, columns)
            open_still = (i < j) & (labels[order[i]] != labels[order[j]])  # one group already: need not be compared
            i, j = bounds.near(i[open_still], j[open_still])
            labels = _joined(labels, order[i], order[j])
        if progress:
            progress(int(rows[-1]) + 1, len(order))
    return np.unique(labels, return_inverse=True)[1].astype(np.intp)


def keepers(sprites: Signatures, threshold: float = NEAR_COPY, block: int = BLOCK) -> Indices:
    """(N,): for each sprite the one that stays in its stead: itself, or the first that stays and is a near-copy of it.

    Taken in order, a sprite stays unless it is a near-copy of one before it that stays. So no two that stay are
    near-copies, and each that goes has a near-copy that stays, which `groups` does not promise: of a long chain of
    near-copies, several stay.

    >>> from pixelreef.metrics.signatures import signatures
    >>> bars = np.array([[[1] * n + [0] * (20 - n)] for n in (10, 11, 12, 14)], np.uint8)
    >>> keepers(signatures(bars, 0)).tolist()
    [0, 0, 2, 2]
    """
    twins = _twins(sprites)
    keeper = np.arange(len(sprites))
    single = np.flatnonzero(twins == keeper)
    bounds = _Bounds(sprites[single], threshold)
    stay = np.zeros(0, np.intp)
    for top in range(0, len(single), block):
        rows = np.arange(top, min(top + block, len(single)))
        found = np.full(len(single), len(single))  # the place of the first near-copy that stays
        for start in range(0, len(stay), block):
            i, j = bounds.near(*bounds.possible(rows, stay[start : start + block]))
            np.minimum.at(found, i, j)
        left = rows[found[rows] == len(single)]
        i, j = bounds.near(*bounds.possible(left, left))
        for later, earlier in zip(i[i > j].tolist(), j[i > j].tolist(), strict=True):  # row by row, each in order
            if found[earlier] == len(single):
                found[later] = min(earlier, found[later])
        gone = rows[found[rows] < len(single)]
        keeper[single[gone]] = single[found[gone]]
        stay = np.concatenate([stay, rows[found[rows] == len(single)]])
    return np.asarray(keeper[twins])


class _Bounds:
    """What tells which pairs of some sprites may be near, and then which are."""

    def __init__(self, sprites: Signatures, threshold: float) -> None:
        counts = _mirrored_counts(sprites)
        self.coarse = _banded(counts, max(1, counts.shape[1] // _BANDS)).astype(np.float64)
        self.fine = _banded(counts, 2).astype(np.uint8)  # at most 32
        self.words = [_words(bits) for bits in (sprites.left, sprites.right, sprites.middle)]
        self.facts = sprites.facts
        self.threshold = threshold
        self.reach = threshold + 1e-6  # the comparison that decides is rounded to 24 bits
        # |A ∪ B| is (|A| + |B| + |A xor B|) / 2, so |A xor B| ≤ reach · |A ∪ B| is |A xor B| ≤ share · (|A| + |B|).
        self.share = self.reach / (2 - self.reach)

    def reach_of(self, place: int) -> int:
        """Where the sprites end that can be near the one in this place, of sprites sorted by their facts."""
        return int(np.searchsorted(self.facts * (1 - self.reach), self.facts[place], side="right"))

    def possible(self, rows: Indices, columns: Indices) -> tuple[Indices, Indices]:
        """All pairs of one of `rows` and one of `columns` that may be within the threshold, few that are not."""
        from scipy.spatial.distance import cdist

        least = cdist(self.coarse[rows], self.coarse[columns], "cityblock")
        i, j = np.nonzero(least <= self.share * (self.facts[rows, None] + self.facts[None, columns]))
        i, j = rows[i], columns[j]
        kept = self._gaps(i, j) <= self.share * (self.facts[i] + self.facts[j])
        return i[kept], j[kept]

    def near(self, i: Indices, j: Indices) -> tuple[Indices, Indices]:
        """Those of the pairs that are within the threshold."""
        near = self._distances(i, j) <= self.threshold
        return i[near], j[near]

    def _gaps(self, i: Indices, j: Indices) -> NDArray[np.int64]:
        """(len(i),): the sum of the differences between the counts of each sprite i and the j in the same place."""
        found = np.empty(len(i), np.int64)
        for start in range(0, len(i), _PAIRS):
            some = slice(start, start + _PAIRS)
            a, b = self.fine[i[some]], self.fine[j[some]]
            gaps = np.maximum(a, b)
            gaps -= np.minimum(a, b)
            found[some] = np.einsum("nk->n", gaps, dtype=np.int64)
        return found

    def _distances(self, i: Indices, j: Indices) -> Distances:
        """(len(i),): the distance of each sprite i to the j in the same place."""
        found = np.empty(len(i), np.float32)
        for start in range(0, len(i), _PAIRS):
            some = slice(start, start + _PAIRS)
            left_a, right_a, middle_a = (part[i[some]] for part in self.words)
            left_b, right_b, middle_b = (part[j[some]] for part in self.words)
            same = _differing(left_a, left_b) + _differing(right_a, right_b)
            turned = _differing(left_a, right_b) + _differing(right_a, left_b)
            apart = np.minimum(same, turned) + _differing(middle_a, middle_b)
            union = (self.facts[i[some]] + self.facts[j[some]] + apart) // 2  # the sum is even
            found[some] = apart.astype(np.float32) / np.maximum(union, 1).astype(np.float32)
        return found


def _twins(sprites: Signatures) -> Indices:
    """(N,): the first sprite that has the same facts, mirrored or not."""
    first: dict[bytes, int] = {}
    found = np.arange(len(sprites))
    for place, (left, right, middle) in enumerate(zip(sprites.left, sprites.right, sprites.middle, strict=True)):
        halves = sorted((left.tobytes(), right.tobytes()))
        found[place] = first.setdefault(b"".join([*halves, middle.tobytes()]), place)
    return found


def _mirrored_counts(sprites: Signatures) -> Cells:
    """(N, bytes): the facts that are true in each byte's place together with its mirror image, at most 16."""
    pairs = np.bitwise_count(sprites.left) + np.bitwise_count(sprites.right)
    return np.concatenate([pairs, np.bitwise_count(sprites.middle)], axis=1)


def _banded(counts: Cells, width: int) -> NDArray[np.uint32]:
    """(N, bands): the counts of so many bytes together."""
    return np.add.reduceat(counts, np.arange(0, counts.shape[1], width), axis=1, dtype=np.uint32)


def _words(bits: Cells) -> NDArray[np.uint64]:
    """The same bits, 64 to a number, filled up with zeros."""
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))
    return np.ascontiguousarray(padded).view(np.uint64)


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
