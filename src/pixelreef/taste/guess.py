"""Guess the cell of every sprite from its features, by a classifier that saw neither it nor its kin.

Kernel ridge regression on landmarks: a Gaussian kernel as in `metrics.probe`, answers in closed form, so that 20,000
sprites take seconds where a support vector machine takes minutes. Cells weigh the same however many sprites they have.
The sums over all sprites are made once; each fold takes its own away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import rng

Floats = NDArray[np.float32]
Exact = NDArray[np.float64]
Places = NDArray[np.intp]
LANDMARKS = 1200
_RIDGE = 3e-5  # per sprite, for a kernel of 1 on the diagonal and a mean weight of 1
_JITTER = 1e-3  # of the kernel's diagonal, so that alike landmarks do no harm
FOLDS = 10


@dataclass(frozen=True, eq=False)
class Guess:
    """What was guessed for each sprite."""

    scores: Floats
    """(N, cells): near 1 for the cell that it looks like, near 0 for the others."""
    truth: Places
    """(N,)"""

    @property
    def guessed(self) -> Places:
        """(N,): the cell with the highest score."""
        return np.asarray(self.scores.argmax(axis=1))

    @property
    def doubt(self) -> Floats:
        """(N,): how much higher the best other cell scores than its own; above 0 the guess is another."""
        rest = self.scores.copy()
        own = rest[np.arange(len(rest)), self.truth]
        rest[np.arange(len(rest)), self.truth] = -np.inf
        return np.asarray(rest.max(axis=1) - own)

    @property
    def confusion(self) -> NDArray[np.float64]:
        """(cells, cells): the share of the row's sprites that were guessed to be the column's."""
        cells = self.scores.shape[1]
        counts = np.bincount(self.truth * cells + self.guessed, minlength=cells**2).reshape(cells, cells)
        return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))


def guess(values: Floats, truth: Places, kin: Places, seed: int, landmarks: int = LANDMARKS) -> Guess:
    """Out-of-fold scores; `truth` numbers the cells from 0. A cell of one kin is never learnt from, and scores 0."""
    cells = int(truth.max()) + 1
    fold = folds(truth, kin, seed)
    standard = _standardised(values)
    chosen = standard[_landmarks(truth, seed, landmarks)]
    near, among = _kernel(standard, chosen), _kernel(chosen, chosen)
    weight = (1 / np.bincount(truth, minlength=cells))[truth].astype(np.float32)
    weight *= len(truth) / weight.sum()
    wanted = np.eye(cells, dtype=np.float32)[truth] - np.float32(1 / cells)
    parts = [_sums(near[fold == one], wanted[fold == one], weight[fold == one]) for one in range(FOLDS)]
    gram, product = sum(part[0] for part in parts), sum(part[1] for part in parts)
    scores = np.zeros((len(truth), cells), np.float32)
    for one, (own_gram, own_product) in enumerate(parts):
        held = fold == one
        ridge = _RIDGE * int((~held).sum()) * (among + _JITTER * np.eye(len(among)))
        scores[held] = near[held] @ _solved(gram - own_gram + ridge, product - own_product)
    return Guess(scores + np.float32(1 / cells), truth)


def folds(truth: Places, kin: Places, seed: int) -> Places:
    """(N,): the fold of each sprite. No kin is in two folds, and the kin of a cell are dealt out in turn.

    >>> folds(np.array([0, 0, 0, 1]), np.array([4, 4, 7, 9]), seed=0).tolist()
    [0, 0, 1, 1]
    """
    _, first, number = np.unique(kin, return_index=True, return_inverse=True)
    order = rng(seed, "folds").permutation(len(first))
    by_cell = order[np.argsort(truth[first][order], kind="stable")]
    cell = truth[first][by_cell]
    start = np.searchsorted(cell, cell)
    fold = np.empty(len(first), np.intp)
    fold[by_cell] = (np.arange(len(first)) - start + cell) % FOLDS
    return np.asarray(fold[number])


def _sums(near: Floats, wanted: Floats, weight: Floats) -> tuple[Exact, Exact]:
    exact = near.astype(np.float64)
    weighted = exact * weight[:, None]
    return weighted.T @ exact, weighted.T @ wanted


def _solved(gram: Exact, product: Exact) -> Floats:
    from scipy.linalg import solve

    return np.asarray(solve(gram, product, assume_a="pos"), np.float32)


def _standardised(values: Floats) -> Floats:
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 1e-9, spread, 1), np.float32)


def _landmarks(truth: Places, seed: int, most: int) -> Places:
    """Sprites by seed, as many of each cell as of the next, as far as there are."""
    order = rng(seed, "landmarks").permutation(len(truth))
    by_cell = order[np.argsort(truth[order], kind="stable")]
    counts = np.bincount(truth)
    rank = np.arange(len(truth)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(by_cell[np.argsort(rank, kind="stable")][:most])


def _kernel(a: Floats, b: Floats) -> Floats:
    """As wide as in `metrics.probe`."""
    apart = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None] - 2 * (a @ b.T)
    return np.asarray(np.exp(np.maximum(apart, 0) / np.float32(-3 * max(a.shape[1], 1))))
