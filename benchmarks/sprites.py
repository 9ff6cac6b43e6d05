"""The engine against the `raster` baseline through eager torch with its cache: many sprites, and one.

    python benchmarks/sprites.py [WEIGHTS] [--batch N] [--guidance G]

Without weights, the shipped ones; where there are none, random ones. Seconds are of processor time with one thread, the
best of several rounds in turn, so that ratios hold on a busy machine; `two_threads_per_second` is by the clock. Prints
one JSON line:

    batch, single            ours and raster's, with their ratio; `guided` the same with guidance in both
    share_of_limit           the bare products of all matrices in a batch, against all that drawing takes
    busy                     the share of patches that are not empty: nothing more is asked for the others
    cold_start_s             `pixelreef sprites sample --n 16` from the start of the process to files, by the clock
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from sprite_models import perturbed, weights

from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.errors import FileError
from pixelreef.sprites.choose import Sampling, uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Engine, Grids, Task
from pixelreef.sprites.raster import Raster
from pixelreef.sprites.weights import Weights, weights_from, write_weights


def the_weights(path: Path | None) -> tuple[Weights, str]:
    try:
        return weights_from(path), str(path or "shipped")
    except FileError:
        if path is not None:
            raise
    return weights(perturbed(Config(factors=REEF_FACTORS))), "random"


def task(config: Config, count: int) -> Task:
    sizes = [len(values) for values in config.factors.values()]
    factors = np.array([[number % size for size in sizes] for number in range(count)], np.intp)
    return Task(factors.reshape(count, len(sizes)), *uniforms(0, np.arange(count), config))


def seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def best(rounds: int, **works: Callable[[], object]) -> dict[str, float]:
    """The least processor time of each, taken in turn."""
    found = [{name: seconds(work) for name, work in works.items()} for _ in range(rounds)]
    return {name: min(one[name] for one in found) for name in works}


def busy_rows(grids: Grids, config: Config) -> list[int]:
    """How many sprites have something in each patch."""
    side = config.patch
    cut = grids.reshape(len(grids), config.rows, side, config.columns, side)
    return np.asarray((cut != config.ground).any(axis=(2, 4)).sum(axis=0)).ravel().tolist()


def products(engine: Engine, count: int, busy: list[int]) -> Callable[[], None]:
    """All products of a batch and nothing else: trunk for all, pixels where patches are not empty."""
    config, model = engine.config, engine.model
    random = np.random.default_rng(0)
    sight = engine._sight(engine._plan(task(config, 1)), task(config, 1))
    wide = max(4 * config.trunk_width, config.pixel_hidden, *(len(one) for one in sight.matrices))
    rows = random.standard_normal((count, wide), np.float32)

    def times(matrix: Any, some: int) -> None:
        np.matmul(rows[:some, : len(matrix)], matrix)

    def run() -> None:
        for some in busy:
            for layer in model.trunk.layers:
                for matrix in (layer.qkv, layer.mixed, layer.block.up, layer.block.down):
                    times(matrix, count)
            for window in sight.matrices if some else ():
                times(window, some)
                for block in model.pixels.blocks:
                    times(block.up, some)
                    times(block.down, some)
                times(model.pixels.out, some)

    return run


def against_raster(engine: Engine, raster: Raster, batch: int, sampling: Sampling) -> dict[str, Any]:
    many, one = task(engine.config, batch), task(engine.config, 1)
    ours = best(3, batch=lambda: engine.draw(many, sampling), single=lambda: engine.draw(one, sampling))
    theirs = best(1, batch=lambda: raster.draw(many, sampling), single=lambda: raster.draw(one, sampling))
    return {
        "batch_per_second": {"ours": round(batch / ours["batch"], 1), "raster": round(batch / theirs["batch"], 2)},
        "single_ms": {"ours": round(1000 * ours["single"], 1), "raster": round(1000 * theirs["single"])},
        "ratios": {name: round(theirs[name] / ours[name], 1) for name in ours},
    }


def two_threads(kept: Weights, count: int = 256) -> float:
    """Sprites a second by the clock."""
    engine = Engine(kept.config, kept.arrays, threads=2)
    asked = task(kept.config, count)
    engine.draw(task(kept.config, 32))
    started = time.perf_counter()
    engine.draw(asked)
    return count / (time.perf_counter() - started)


def cold_start(kept: Weights) -> float:
    with tempfile.TemporaryDirectory() as folder:
        file = write_weights(Path(folder, "w.safetensors"), kept)
        first = "/".join(values[0] for values in kept.config.factors.values()) or "all"
        asked = ["sprites", "sample", "--cell", first, "--n", "16", "--out", f"{folder}/d", "--weights", str(file)]
        found = []
        for _ in range(3):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-m", "pixelreef", *asked], check=True, capture_output=True)
            found.append(time.perf_counter() - started)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("weights", type=Path, nargs="?")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--guidance", type=float, default=2.0)
    given = parser.parse_args()
    kept, name = the_weights(given.weights)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    engine = Engine(kept.config, kept.arrays, threads=1)
    sizes = replace(kept.config, ramps=None, trunk_width=200, trunk_layers=6, heads=5)  # 2.9 M, as in its recipe
    raster = Raster(sizes).eval()
    figures: dict[str, Any] = {"benchmark": "sprites: engine against raster", "weights": name, "batch": given.batch}
    with threadpool_limits(1):
        asked = task(kept.config, given.batch)
        busy = busy_rows(engine.draw(asked), kept.config)
        figures["busy"] = round(sum(busy) / given.batch / len(busy), 3)
        turn = best(4, limit=products(engine, given.batch, busy), draw=lambda: engine.draw(asked))
        figures["share_of_limit"] = round(turn["limit"] / turn["draw"], 2)
        figures["plain"] = against_raster(engine, raster, given.batch, Sampling())
        figures["guided"] = against_raster(engine, raster, given.batch, Sampling(guidance=given.guidance))
    figures["two_threads_per_second"] = round(two_threads(kept), 1)
    figures["cold_start_s"] = round(cold_start(kept), 2)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
