"""Does it come straight from the corpus? The nearest training sprite of each sample, mirrored and recoloured or not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pixelreef.metrics.copy_test import copy_test
from pixelreef.metrics.likeness import NEAR_COPY, distances, nearest, nearest_other
from pixelreef.metrics.signatures import BLOCK, Distances
from pixelreef.taste.against.pairing import Pair, Pairing, Progress, Values
from pixelreef.taste.evidence import Evidence, Figure, Gate

_TRIED = 64  # real sprites of a cell that say what is usual
_RARE = 0.05
_ROWS = 512  # of the table of distances at once: 41 MB against 20,000 sprites


class Copying:
    """Figures:

    `copied`     share of samples that are near-copies of any sprite of the corpus, and nearer than all but 1 in 20 of
                 the cell's real sprites are to another; less the share of real sprites that are so near
    `copy_test`  C_T within the cell: below 0 where samples are nearer to the corpus than real sprites are
    """

    name = "copying"
    gates = (
        Gate("samples_copied", name, "copied", "high", "samples copied from the corpus"),
        Gate("samples_copy_test", name, "copy_test", "low", "copy test, in standard deviations", digits=1),
    )

    def run(self, pairing: Pairing, progress: Progress) -> Mapping[str, Evidence]:
        """Every sample is compared with every sprite of the corpus, and some real ones of each cell are too."""
        away = _to_corpus(pairing, progress)
        usual = _usual(pairing)
        progress(1.0)
        return {cell: _evidence(pairing, pair, away, usual[cell]) for cell, pair in pairing.pairs.items()}


def _to_corpus(pairing: Pairing, progress: Progress) -> Distances:
    """(N,): how far each sample is from the nearest sprite of the whole corpus."""
    samples, real = pairing.samples.signatures, pairing.real.signatures
    away = np.empty(len(samples), np.float32)
    for start in range(0, len(samples), BLOCK):
        away[start : start + BLOCK] = nearest(samples[start : start + BLOCK], real)[1]
        progress(min(0.6, 0.6 * (start + BLOCK) / len(samples)))
    return away


def _usual(pairing: Pairing) -> dict[str, Distances]:
    """Cell → how far some of its real sprites are from the nearest other sprite anywhere in the corpus.

    A corpus may hold a sprite in many colours, or many frames of one: what is usual in it is no copying.
    """
    real = pairing.real.signatures
    places = {cell: pair.real[:_TRIED] for cell, pair in pairing.pairs.items()}
    rows = np.concatenate(list(places.values()))
    away = np.empty(len(rows), np.float32)
    for start in range(0, len(rows), _ROWS):
        some = rows[start : start + _ROWS]
        table = distances(real[some], real)
        table[np.arange(len(some)), some] = np.inf
        away[start : start + _ROWS] = table.min(axis=1)
    ends = np.cumsum([len(of) for of in places.values()])[:-1]
    return dict(zip(places, np.split(away, ends), strict=True))


def _evidence(pairing: Pairing, pair: Pair, to_corpus: Distances, usual: Distances) -> Evidence:
    places = pairing.samples.by_cell[pair.cell]
    away = to_corpus[places]
    near = min(NEAR_COPY, float(np.quantile(usual, _RARE)))
    figures = {
        "copied": Figure(max(0.0, float((away <= near).mean() - (usual <= near).mean()))),
        "near_copies": Figure(float((away <= NEAR_COPY).mean())),
        "near_copies_usual": Figure(float((usual <= NEAR_COPY).mean())),
        "copy_test": Figure(copy_test(*_in_cell(pairing, pair))),
    }
    nearest_first = places[np.argsort(away, kind="stable")]
    return Evidence(pair.n, figures, {"nearest to the corpus": nearest_first[:8].tolist()})


def _in_cell(pairing: Pairing, pair: Pair) -> tuple[Values, Values]:
    """To the nearest training sprite of the cell: of real sprites held out, and of the compared samples.

    Where the corpus has no split, each real sprite is held out in turn: all but itself are the training sprites.
    """
    training = pairing.real.signatures[pair.real]
    samples = nearest(pairing.samples.signatures[pair.samples], training)[1]
    apart = pairing.held_out
    if apart is not None and pair.cell in apart.names and len(apart.by_cell[pair.cell]):
        held_out = nearest(apart.signatures[apart.by_cell[pair.cell]], training)[1]
    else:
        held_out = nearest_other(training)[1] if len(training) > 1 else np.zeros(0, np.float32)
    return held_out.astype(np.float64), samples.astype(np.float64)
