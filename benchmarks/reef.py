"""How fast the reef is drawn, with its parts, on one core.

    python benchmarks/reef.py

Prints one JSON line: sprites of 32×32 a second over all thirty cells (best of five), the same per category, and how
many plain additions of two 40×40 arrays one sprite costs: a measure that does not depend on the machine's mood.
"""

from __future__ import annotations

import json
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from pixelreef.corpus.cells import CATEGORIES, ZONES
from pixelreef.corpus.reef.make import make_reef

PER_CELL = 10
ADDITIONS = 2000


def sprite_seconds(category: str) -> float:
    """Of one sprite, over the five zones."""
    cells = [f"{category}/{zone}" for zone in ZONES]
    start = perf_counter()
    made = sum(1 for _ in make_reef(0, PER_CELL, cells=cells))
    return (perf_counter() - start) / made


def addition_seconds() -> float:
    """Of one addition on an array of a canvas' size."""
    a = np.ones((40, 40), np.float32)
    start = perf_counter()
    for _ in range(ADDITIONS):
        np.add(a, a)
    return (perf_counter() - start) / ADDITIONS


def measured(times: int = 5) -> tuple[dict[str, float], float]:
    """Seconds of a sprite by category, and of an addition: the best of several rounds each."""
    rounds = [({one: sprite_seconds(one) for one in CATEGORIES}, addition_seconds()) for _ in range(times)]
    sprites = {one: min(found[one] for found, _ in rounds) for one in CATEGORIES}
    return sprites, min(addition for _, addition in rounds)


def main() -> None:
    with threadpool_limits(1):
        sprites, addition = measured()
    mean = sum(sprites.values()) / len(sprites)
    print(
        json.dumps(
            {
                "benchmark": "reef",
                "sprites_per_second": round(1 / mean),
                "by_category": {one: round(1 / seconds) for one, seconds in sprites.items()},
                "additions_per_sprite": round(mean / addition),
            }
        )
    )


if __name__ == "__main__":
    main()
