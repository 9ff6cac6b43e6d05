"""Whether children take after their parents, and are still good sprites of their cell.

    python experiments/breeding.py CORPUS [WEIGHTS] [--pairs 60] [--each 64]

WEIGHTS are the shipped ones unless given, CORPUS what they were trained on. Prints one JSON document:

    resembles  by kind of mask, the share of children whose nearest sprite, of their two parents and 64 others of the
               parents' cells, is a parent; the same of plain samples of those cells, as the control
    gates      by kind of mask, of `each` children of a cell, each with two parents of the cell to itself, against as
               many plain samples:
                   told          the share that a probe taught by real sprites takes for the parents' cell
                   on_texture    the share whose texture is one that 19 of 20 real sprites of the cell have
                   density       how far they stand among the real, against real sprites held out
                   of_plain      the same as shares of the plain samples' figures
                   learned, …    cells by taste's word for all children of a cell together; failing: its gates, cells
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
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
from pixelreef.taste.evidence import FAIL, CellVerdict
from pixelreef.taste.sprites import sprites_from_arrays

KINDS = (Kind.halves, Kind.parts, Kind.checker, Kind.prefix, Kind.silhouette)
OTHERS = 32  # of each parent's cell
CHILDREN = 4  # of a pair
FIGURES = ("told", "on_texture", "density")

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
    parents = {cell: trial.drawn(cell, 2 * each, 10_000) for cell in cells}
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
        found[str(kind or "plain")] = figures(judged(lecture, samples, 0).cells)
    for name, of in found.items():
        of["of_plain"] = {figure: round(of[figure] / found["plain"][figure], 3) for figure in FIGURES}
        print(name, {figure: of[figure] for figure in FIGURES}, of["of_plain"], file=sys.stderr)
    return found


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
        "learned": sum(word == "learned" for word in words.values()),
        "learned_or_weak": sum(word in GOOD for word in words.values()),
        "failing": dict(failing),
        "verdicts": words,
    }


def _made(trial: Trial, cell: str, parents: list[Sprite], kind: Kind | None, each: int) -> list[Cells]:
    if kind is None:
        return [sprite.grid.cells for sprite in trial.drawn(cell, each)]
    if kind == Kind.parts:
        parents = [one for one in parents if trial.breeder.parent(one).labels is not None]
    if len(parents) < 2:
        return []
    pairs = list(zip(parents[0::2], parents[1::2], strict=False))[:each]
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
    document = {
        **({"resembles": resemblance(trial, given.pairs)} if given.pairs else {}),
        "gates": gates(trial, lecture, given.each),
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
