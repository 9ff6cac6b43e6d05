"""Fitting the labeller on a corpus whose sprites have part labels.

Half of the sprites are mirrored, with left and right parts exchanged; of half, the factors are not told. Accuracy is
of pixels, each sprite counting once, on sprites of groups that were not fitted on, with factors told and without.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.parts import PARTS
from pixelreef.corpus.store import Corpus
from pixelreef.errors import InputError
from pixelreef.sprites.parts.labeller import MIRRORED, Factors, Labeller
from pixelreef.sprites.parts.view import Reals, opaque, view

HIDDEN = (128, 64)
_ROUNDS = 15
_BATCH = 1024


@dataclass(frozen=True)
class Accuracy:
    """Shares of pixels whose part is told, each sprite counting once."""

    told: float
    """With the factors of the sprite."""
    untold: float
    sure: float
    """Of sprites that are sure, with factors."""
    unsure_share: float
    """Of sprites, with factors."""
    by_part: dict[str, float]
    """Shares of the pixels of a part that are told, with factors."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        rounded = {name: round(value, 4) for name, value in self.by_part.items()}
        return {
            "told": round(self.told, 4),
            "untold": round(self.untold, 4),
            "sure": round(self.sure, 4),
            "unsure_share": round(self.unsure_share, 4),
            "by_part": rounded,
        }


def fit(corpus: Corpus, each: int = 80, seed: int = 0, rounds: int = _ROUNDS) -> Labeller:
    """From `each` sprites of every cell; a quarter as many are held back for the accuracy in its facts."""
    learnt, held = _chosen(corpus, each, seed)
    factors = {name: tuple(values) for name, values in corpus.factors.items()}
    labeller = Labeller(factors, _learnt(learnt, factors, seed, rounds))
    facts = {"corpus": corpus.hash, "sprites": len(learnt), "held": len(held), "seed": seed}
    return Labeller(labeller.factors, labeller.arrays, {**facts, "accuracy": accuracy(labeller, held).document()})


def accuracy(labeller: Labeller, entries: Iterable[Entry]) -> Accuracy:
    """On sprites whose parts are known."""
    told, untold, sure = [], [], []
    hits = np.zeros(len(PARTS), np.int64)
    counts = np.zeros(len(PARTS), np.int64)
    for entry in entries:
        filled = opaque(entry.cells, entry.palette)
        if entry.parts is None or not filled.any():
            continue
        truth = entry.parts[filled]
        found = labeller.label(entry.cells, entry.palette, entry.factors)
        right = found.labels[filled] == truth
        told.append(right.mean())
        untold.append((labeller.label(entry.cells, entry.palette).labels[filled] == truth).mean())
        sure.append(not found.unsure)
        counts += np.bincount(truth, minlength=len(PARTS))
        hits += np.bincount(truth[right], minlength=len(PARTS))
    if not told:
        raise InputError("corpus", "have sprites with parts", "none", verbatim=True)
    by_part = {PARTS[place]: float(hits[place] / counts[place]) for place in np.flatnonzero(counts)}
    of_sure = np.array(told)[np.array(sure)]
    return Accuracy(
        float(np.mean(told)),
        float(np.mean(untold)),
        float(of_sure.mean()) if len(of_sure) else 0.0,
        1 - float(np.mean(sure)),
        by_part,
    )


def _chosen(corpus: Corpus, each: int, seed: int) -> tuple[list[Entry], list[Entry]]:
    """To fit on, and held back: no group is in both."""
    random = rng(seed, "parts", "chosen")
    learnt: list[Entry] = []
    held: list[Entry] = []
    for places in corpus.cells().values():
        some = corpus.at(random.permutation(places)[: each + each // 4].tolist()).values()
        known = [entry for entry in some if entry.parts is not None]
        learnt += known[: max(1, len(known) * 4 // 5)]
        held += known[max(1, len(known) * 4 // 5) :]
    groups = {entry.group for entry in learnt if entry.group}
    held = [entry for entry in held if not entry.group or entry.group not in groups]
    if not learnt or not held:
        todo = "Corpora of `pixelreef corpus make` have them."
        raise InputError("corpus", "have several sprites with parts in its cells", "too few", todo, verbatim=True)
    return learnt, held


def _learnt(entries: list[Entry], factors: Factors, seed: int, rounds: int) -> dict[str, NDArray[np.float32]]:
    from sklearn.neural_network import MLPClassifier

    random = rng(seed, "parts", "fit")
    seen, truth = _lessons(entries, factors, random)
    every = np.arange(1, len(PARTS), dtype=np.uint8)
    blank = np.zeros((len(every), seen.shape[1]), np.float32)  # one pixel of each, so that every part has its column
    network = MLPClassifier(
        HIDDEN, batch_size=_BATCH, learning_rate_init=1e-3, alpha=1e-5, max_iter=rounds, random_state=seed, tol=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it could go on
        network.fit(np.concatenate([seen, blank]), np.concatenate([truth, every]))
    arrays: dict[str, NDArray[np.float32]] = {}
    for place, (weight, bias) in enumerate(zip(network.coefs_, network.intercepts_, strict=True)):
        arrays |= {f"{place}.weight": weight.astype(np.float32), f"{place}.bias": bias.astype(np.float32)}
    return arrays


def _lessons(entries: list[Entry], factors: Factors, random: np.random.Generator) -> tuple[Reals, NDArray[np.uint8]]:
    """(pixels, width of view and factors), (pixels,)."""
    silent = Labeller(factors, {})
    views, truths = [], []
    for entry in entries:
        cells, parts = entry.cells, entry.parts
        assert parts is not None
        if random.random() < 0.5:
            cells, parts = cells[:, ::-1], MIRRORED[parts[:, ::-1]]
        seen = view(cells, entry.palette)
        told = silent.told(entry.factors if random.random() < 0.5 else {}, len(seen))
        truth = parts[opaque(cells, entry.palette)]
        views.append(np.concatenate([seen, told], axis=1)[truth > 0])
        truths.append(truth[truth > 0])
    return np.concatenate(views), np.concatenate(truths)
