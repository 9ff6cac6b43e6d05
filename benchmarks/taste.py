"""Taste at the sizes that it promises: seconds, peak memory, and how the cost grows with the samples.

    python benchmarks/taste.py

Prints one JSON line: all stages of `taste corpus` on 20,010 sprites of the reef; 1,920 samples held against them; the
highest memory of the process so far; and 4 and 16 times as many samples against 6,000 sprites, in multiples of the time
that 960 take (linear growth would be 4 and 16).
"""

from __future__ import annotations

import json
import resource
from time import perf_counter

import numpy as np

from pixelreef.corpus.cells import CELLS, REEF_FACTORS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.taste.gather import sprites_from_entries
from pixelreef.taste.judge import judge_corpus
from pixelreef.taste.samples import judge_samples
from pixelreef.taste.sprites import Sprites

PER_CELL, SAMPLES = 667, 64
GROWTH = (32, 128, 512)
"""Samples of a cell."""
AGAINST = 200


def reef(seed: int, per_cell: int) -> Sprites:
    return sprites_from_entries(list(make_reef(seed, per_cell)), REEF_FACTORS)


def fresh(sprites: Sprites) -> Sprites:
    """The same sprites, with nothing about them worked out yet."""
    return sprites.at(np.arange(len(sprites)))


def seconds_of_samples(samples: Sprites, corpus: Sprites) -> float:
    start = perf_counter()
    judge_samples(fresh(samples), fresh(corpus))
    return perf_counter() - start


def main() -> None:
    corpus, samples = reef(0, PER_CELL), reef(1, max(GROWTH))
    first = {count: samples.at(np.concatenate([of[:count] for of in samples.by_cell.values()])) for count in GROWTH}
    some = samples.at(np.concatenate([of[:SAMPLES] for of in samples.by_cell.values()]))
    start = perf_counter()
    judge_corpus(fresh(corpus))
    stages = perf_counter() - start
    held = seconds_of_samples(some, corpus)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    small = corpus.at(np.concatenate([of[:AGAINST] for of in corpus.by_cell.values()]))
    times = [min(seconds_of_samples(first[count], small) for _ in range(2)) for count in GROWTH]
    print(
        json.dumps(
            {
                "benchmark": "taste",
                "corpus_sprites": len(corpus),
                "all_stages_s": round(stages, 1),
                "samples": len(CELLS) * SAMPLES,
                "samples_s": round(held, 1),
                "peak_mb": round(memory),
                "growth_4x": round(times[1] / times[0], 2),
                "growth_16x": round(times[2] / times[0], 2),
            }
        )
    )


if __name__ == "__main__":
    main()
