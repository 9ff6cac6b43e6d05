"""Shading sprites of 32×32, in a batch and one by one, against the usual way to normals alone: a distance transform.

Seconds are of processor time with one thread, the best of several rounds in turn, so that ratios hold on a busy
machine. The reference, `scipy.ndimage.distance_transform_edt` and a gradient of it for each sprite, gives no light yet.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np
from scipy.ndimage import distance_transform_edt

from pixelreef.core import reef_palette
from pixelreef.corpus.reef.make import make_reef
from pixelreef.sprites.shade import Light, flattened, shade

ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    entries = list(make_reef(seed=0, per_cell=20))
    cells = np.stack([entry.cells for entry in entries])
    parts = np.stack([entry.parts for entry in entries if entry.parts is not None])
    palette, light = reef_palette(), Light()
    ways: dict[str, Callable[[], object]] = {
        "batch": lambda: shade(cells, palette, light),
        "with_parts": lambda: shade(cells, palette, light, parts),
        "one_by_one": lambda: [shade(one, palette, light) for one in cells],
        "flattened_first": lambda: shade(flattened(cells, palette), palette, light),
        "distance_transform": lambda: [np.gradient(distance_transform_edt(one)) for one in cells > 0],
    }
    best = dict.fromkeys(ways, np.inf)
    for _ in range(ROUNDS):
        for name, work in ways.items():
            best[name] = min(best[name], seconds(work))
    figures = {
        "benchmark": f"shade {len(cells)} sprites of 32×32",
        "per_second": {name: round(len(cells) / took) for name, took in best.items()},
        "ratio_distance_transform_over_batch": round(best["distance_transform"] / best["batch"], 2),
    }
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
