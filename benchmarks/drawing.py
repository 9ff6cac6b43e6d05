"""Scores of drawings: the published formulas in batch against plain Python, and the whole profile, in one run.

    python benchmarks/drawing.py

Prints two JSON lines: drawings of 24×24 per second of one core's own time, and for the published formulas their ratio
to a plain-Python transcription, which must give the same figures.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pixelreef.metrics.profile import MEASURES, METRICS_VERSION, score
from pixelreef.metrics.published import published_batch

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from metrics.published_plain import plain_figures

PLAIN, MANY = 100, 1024


def drawings(count: int, seed: int = 0) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.intp]]:
    """Random patches with a tenth of the cells changed: about as many edges as a drawn sprite has."""
    g = np.random.default_rng(seed)
    colours = g.integers(2, 11, count)
    patches = g.integers(0, 255, (count, 8, 8)).repeat(3, axis=1).repeat(3, axis=2)
    changed = np.where(g.random(patches.shape) < 0.1, g.integers(0, 255, patches.shape), patches)
    cells = (changed % colours[:, None, None]).astype(np.uint8)
    return cells, g.integers(0, 256, (count, 10, 3), dtype=np.uint8), colours.astype(np.intp)


def fastest(run: Callable[[], object], times: int) -> float:
    found = []
    for _ in range(times):
        start = process_time()
        run()
        found.append(process_time() - start)
    return min(found)


def main() -> None:
    cells, rgb, colours = drawings(MANY)
    lists, lengths = cells[:PLAIN].tolist(), colours[:PLAIN].tolist()
    cost = np.full(MANY, 0.01)
    with threadpool_limits(1):
        plain = PLAIN / fastest(
            lambda: [plain_figures(g, n, True, 0.01) for g, n in zip(lists, lengths, strict=True)], 5
        )
        batched = MANY / fastest(lambda: published_batch(cells, colours, True, cost), 25)
        whole = MANY / fastest(lambda: score(cells, rgb, colours), 25)
    ours = published_batch(cells, colours, True, cost)
    for index in range(PLAIN):
        for name, value in plain_figures(lists[index], lengths[index], True, 0.01).items():
            assert value is not None
            assert math.isclose(value, ours[name][index], rel_tol=1e-12, abs_tol=1e-12), (name, index)
    published = {"batched_per_s": round(batched), "plain_per_s": round(plain), "ratio": round(batched / plain, 1)}
    profile = {"measures": len(MEASURES), "version": METRICS_VERSION, "batched_per_s": round(whole)}
    print(json.dumps({"benchmark": "drawing: published", **published}))
    print(json.dumps({"benchmark": "drawing: profile", **profile, "ratio_to_plain_published": round(whole / plain, 1)}))


if __name__ == "__main__":
    main()
