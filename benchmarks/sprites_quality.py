"""What a model's sprites are worth: a classifier that learns from them alone, and how many of them are copies.

    python benchmarks/sprites_quality.py [WEIGHTS] [--corpus CORPUS] [--n 64] [--seeds 5]

WEIGHTS are the shipped ones unless given. Samples are the first n of a seed of every cell, with the default settings,
none left out. CORPUS is what the model was trained on, for copies and verdicts. Prints one JSON line:

    real, drawn              shares of sprites of another seed of the reef, never trained on, whose cell of thirty is
                             told by a classifier that learnt from n real sprites of each cell, or from n drawn ones;
                             the mean over seeds
    ratio                    drawn / real: the classification accuracy score
    copied, held_copied      shares of samples, and of sprites held back, that are near-copies of what was taught
    verdicts                 how many cells have each, by the samples of every seed
    not_learned              the cells with another verdict than that, by seed
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import REEF_FACTORS
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import open_corpus
from pixelreef.errors import FileError
from pixelreef.metrics.probe import probe_apart
from pixelreef.sprites.drawn import Copies, judged
from pixelreef.sprites.lecture import lecture_from_corpus
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import Weights, weights_from
from pixelreef.taste.gather import sprites_from_entries
from pixelreef.taste.sprites import Sprites, sprites_from_arrays

NAME = "sprites: classification accuracy score"
FRESH = 1  # the seed of real sprites; the shipped model was taught seed 0
TRIED = 64  # real sprites of each cell that classifiers are tried on


def drawn(weights: Weights, n: int, seed: int) -> Sprites:
    sampler = Sampler(weights)
    made = list(sampler.sample_cells(list(sampler.cells()), n, seed))
    cells, labels = np.stack([one.cells for one in made]), [one.cell for one in made]
    return sprites_from_arrays(cells, weights.palette, labels, dict(weights.config.factors), "drawn")


def accuracies(real: Sprites, samples: list[Sprites], n: int) -> tuple[list[float], list[float]]:
    """Of classifiers that learnt from real sprites, and from drawn ones; one of each for every set of samples."""
    tried = real.at(np.concatenate([places[:TRIED] for places in real.by_cell.values()]))
    of_real: list[float] = []
    of_drawn: list[float] = []
    for seed, some in enumerate(samples):
        random = rng(seed, "learnt")
        chosen = [random.permutation(places[TRIED:])[:n] for places in real.by_cell.values()]
        for learnt, found in ((real.at(np.concatenate(chosen)), of_real), (some, of_drawn)):
            found.append(probe_apart(learnt.features, learnt.labels(), tried.features, tried.labels()).accuracy)
    return of_real, of_drawn


def against_corpus(weights: Weights, corpus: Path, samples: list[Sprites]) -> dict[str, Any]:
    lecture = lecture_from_corpus(open_corpus(corpus), Recipe.of(None, **weights.facts["recipe"]))
    copies = Copies(lecture)
    verdicts = [
        {cell: one.word for cell, one in judged(lecture, some, seed).cells.items()} for seed, some in enumerate(samples)
    ]
    return {
        "copied": [round(copies.share(one), 4) for one in samples],
        "held_copied": round(copies.usual, 4),
        "verdicts": [Counter(of.values()) for of in verdicts],
        "not_learned": [{cell: word for cell, word in of.items() if word != "learned"} for of in verdicts],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("weights", type=Path, nargs="?")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--n", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    try:
        weights = weights_from(given.weights)
    except FileError as error:
        if given.weights:
            raise
        print(json.dumps({"benchmark": NAME, "left_out": str(error)}))
        return
    print("making real sprites", file=sys.stderr)
    real = sprites_from_entries(list(make_reef(FRESH, TRIED + 2 * given.n)), REEF_FACTORS)
    samples = []
    for seed in range(given.seeds):
        print(f"drawing, seed {seed}", file=sys.stderr)
        samples.append(drawn(weights, given.n, seed))
    of_real, of_drawn = accuracies(real, samples, given.n)
    figures: dict[str, Any] = {
        "benchmark": NAME,
        "real": round(float(np.mean(of_real)), 4),
        "drawn": round(float(np.mean(of_drawn)), 4),
        "ratio": round(float(np.mean(of_drawn) / np.mean(of_real)), 4),
        "by_seed": [round(one / other, 4) for one, other in zip(of_drawn, of_real, strict=True)],
    }
    if given.corpus:
        figures |= against_corpus(weights, given.corpus, samples)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
