"""Nearest sprites by matrix products against a plain XOR of packed facts, in one run.

    python benchmarks/likeness.py

Prints one JSON line: seconds of each on 200 × 2,000 sprites of 32×32, both on one core, their ratio (above 1: the
products are faster), and seconds for 2,000 × 20,000 on one core and on all. Both must give the same answer.

Then the groups of 4,000 striped ovals, with bounds first, against products for every pair, on one core, and seconds for
the groups of 20,000.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from threadpoolctl import threadpool_limits

from pixelreef.metrics.likeness import NEAR_COPY, Signatures, distances, groups, nearest, signatures

Answer = tuple[NDArray[np.intp], NDArray[np.float32]]


def sprites(count: int, seed: int) -> NDArray[np.uint8]:
    """Random patches of 4×4 pixels, a third of them transparent: as many facts as a drawn sprite has."""
    patches = np.random.default_rng(seed).integers(0, 6, (count, 8, 8), dtype=np.uint8)
    return np.where(patches < 2, 0, patches).astype(np.uint8).repeat(4, axis=1).repeat(4, axis=2)


def nearest_by_xor(a: Signatures, b: Signatures) -> Answer:
    """|A ∪ B| − |A ∩ B| is the number of bits in A xor B; one sprite of `a` at a time."""
    straight = np.concatenate([b.left, b.right, b.middle], axis=1)
    mirrored = np.concatenate([b.right, b.left, b.middle], axis=1)
    ours = np.concatenate([a.left, a.right, a.middle], axis=1)
    index, best = np.zeros(len(a), np.intp), np.zeros(len(a), np.float32)
    for row, bits in enumerate(ours):
        apart = np.minimum(
            *(np.bitwise_count(bits ^ other).sum(axis=1, dtype=np.int32) for other in (straight, mirrored))
        )
        union = (a.facts[row] + b.facts + apart) / 2
        near = apart / np.maximum(union, 1)
        index[row], best[row] = near.argmin(), near.min()
    return index, best


def ovals(count: int, seed: int) -> NDArray[np.uint8]:
    """Ovals of any place, size and lean, with bands of three colours across: as unlike as creatures of one kind."""
    g = np.random.default_rng(seed)
    y, x = np.mgrid[:32, :32].reshape(2, 1, 32, 32) - 15.5
    cy, cx, lean, phase = (g.uniform(low, high, (count, 1, 1)) for low, high in ((-3, 3), (-3, 3), (-0.5, 0.5), (0, 9)))
    tall, wide = g.uniform(5, 14, (2, count, 1, 1))
    x, y = x - cx, y - cy - lean * (x - cx)
    bands = 1 + ((x + phase) // g.integers(3, 7, (count, 1, 1))) % 3
    return np.where((y / tall) ** 2 + (x / wide) ** 2 < 1, bands, 0).astype(np.uint8)


def groups_of_every_pair(sprites: Signatures) -> NDArray[np.intp]:
    """The whole table first, row by row, and then its connected parts."""
    near = np.concatenate(
        [distances(sprites[top : top + 512], sprites) <= NEAR_COPY for top in range(0, len(sprites), 512)]
    )
    _, labels = connected_components(csr_array(near), directed=False)
    order = {label: place for place, label in enumerate(dict.fromkeys(labels.tolist()))}
    return np.array([order[label] for label in labels.tolist()], np.intp)


def seconds(run: Callable[[], Any], times: int) -> tuple[float, Any]:
    """The fastest of several runs, and the answer."""
    found = []
    for _ in range(times):
        start = perf_counter()
        answer = run()
        found.append(perf_counter() - start)
    return min(found), answer


def main() -> None:
    a, b = signatures(sprites(200, 0), 0), signatures(sprites(2000, 1), 0)
    large = signatures(sprites(2000, 2), 0), signatures(sprites(20_000, 3), 0)
    with threadpool_limits(1):
        products, ours = seconds(lambda: nearest(a, b), 5)
        xor, theirs = seconds(lambda: nearest_by_xor(a, b), 5)
        one_core, _ = seconds(lambda: nearest(*large), 1)
        few, many = signatures(ovals(4000, 4), 0), signatures(ovals(20_000, 5), 0)
        bounded, grouped = seconds(lambda: groups(few), 3)
        every, expected = seconds(lambda: groups_of_every_pair(few), 1)
        large_groups, _ = seconds(lambda: groups(many), 1)
    np.testing.assert_allclose(ours[1], theirs[1], atol=1e-6)
    np.testing.assert_array_equal(grouped, expected)
    all_cores, _ = seconds(lambda: nearest(*large), 1)
    print(
        json.dumps(
            {
                "benchmark": "likeness",
                "products_200x2000_s": round(products, 4),
                "xor_200x2000_s": round(xor, 4),
                "ratio": round(xor / products, 2),
                "products_2000x20000_one_core_s": round(one_core, 2),
                "products_2000x20000_all_cores_s": round(all_cores, 2),
                "groups_4000_s": round(bounded, 2),
                "every_pair_4000_s": round(every, 2),
                "groups_ratio": round(every / bounded, 2),
                "groups_20000_one_core_s": round(large_groups, 2),
            }
        )
    )


if __name__ == "__main__":
    main()
