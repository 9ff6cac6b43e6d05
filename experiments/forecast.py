"""The forecast put to the test: corpora with planted faults, what taste says of them, and what a model then learns.

    python experiments/forecast.py one NUMBER --out TRIALS
    python experiments/forecast.py sum TRIALS

`one` makes corpus NUMBER of the reef in sprites of 16×16, spoils some of its cells at strengths of which about half are
still learned, runs all stages of `taste corpus` and the proxy, trains the recipe beside this file on one core, and
holds 128 samples of each cell against the clean corpus. Number 0 is clean. It writes TRIALS/NUMBER.json, and skips what
is written; `taskset -c 0` and `taskset -c 1` let two trials go on side by side. `sum` prints one JSON line with the
areas under the curve, their intervals over corpora, and the seconds that each way takes. The trials of the log are in
the folder `forecast` beside this file.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import write_text
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CELLS, REEF_FACTORS
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.drawn import draw_cells
from pixelreef.sprites.engine import Engine
from pixelreef.sprites.forecast import Proxy
from pixelreef.sprites.lecture import lecture_from_corpus
from pixelreef.sprites.recipe import Recipe
from pixelreef.taste.calibration import shipped_calibration
from pixelreef.taste.faults import Material, faults
from pixelreef.taste.gather import sprites_from_entries
from pixelreef.taste.judge import STAGES, judge_corpus
from pixelreef.taste.samples import judge_samples
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.standing_out import standing_out

SIZE = 16  # a quarter of the pixels, so that a short run learns them
PER_CELL = 1000
RECIPE = Path(__file__).with_suffix(".toml")
SAMPLING = Sampling(temperature=0.9, guidance=1.4, steadiness=0.2)
"""With it a short run of the clean corpus has most cells learned."""
PLANTED = 14  # cells of a corpus, two of each kind
SAMPLES = 128  # of a cell; with 64, two to four cells of a clean corpus are weak by chance, others with each seed
STRENGTHS = {
    "shuffled": (0.003, 0.1),
    "static": (0.002, 0.06),
    "mixed": (0.02, 0.35),
    "originals": (0.2, 1.0),
    "photographs": (0.02, 0.35),
    "one_mode": (0.05, 0.5),
    "half_empty": (0.03, 0.4),
}
"""From and to, even over the logarithm."""
NOISY = ("shuffled", "static")
GATES = [gate for stage in STAGES for gate in stage.gates]
PROXY = ("gain", "behind", "gap")
DRAWS = 2000  # of the bootstrap

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
Bits = NDArray[np.bool_]


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


def one(number: int, out: Path) -> dict[str, Any]:
    """A whole trial."""
    import torch

    from pixelreef.sprites.train import train
    from pixelreef.sprites.weights import read_weights

    torch.set_num_threads(1)

    def say(what: str) -> None:
        print(f"corpus {number}: {what}", file=sys.stderr, flush=True)

    say("making it")
    clean = sprites_from_entries(list(make_reef(1000 + number, PER_CELL, SIZE)), REEF_FACTORS)
    faulty = planted(number)
    sprites = spoilt(clean, number, faulty)
    say("asking taste")
    judgement = judge_corpus(sprites, [*STAGES, Proxy()])
    say("training")
    folder = out / f"run-{number}"
    asked = Recipe.of(str(RECIPE))
    lecture = lecture_from_corpus(open_corpus(written(sprites, out / f"corpus-{number}.parquet")), asked)
    began = time.monotonic()
    outcome = train(lecture, asked, folder)
    say(f"judging what was learned, after {time.monotonic() - began:.0f} s")
    engine = Engine(lecture.config, read_weights(outcome.weights).arrays)
    drawn = draw_cells(lecture, lambda task: engine.draw(task, SAMPLING), SAMPLES, 0)
    verdicts = judge_samples(drawn, clean, seed=0).cells
    return {
        "number": number,
        "recipe": asked.model_dump(),
        "minutes": outcome.seconds / 60,
        "seconds": {run.name: run.seconds for run in judgement.runs},
        "cells": {
            cell: {
                "planted": faulty.get(cell),
                "level": verdict.level,
                "figures": {
                    f"{stage}.{name}": short(figure.value) if figure.known else None
                    for stage, found in verdict.evidence.items()
                    for name, figure in found.figures.items()
                },
                "loss": short(outcome.look.cells[cell]),
                "verdict": verdicts[cell].word,
            }
            for cell, verdict in judgement.cells.items()
        },
    }


def short(value: float) -> float:
    """Six digits of a number, which is all that is told of one."""
    return float(f"{value:.6g}")


@dataclass(frozen=True)
class Table:
    """One row for every cell of every corpus with planted faults."""

    corpus: Whole
    kind: list[str]
    """Empty where nothing was planted."""
    failed: Bits
    scores: dict[str, Floats]
    """Way → the higher, the likelier to fail."""


def severities(figures: dict[str, float | None]) -> list[float]:
    """How far each gate's figure is beyond its limits: 0 where it warns, 1 where it fails."""
    found = []
    for gate in GATES:
        limits, value = shipped_calibration().limits(gate.name), figures.get(f"{gate.stage}.{gate.figure}")
        known = [one for one in (limits.of(PER_CELL) if limits else ()) if one is not None]
        if not known:
            continue
        width = abs(known[-1] - known[0]) or max(abs(known[0]), 1e-3)
        sign = 1 if gate.bad == "high" else -1
        found.append(-3.0 if value is None else float(np.clip(sign * (value - known[0]) / width, -3, 3)))
    return found


def standing(cells: dict[str, dict[str, Any]]) -> Floats:
    """(cells, gates): by how many spreads each stands out, as `taste corpus` tells it."""
    figures = {name: cell["figures"] for name, cell in cells.items()}
    values = {
        name: {gate.name: math.nan if (one := of.get(f"{gate.stage}.{gate.figure}")) is None else one for gate in GATES}
        for name, of in figures.items()
    }
    found = standing_out(values, dict.fromkeys(cells, PER_CELL), GATES, shipped_calibration())
    return np.array([[of.get(gate.name, 0.0) for gate in GATES] for of in found.values()])


def trials_from(folder: Path) -> list[dict[str, Any]]:
    """What `one` wrote, by number."""
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"), key=lambda one: int(one.stem))]


def table_from(folder: Path) -> Table:
    spoilt_ones = [trial for trial in trials_from(folder) if trial["number"]]
    cells = [cell for trial in spoilt_ones for cell in trial["cells"].values()]
    corpus = np.array([trial["number"] for trial in spoilt_ones for _ in trial["cells"]])
    failed = np.array([cell["verdict"] != "learned" for cell in cells])
    beyond = np.array([severities(cell["figures"]) for cell in cells])
    out = np.concatenate([standing(trial["cells"]) for trial in spoilt_ones])
    proxy = np.array([[cell["figures"][f"proxy.{name}"] or 0.0 for name in PROXY] for cell in cells])
    scores = {
        "stages: furthest beyond a limit": beyond.max(axis=1),
        "stages: how far it stands out": out.sum(axis=1),
        "stages, fitted": fitted(np.hstack([beyond, out]), failed, corpus),
        "stages and proxy, fitted": fitted(np.hstack([beyond, out, proxy]), failed, corpus),
        "validation loss": np.array([cell["loss"] for cell in cells]),
    }
    return Table(corpus, [(cell["planted"] or [""])[0] for cell in cells], failed, scores)


def fitted(figures: Floats, failed: Bits, corpus: Whole) -> Floats:
    """Log-odds of failing, of each corpus by a logistic regression of all others."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    found = np.zeros(len(figures))
    for number in np.unique(corpus):
        here = corpus == number
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, class_weight="balanced"))
        found[here] = model.fit(figures[~here], failed[~here]).decision_function(figures[here])
    return found


def area(score: Floats, failed: Bits) -> float:
    """Under the curve: how often a cell that failed scores above one that did not; NaN where there are none."""
    bad, good = score[failed], score[~failed]
    if not len(bad) or not len(good):
        return math.nan
    return float((bad[:, None] > good).mean() + (bad[:, None] == good).mean() / 2)


def interval(table: Table, score: Floats, which: Bits) -> list[float]:
    """The area and its 95 % interval, corpora drawn with replacement."""
    numbers, random = np.unique(table.corpus), rng(0, "forecast", "bootstrap")
    by_corpus = {number: np.flatnonzero(which & (table.corpus == number)) for number in numbers}
    draws = []
    for _ in range(DRAWS):
        places = np.concatenate([by_corpus[number] for number in random.choice(numbers, len(numbers))])
        draws.append(area(score[places], table.failed[places]))
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    return [round(float(one), 3) for one in (area(score[which], table.failed[which]), low, high)]


def summed(folder: Path) -> dict[str, Any]:
    table = table_from(folder)
    kind = np.array(table.kind)
    subsets = {
        "all cells": np.ones(len(kind), np.bool_),
        "without shuffled and static": ~np.isin(kind, NOISY),
        "planted cells alone": kind != "",
    }
    areas = {
        way: {name: interval(table, score, which) for name, which in subsets.items()}
        for way, score in table.scores.items()
    }
    planted_cells = kind != ""
    trials = trials_from(folder)
    seconds = [trial["seconds"] for trial in trials]
    return {
        "corpora": len(np.unique(table.corpus)),
        "planted": int(planted_cells.sum()),
        "planted_learned": round(float((~table.failed[planted_cells]).mean()), 3),
        "others_failed": int(table.failed[~planted_cells].sum()),
        "by_kind": {
            one: f"{int((~table.failed[kind == one]).sum())} of {int((kind == one).sum())}" for one in STRENGTHS
        },
        "areas": areas,
        "clean_learned": [
            sum(cell["verdict"] == "learned" for cell in one["cells"].values()) for one in trials if not one["number"]
        ],
        "training_minutes": [round(trial["minutes"], 1) for trial in trials],
        "seconds_without_proxy": [round(sum(of.values()) - of["proxy"]) for of in seconds],
        "seconds_with_proxy": [round(sum(of.values())) for of in seconds],
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    single = commands.add_parser("one")
    single.add_argument("number", type=int)
    single.add_argument("--out", type=Path, required=True)
    commands.add_parser("sum").add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.command == "sum":
        print(json.dumps(summed(given.folder), indent=2))
        return
    path = given.out / f"{given.number}.json"
    if not path.exists():
        write_text(path, json.dumps(one(given.number, given.out)) + "\n")
    print(path)


if __name__ == "__main__":
    main()
