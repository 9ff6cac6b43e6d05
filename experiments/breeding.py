"""Whether children take after their parents, and are still good sprites of their cell.

    python experiments/breeding.py CORPUS [WEIGHTS] [--pairs 60] [--each 64]

WEIGHTS are the shipped ones unless given, CORPUS what they were trained on. Prints one JSON document:

    resembles  by kind of mask, the share of children whose nearest sprite, of their two parents and 64 others of the
               parents' cells, is a parent; the same of plain samples of those cells, as the control
    gates      by kind of mask, how many cells pass the gate of taste for samples with `each` children of two parents
               of the cell, against plain samples of it
"""

from __future__ import annotations

import argparse
import json
import sys
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
from pixelreef.sprites.drawn import judged
from pixelreef.sprites.lecture import Lecture, lecture_from_corpus
from pixelreef.sprites.parts.labeller import labeller_from
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.sample import GOOD, Sampler
from pixelreef.sprites.weights import weights_from
from pixelreef.taste.sprites import sprites_from_arrays

KINDS = (Kind.halves, Kind.parts, Kind.checker, Kind.prefix, Kind.silhouette)
OTHERS = 32  # of each parent's cell
CHILDREN = 4  # of a pair
PARENTS = 16  # sprites of a cell that are bred with one another

Cells = NDArray[np.uint8]


class Trial:
    def __init__(self, sampler: Sampler) -> None:
        self.sampler, self.breeder = sampler, Breeder(sampler, labeller_from(None))

    def drawn(self, cell: str, n: int, first: int = 0) -> list[Sprite]:
        palette = self.sampler.weights.palette
        samples = self.sampler.sample(cell, n, first=first)
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


def gates(trial: Trial, lecture: Lecture, each: int) -> dict[str, Any]:
    cells = list(trial.sampler.cells())
    parents = {cell: trial.drawn(cell, PARENTS) for cell in cells}
    found: dict[str, Any] = {}
    for kind in (None, *KINDS):
        print(f"gates: {kind or 'plain'}", file=sys.stderr)
        grids: list[Cells] = []
        labels: list[str] = []
        for cell in cells:
            made = _made(trial, cell, parents[cell], kind, each)
            grids += made
            labels += [cell] * len(made)
        factors = dict(trial.sampler.config.factors)
        samples = sprites_from_arrays(np.stack(grids), trial.sampler.weights.palette, labels, factors, "bred")
        words = {cell: verdict.word for cell, verdict in judged(lecture, samples, 0).cells.items()}
        found[str(kind or "plain")] = {
            "learned": sum(word == "learned" for word in words.values()),
            "learned_or_weak": sum(word in GOOD for word in words.values()),
            "verdicts": words,
        }
    return found


def _made(trial: Trial, cell: str, parents: list[Sprite], kind: Kind | None, each: int) -> list[Cells]:
    if kind is None:
        return [sprite.grid.cells for sprite in trial.drawn(cell, each)]
    if kind == Kind.parts:
        parents = [one for one in parents if trial.breeder.parent(one).labels is not None]
    if len(parents) < 2:
        return []
    random = rng(0, "breeding", cell, kind)
    chosen = [random.choice(len(parents), 2, replace=False) for _ in range(each)]
    pairs = [(parents[a], parents[b]) for a, b in chosen]
    return [child.drawn.cells for child in trial.breeder.one_of_each(pairs, Cross(kind))]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("weights", type=Path, nargs="?")
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--each", type=int, default=64)
    given = parser.parse_args()
    weights = weights_from(given.weights)
    trial = Trial(Sampler(weights))
    lecture = lecture_from_corpus(open_corpus(given.corpus), Recipe.of(None, **weights.facts["recipe"]))
    document = {"resembles": resemblance(trial, given.pairs), "gates": gates(trial, lecture, given.each)}
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
