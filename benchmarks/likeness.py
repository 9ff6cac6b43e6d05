"""Nearest sprites by matrix products against a plain XOR of packed facts, in one run.

    python benchmarks/likeness.py

Prints one JSON line: seconds of each on 200 × 2,000 sprites of 32×32, both on one core, their ratio (above 1: the
products are faster), and seconds for 2,000 × 20,000 on one core and on all. Both must give the same answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pixelreef.metrics.likeness import Signatures, nearest, signatures

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


def seconds(run: Callable[[], Answer], times: int) -> tuple[float, Answer]:
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
    np.testing.assert_allclose(ours[1], theirs[1], atol=1e-6)
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
            }
        )
    )


if __name__ == "__main__":
    main()
