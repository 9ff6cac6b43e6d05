"""Whether children take after their parents, and are still good sprites of their cell.

    python experiments/breeding.py CORPUS [WEIGHTS] [--pairs 60] [--each 64] [--seed 1]

WEIGHTS are the shipped ones unless given, CORPUS what they were trained on. Prints one JSON document:

    resembles  by kind of mask, the share of children whose nearest sprite, of their two parents and 64 others of the
               parents' cells, is a parent; the same of plain samples of those cells, as the control
    suits      how well parents suit one another, under `mates` and under `any` (see below): the mean over cells
    gates      by kind of mask, of `each` children of a cell against as many plain samples. A cell passes when taste
               calls all its children together learned or weak, as it must for plain samples to be drawn without a
               warning. Under `mates` a parent is a sample and the other the mate that `sprites breed A` finds for
               it; under `any` both are samples of the cell, as they come. No two children share a first parent.
               Parents whose parts are unsure can't be bred by parts; `plain, parts sure` are samples as chosen as
               those parents are.
                   passing       cells; learned: those of them that are, failing: gates and how many cells
                   told          the share that a probe taught by real sprites takes for the parents' cell
                   on_texture    the share whose texture is one that 19 of 20 real sprites of the cell have
                   density       how far they stand among the real, against real sprites held out
                   of_plain      the same as shares of the plain samples' figures
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.seeds import rng
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.corpus.store import open_corpus
from pixelreef.metrics.likeness import nearest, signatures
from pixelreef.sprites.breed.cross import Breeder, Cross
from pixelreef.sprites.breed.inherit import Kind
from pixelreef.sprites.breed.mate import best_mate, candidates, suits
from pixelreef.sprites.drawn import judged
from pixelreef.sprites.lecture import Lecture, lecture_from_corpus
from pixelreef.sprites.parts.labeller import labeller_from
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.sample import GOOD, Sampler
from pixelreef.sprites.weights import weights_from
from pixelreef.taste.evidence import FAIL, CellVerdict
from pixelreef.taste.sprites import sprites_from_arrays

KINDS = (Kind.halves, Kind.parts, Kind.checker, Kind.prefix, Kind.silhouette)
OTHERS = 32  # of each parent's cell
CHILDREN = 4  # of a pair
FIRSTS = 10_000  # the number of the first of a cell that is a parent
FIGURES = ("told", "on_texture", "density")

Cells = NDArray[np.uint8]


class Trial:
    def __init__(self, sampler: Sampler) -> None:
        self.sampler, self.breeder = sampler, Breeder(sampler, labeller_from(None))

    def drawn(self, cell: str, n: int, first: int = 0, seed: int = 0) -> list[Sprite]:
        palette = self.sampler.weights.palette
        samples = self.sampler.sample(cell, n, seed, first=first)
        return [Sprite(palette, (Frame(Grid(one.cells)),), cell, {"cell": cell}) for one in samples]

    def children(self, a: Sprite, b: Sprite, kind: Kind, n: int, seed: int) -> list[Cells]:
        """None where the parts of a parent are unsure."""
        if kind == Kind.parts and any(parent.labels is None for parent in self.breeder.parents(a, b)):
            return []
        return [child.drawn.cells for child in self.breeder.children(a, b, Cross(kind), n, seed)]


def resemblance(trial: Trial, pairs: int) -> dict[str, Any]:
    random = rng(0, "breeding")
    cells = list(trial.sampler.cells())
    hits: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    control: list[bool] = []
    for number in range(pairs):
        print(f"pair {number + 1} of {pairs}", file=sys.stderr)
        one, other = (cells[place] for place in random.choice(len(cells), 2, replace=False))
        (a,), (b,) = trial.drawn(one, 1, number), trial.drawn(other, 1, number)
        unrelated = [*trial.drawn(one, OTHERS, 1000), *trial.drawn(other, OTHERS, 1000)]
        aligned = [parent.cells for parent in trial.breeder.parents(a, b)]
        beside = signatures(np.stack([*aligned, b.grid.cells, *(sprite.grid.cells for sprite in unrelated)]), 0)
        for kind in KINDS:
            for cells_of in trial.children(a, b, kind, CHILDREN, number):
                hits[kind].append(int(nearest(signatures(cells_of[None], 0), beside)[0][0]) < 3)
        plain = [sprite.grid.cells for sprite in trial.drawn(one, CHILDREN, 2000)]
        control += (nearest(signatures(np.stack(plain), 0), beside)[0] < 3).tolist()
    shares = {str(kind): {"share": round(float(np.mean(of)), 4), "n": len(of)} for kind, of in hits.items() if of}
    return {**shares, "control": {"share": round(float(np.mean(control)), 4), "n": len(control)}}


def suited(pools: Mapping[str, Pool]) -> dict[str, float]:
    return {
        way: round(float(np.mean([suit for pool in pools.values() for suit in pool.suits(way)])), 4)
        for way in ("mates", "any")
    }


def gates(trial: Trial, lecture: Lecture, pools: Mapping[str, Pool], seed: int) -> dict[str, Any]:
    cells = list(pools)
    found: dict[str, Any] = {}
    made_by: dict[str, Callable[[str], list[Cells]]] = {
        "plain": lambda cell: pools[cell].plain(),
        "plain, parts sure": lambda cell: pools[cell].plain(sure=True),
    }
    for way in ("mates", "any"):
        for kind in KINDS:
            made_by[f"{way}, {kind}"] = partial(_children, trial, pools, way, kind, seed)
    for name, make in made_by.items():
        print(f"gates: {name}", file=sys.stderr)
        grids: list[Cells] = []
        labels: list[str] = []
        for cell in cells:
            made = make(cell)
            grids += made
            labels += [cell] * len(made)
        factors = dict(trial.sampler.config.factors)
        samples = sprites_from_arrays(np.stack(grids), trial.sampler.weights.palette, labels, factors, "bred")
        found[name] = figures(judged(lecture, samples, 0).cells)
    for name, of in found.items():
        of["of_plain"] = {figure: round(of[figure] / found["plain"][figure], 3) for figure in FIGURES}
        print(name, {figure: of[figure] for figure in FIGURES}, of["passing"], of["learned"], file=sys.stderr)
    return found


class Pool:
    """Parents of a cell, and plain samples."""

    def __init__(self, trial: Trial, cell: str, each: int, seed: int) -> None:
        self.trial, self.cell, self.each, self.seed = trial, cell, each, seed
        breeder, factors = trial.breeder, trial.sampler.factors_from(cell)
        self.firsts = [(one, breeder.parent(one)) for one in trial.drawn(cell, 4 * each, FIRSTS, seed)]
        self.mates = [(one, breeder.parent(one)) for one in candidates(trial.sampler, factors, seed)]

    def plain(self, sure: bool = False) -> list[Cells]:
        """Samples; those whose parts are sure, where that is asked for."""
        drawn = self.trial.drawn(self.cell, 4 * self.each if sure else self.each, 0, self.seed)
        kept = [one for one in drawn if not sure or self.trial.breeder.parent(one).labels is not None]
        return [one.grid.cells for one in kept[: self.each]]

    def suits(self, way: str) -> list[float]:
        """Of the pairs of halves, and all kinds but parts."""
        parent = partial(self.trial.breeder.parent, parts=False)
        return [suits(parent(a), parent(b)) for a, b in self.pairs(way, Kind.halves)]

    def pairs(self, way: str, kind: Kind) -> list[tuple[Sprite, Sprite]]:
        """By parts, of those whose parts are sure."""
        firsts, mates = (
            [one for one in of if kind != Kind.parts or one[1].labels is not None] for of in (self.firsts, self.mates)
        )
        if way == "any":
            sprites = [sprite for sprite, _ in firsts]
            return list(zip(sprites[0::2], sprites[1::2], strict=False))[: self.each]
        return [(sprite, best_mate(parent, mates).sprite) for sprite, parent in firsts[: self.each]] if mates else []


def figures(cells: Mapping[str, CellVerdict]) -> dict[str, Any]:
    """Means over cells, and taste's words."""
    words = {cell: verdict.word for cell, verdict in cells.items()}
    evidence = [verdict.evidence for verdict in cells.values()]
    values = {
        "told": [one["accuracy"].value("reverse") for one in evidence],
        "on_texture": [1 - one["texture"].value("off") for one in evidence],
        "density": [one["fidelity"].value("density") for one in evidence],
    }
    failing = Counter(one.gate for verdict in cells.values() for one in verdict.findings if one.level == FAIL)
    return {
        **{name: round(float(np.nanmean(of)), 4) for name, of in values.items()},
        "passing": sum(word in GOOD for word in words.values()),
        "learned": sum(word == "learned" for word in words.values()),
        "failing": dict(failing),
        "verdicts": words,
    }


def _children(trial: Trial, pools: Mapping[str, Pool], way: str, kind: Kind, seed: int, cell: str) -> list[Cells]:
    pairs = pools[cell].pairs(way, kind)
    return [child.drawn.cells for child in trial.breeder.one_of_each(pairs, Cross(kind), seed)] if pairs else []


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("weights", type=Path, nargs="?")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--each", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    weights = weights_from(given.weights)
    trial = Trial(Sampler(weights))
    lecture = lecture_from_corpus(open_corpus(given.corpus), Recipe.of(None, **weights.facts["recipe"]))
    pools = {cell: Pool(trial, cell, given.each, given.seed) for cell in trial.sampler.cells()}
    document = {
        **({"resembles": resemblance(trial, given.pairs)} if given.pairs else {}),
        "suits": suited(pools),
        "gates": gates(trial, lecture, pools, given.seed),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
