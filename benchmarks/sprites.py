"""The engine against the `raster` baseline through eager torch with its cache: many sprites, and one.

    python benchmarks/sprites.py [WEIGHTS] [--batch N]

Without weights, the shipped ones; where there are none, random ones. Seconds are of processor time with one thread, the
best of several rounds in turn, so that ratios hold on a busy machine; `two_threads_per_second` is by the clock. Prints
one JSON line:

    usual                    with the default settings, guidance among them, in both: many sprites and one, ours and
                             raster's, with their ratio; `plain` the same without guidance
    share_of_limit           the bare products of all matrices in a batch, against drawing it without guidance
    busy, filled             the shares of patches that are not empty, and of pixels that are not ground
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
from pixelreef.sprites.choose import PLAIN, Sampling, uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.cut import patches_from_grid
from pixelreef.sprites.engine import Engine, Grids, Task
from pixelreef.sprites.model import Painter
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


def products(engine: Engine, grids: Grids) -> Callable[[], None]:
    """All products of a batch that came to be these sprites, and nothing else."""
    config, shape, colours = engine.config, engine.model.shape, engine.model.colours
    cut = patches_from_grid(grids != config.ground, config)
    mixed = np.asarray(cut.any(axis=2) & ~cut.all(axis=2))
    counts = np.sort(cut.any(axis=2).sum(axis=1))[::-1]
    filled = [cut[:, patch].sum(axis=0).tolist() for patch in range(config.patches)]
    random = np.random.default_rng(0)
    wide = max(len(one.window) for one in (shape, colours)) + 4 * config.trunk_width + 4 * config.shape_width
    rows = random.standard_normal((len(grids), wide), np.float32)

    def times(matrix: Any, some: int) -> None:
        np.matmul(rows[:some, : len(matrix)], matrix)

    def trunk(painter: Painter, some: int) -> None:
        for layer in painter.trunk.layers:
            for matrix in (layer.qkv, layer.mixed, layer.block.up, layer.block.down):
                times(matrix, some)

    def inside(painter: Painter, some: int) -> None:
        times(painter.window, some)
        for block in painter.blocks:
            times(block.up, some)
            times(block.down, some)
        times(painter.out, some)

    def run() -> None:
        for patch in range(config.patches):
            trunk(shape, len(grids))
            for _ in range(config.patch):
                inside(shape, int(mixed[:, patch].sum()))
            for some in filled[patch]:
                inside(colours, some)
        for step in range(int(counts[0])):
            trunk(colours, int((counts > step).sum()))

    return run


def against_raster(engine: Engine, raster: Raster, batch: int, sampling: Sampling) -> dict[str, Any]:
    many, one = task(engine.config, batch), task(engine.config, 1)
    engine.draw(one, sampling)
    single = best(5, ours=lambda: engine.draw(one, sampling), raster=lambda: raster.draw(one, sampling))
    batches = best(3, ours=lambda: engine.draw(many, sampling))
    batches |= best(1, raster=lambda: raster.draw(many, sampling))
    return {
        "batch_per_second": {name: round(batch / taken, 2) for name, taken in batches.items()},
        "single_ms": {name: round(1000 * taken, 1) for name, taken in single.items()},
        "ratios": {
            "batch": round(batches["raster"] / batches["ours"], 1),
            "single": round(single["raster"] / single["ours"], 1),
        },
    }


def two_threads(kept: Weights, count: int = 256) -> float:
    """Sprites a second by the clock, without guidance."""
    engine = Engine(kept.config, kept.arrays, threads=2)
    asked = task(kept.config, count)
    engine.draw(task(kept.config, 32), PLAIN)
    started = time.perf_counter()
    engine.draw(asked, PLAIN)
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
        drawn = engine.draw(asked, PLAIN)
        filled = patches_from_grid(drawn != kept.config.ground, kept.config)
        figures |= {"busy": round(float(filled.any(axis=2).mean()), 3), "filled": round(float(filled.mean()), 3)}
        turn = best(4, limit=products(engine, drawn), draw=lambda: engine.draw(asked, PLAIN))
        figures["share_of_limit"] = round(turn["limit"] / turn["draw"], 2)
        figures["usual"] = against_raster(engine, raster, given.batch, Sampling())
        figures["plain"] = against_raster(engine, raster, given.batch, PLAIN)
    figures["two_threads_per_second"] = round(two_threads(kept), 1)
    figures["cold_start_s"] = round(cold_start(kept), 2)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
