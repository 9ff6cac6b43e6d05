"""The forecast put to the test: corpora with planted faults, what taste says of them, and what a model then learns.

    python experiments/forecast.py one NUMBER --out TRIALS [--recipe short]
    python experiments/forecast.py sum TRIALS

`one` makes corpus NUMBER of the reef, spoils some of its cells at strengths of which about half are still learned,
runs all stages of `taste corpus` and the proxy, trains the recipe, and holds 64 samples of each cell against the clean
corpus. Number 0 is clean. It writes TRIALS/NUMBER.json, and skips what is written. `sum` prints one JSON line with the
areas under the curve, their intervals over corpora, and the seconds that each way takes.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from pixelreef.core.files import write_json
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CELLS, REEF_FACTORS
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.sprites.drawn import draw_cells
from pixelreef.sprites.forecast import Proxy
from pixelreef.sprites.lecture import lecture_from_corpus
from pixelreef.sprites.recipe import Recipe
from pixelreef.taste.faults import Material, faults
from pixelreef.taste.gather import sprites_from_entries
from pixelreef.taste.judge import STAGES, judge_corpus
from pixelreef.taste.samples import judge_samples
from pixelreef.taste.sprites import Sprites

PER_CELL = 400
PLANTED = 14  # cells of a corpus, two of each kind
SAMPLES = 64
STRENGTHS = {
    "shuffled": (0.01, 0.3),
    "static": (0.005, 0.2),
    "mixed": (0.05, 0.7),
    "originals": (0.2, 1.0),
    "photographs": (0.05, 0.8),
    "one_mode": (0.1, 0.9),
    "half_empty": (0.05, 0.7),
}
"""From and to, even over the logarithm."""


def planted(number: int) -> dict[str, tuple[str, float]]:
    """Cell → fault and strength; none in corpus 0."""
    if number == 0:
        return {}
    random = rng(number, "forecast", "planted")
    cells = random.permutation(len(CELLS))[:PLANTED]
    kinds = [kind for kind in STRENGTHS for _ in range(PLANTED // len(STRENGTHS))]
    found = {}
    for cell, kind in zip(cells, kinds, strict=True):
        low, high = STRENGTHS[kind]
        found[CELLS[cell]] = (kind, float(np.exp(random.uniform(math.log(low), math.log(high)))))
    return found


def spoilt(clean: Sprites, number: int, faulty: dict[str, tuple[str, float]]) -> Sprites:
    cells = clean.cells.copy()
    for cell, (kind, strength) in faulty.items():
        random = rng(number, "forecast", cell)
        places = clean.of(cell)
        others = [one for one in CELLS if one != cell]
        other = clean.cells[clean.of(others[int(random.integers(len(others)))])]
        good = clean.cells[places]
        cells[places] = faults()[kind].spoilt(Material(good, other, good, clean.palette), strength, random)
    return clean.changed(cells)


def written(sprites: Sprites, path: Path) -> Path:
    names = list(sprites.factors)
    entries = (
        Entry(cells, sprites.palette, Origin("reef"), dict(zip(names, label.split("/"), strict=True)))
        for cells, label in zip(sprites.cells, sprites.labels(), strict=True)
    )
    write_corpus(path, entries, REEF_FACTORS, {"by": "forecast trial"})
    return path


def one(number: int, out: Path, recipe: str) -> dict[str, Any]:
    """A whole trial."""
    from pixelreef.sprites.train import drawing, train
    from pixelreef.sprites.weights import read_weights

    def say(what: str) -> None:
        print(f"corpus {number}: {what}", file=sys.stderr, flush=True)

    say("making it")
    clean = sprites_from_entries(list(make_reef(1000 + number, PER_CELL)), REEF_FACTORS)
    faulty = planted(number)
    sprites = spoilt(clean, number, faulty)
    say("asking taste")
    judgement = judge_corpus(sprites, [*STAGES, Proxy()])
    say("training")
    folder = out / f"run-{number}"
    asked = Recipe.of(recipe, judged=0)
    lecture = lecture_from_corpus(open_corpus(written(sprites, out / f"corpus-{number}.parquet")), asked)
    began = time.monotonic()
    outcome = train(lecture, asked, folder)
    say(f"judging what was learned, after {time.monotonic() - began:.0f} s")
    draw = drawing(lecture.config, read_weights(outcome.weights).arrays)
    verdicts = judge_samples(draw_cells(lecture, draw, SAMPLES, 0), clean, seed=0).cells
    return {
        "number": number,
        "recipe": asked.model_dump(),
        "minutes": outcome.look.seconds / 60,
        "seconds": {run.name: run.seconds for run in judgement.runs},
        "cells": {
            cell: {
                "planted": faulty.get(cell),
                "level": verdict.level,
                "figures": {
                    f"{stage}.{name}": figure.value if figure.known else None
                    for stage, found in verdict.evidence.items()
                    for name, figure in found.figures.items()
                },
                "findings": {finding.gate: finding.document() for finding in verdict.findings},
                "loss": outcome.look.cells[cell],
                "verdict": verdicts[cell].word,
            }
            for cell, verdict in judgement.cells.items()
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    single = commands.add_parser("one")
    single.add_argument("number", type=int)
    single.add_argument("--out", type=Path, required=True)
    single.add_argument("--recipe", default="short")
    given = parser.parse_args()
    path = given.out / f"{given.number}.json"
    if not path.exists():
        write_json(path, one(given.number, given.out, given.recipe))
    print(path)


if __name__ == "__main__":
    main()
