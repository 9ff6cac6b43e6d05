"""All 350 features of a batch against parts, holes and clusters alone, sprite by sprite with scipy, in one run.

    python benchmarks/features.py

Prints one JSON line: sprites of 32×32 per second of CPU time of each, on one core, their ratio (above 1: ours, which
does far more, is faster), and the time of each family. Both must find the same parts, holes and clusters.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from threadpoolctl import threadpool_limits

from pixelreef.core import Palette
from pixelreef.metrics.features import ALL, features

COUNT = 4000
GREYS = Palette.from_hex(["000000", "222222", "777777", "cccccc"], transparent=0)
CORNERS = np.ones((3, 3), int)


def ovals(count: int, seed: int) -> NDArray[np.uint8]:
    """Ovals of any place, size and lean, with bands of three colours across, and a few holes."""
    g = np.random.default_rng(seed)
    y, x = np.mgrid[:32, :32].reshape(2, 1, 32, 32) - 15.5
    lean, phase = g.uniform(-0.5, 0.5, (count, 1, 1)), g.uniform(0, 9, (count, 1, 1))
    tall, wide = g.uniform(5, 14, (2, count, 1, 1))
    oval = ((y - lean * x) / tall) ** 2 + (x / wide) ** 2 < 1
    bands = 1 + ((x + phase) // g.integers(3, 7, (count, 1, 1))) % 3
    return np.where(oval & (g.random((count, 32, 32)) > 0.02), bands, 0).astype(np.uint8)


def plain(batch: NDArray[np.uint8]) -> NDArray[np.float64]:
    """(N, 3): parts, holes and clusters of each sprite."""
    found = []
    for cells in batch:
        mask = np.pad(cells > 0, 1)
        clusters = sum(ndimage.label(cells == colour)[1] for colour in (1, 2, 3))
        found.append((ndimage.label(mask, CORNERS)[1], ndimage.label(~mask)[1] - 1, clusters))
    return np.array(found, float)


def seconds(run: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The fastest of several runs, and the answer."""
    found = []
    for _ in range(times):
        start = process_time()
        answer = run()
        found.append(process_time() - start)
    return min(found), answer


def main() -> None:
    batch = ovals(COUNT, 0)
    with threadpool_limits(1):
        ours, found = seconds(lambda: features(batch, GREYS))
        theirs, expected = seconds(lambda: plain(batch), 1)
        by_family = {family: seconds(partial(features, batch, GREYS, [family]))[0] for family in ALL}
    counted = [found.names.index(name) for name in ("silhouette.parts", "silhouette.holes", "texture.clusters")]
    np.testing.assert_allclose(found.values[:, counted], np.log2(1 + expected), atol=1e-5)
    print(
        json.dumps(
            {
                "benchmark": "features",
                "sprites_per_s": round(COUNT / ours),
                "plain_sprites_per_s": round(COUNT / theirs),
                "ratio": round(theirs / ours, 2),
                "seconds_of_each_family": {family: round(time, 3) for family, time in by_family.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
