"""Groups that must stay together, and the split into train, validation and test that keeps them so.

Both are decided by what the sprites are, by their hashes, never by their order: the same sprites in other files, or in
another order, land in the same split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import derive
from pixelreef.corpus.mix.roll import Line
from pixelreef.errors import InputError

SPLITS = ("train", "validation", "test")
Places = NDArray[np.intp]


def shares_from_text(text: str) -> tuple[float, float, float]:
    """
    >>> shares_from_text("80/10/10")
    (0.8, 0.1, 0.1)
    """
    try:
        parts = [float(part) for part in text.split("/")]
    except ValueError:
        parts = []
    if len(parts) != 3 or not all(np.isfinite(parts)) or min(parts) < 0 or sum(parts) <= 0:
        raise InputError("--split", "be three shares for train, validation and test, as in 80/10/10", text)
    train, validation, test = (part / sum(parts) for part in parts)
    return train, validation, test


def joined_groups(lines: Sequence[Line], near: Places) -> list[str]:
    """The group of each sprite: near-copies, and what its source calls one group, and whoever these join.

    `near` (N,) numbers the near-copies. A group is known by the smallest hash in it.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    named: dict[tuple[str, str], int] = {}
    count = len(lines)
    start = count + (int(near.max()) + 1 if count else 0)  # sprites, then near-copies, then named groups
    ends = [
        (place, start + named.setdefault((line.source, line.group), len(named)))
        for place, line in enumerate(lines)
        if line.group
    ]
    pairs = np.array([*enumerate((near + count).tolist()), *ends], np.intp).reshape(-1, 2)
    size = start + len(named)
    graph = coo_array((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    _, labels = connected_components(graph, directed=False)
    smallest: dict[int, str] = {}
    for line, label in zip(lines, labels[:count].tolist(), strict=True):
        smallest[label] = min(line.hash, smallest.get(label, line.hash))
    return [smallest[label] for label in labels[:count].tolist()]


def split_of(
    groups: Sequence[str], cells: Sequence[str], shares: tuple[float, float, float], seed: int
) -> dict[str, str]:
    """Group → split, such that every cell, and the whole, comes as near to the shares as the groups allow.

    Cell after cell (a group is of its commonest one), the groups are dealt, larger ones first and equal ones by chance,
    each to the split that lacks most of its share in this cell; of equals, to the one that lacks most in the whole.
    """
    size = Counter(groups)
    by_cell: dict[str, dict[str, int]] = {}
    for group, cell in zip(groups, cells, strict=True):
        by_cell.setdefault(group, Counter())[cell] += 1
    dealt: dict[str, list[str]] = {}
    for group, counts in by_cell.items():
        dealt.setdefault(min(counts, key=lambda cell: (-counts[cell], cell)), []).append(group)
    lacking = [0.0, 0.0, 0.0]
    found = {}
    for cell in sorted(dealt):
        order = sorted(dealt[cell], key=lambda group: (-size[group], derive(seed, "split", group)))
        total = sum(size[group] for group in order)
        here = [share * total for share in shares]
        lacking = [before + more for before, more in zip(lacking, here, strict=True)]
        for group in order:
            place = _lacking_most(shares, here, lacking)
            here[place] -= size[group]
            lacking[place] -= size[group]
            found[group] = SPLITS[place]
    return found


def _lacking_most(shares: Sequence[float], here: Sequence[float], whole: Sequence[float]) -> int:
    """The split that lacks most in the cell, then in the whole; rounded, so that equals are equal however added up."""
    return max(range(3), key=lambda one: (shares[one] > 0, round(here[one], 6), round(whole[one], 6), -one))
