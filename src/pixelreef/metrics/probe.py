"""Can labels be told from features? A small classifier, tried on sprites that it has not seen.

The classifier is a support vector machine with a Gaussian kernel on standardised features: a category holds many
species, and one straight border around them all does not fit. There is no chance in it. `probe` deals sprites into
folds and predicts each fold from the others, keeping every group (near-copies, frames of one creature) in one fold.
`probe_apart` learns from one set and is tried on another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.seeds import rng
from pixelreef.errors import InputError
from pixelreef.metrics.features import Features

Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Probe:
    """What was predicted for each sprite, and how often that was right."""

    labels: tuple[str, ...]
    """All labels, sorted."""
    truth: Places
    """(N,): the place of each sprite's own label among `labels`."""
    predicted: Places
    """(N,): the place of the predicted one."""

    @cached_property
    def confusion(self) -> Places:
        """(labels, labels): how many sprites of the row's label were taken for the column's."""
        kinds = len(self.labels)
        return np.bincount(self.truth * kinds + self.predicted, minlength=kinds**2).reshape(kinds, kinds)

    @property
    def accuracy(self) -> float:
        """The share of sprites whose label was predicted. Range: 0 to 1. Direction: higher is easier to tell."""
        return float((self.truth == self.predicted).mean())

    @property
    def by_label(self) -> dict[str, float | None]:
        """The same for the sprites of each label; None where there are none to try."""
        tried, right = self.confusion.sum(axis=1), self.confusion.diagonal()
        return {
            label: float(good / of) if of else None for label, good, of in zip(self.labels, right, tried, strict=True)
        }

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "accuracy": self.accuracy,
            "sprites": len(self.truth),
            "by_label": self.by_label,
            "labels": list(self.labels),
            "confusion": self.confusion.tolist(),
        }


def probe(
    features: Features,
    labels: Sequence[str],
    seed: int = 0,
    folds: int = 5,
    groups: Sequence[Hashable] | None = None,
) -> Probe:
    """Every sprite's label, predicted by a classifier that saw neither it nor any other of its group.

    The empty case is refused: there must be two labels, and every label must be in two groups.
    """
    if not len(features) == len(labels) == (len(labels) if groups is None else len(groups)):
        raise InputError("labels and groups", f"be one for each of {len(features)} sprites", len(labels))
    names, truth = _numbered(labels)
    fold = fold_of(labels, range(len(labels)) if groups is None else groups, seed, folds)
    predicted = np.zeros(len(labels), np.intp)
    for number in range(int(fold.max()) + 1):
        held = fold == number
        predicted[held] = (
            _classifier(len(features.names)).fit(features.values[~held], truth[~held]).predict(features.values[held])
        )
    return Probe(names, truth, predicted)


def probe_apart(
    learnt: Features,
    learnt_labels: Sequence[str],
    tried: Features,
    tried_labels: Sequence[str],
    *,
    standardise: bool = True,
) -> Probe:
    """The labels of one set, predicted by a classifier that saw only the other.

    `standardise` is off for features that already are of one scale: over sprites without a stray pixel, a feature that
    would see one has next to no spread, and standardising makes it outweigh all others.
    """
    if learnt.names != tried.names:
        raise InputError("features of both sets", "be the same", [len(learnt.names), len(tried.names)])
    if len(learnt) != len(learnt_labels) or len(tried) != len(tried_labels) or not len(tried):
        got = [len(learnt_labels), len(tried_labels)]
        raise InputError("labels", f"be one for each of {len(learnt)} and {len(tried)} sprites", got)
    if len(set(learnt_labels)) < 2:
        raise InputError("labels", "be at least two", sorted(set(learnt_labels)))
    names, numbers = _numbered([*learnt_labels, *tried_labels])
    known, truth = numbers[: len(learnt)], numbers[len(learnt) :]
    classifier = _classifier(len(learnt.names), standardise)
    return Probe(names, truth, classifier.fit(learnt.values, known).predict(tried.values))


def fold_of(labels: Sequence[str], groups: Sequence[Hashable], seed: int, folds: int = 5) -> Places:
    """(N,): the fold of each sprite. No group is in two folds; each label is spread as evenly as its groups allow.

    Groups are dealt in a random order, the larger ones first, each to the fold that has least of its commonest label.

    >>> fold_of(["fish"] * 4 + ["coral"] * 4, ["a", "a", "b", "b", "c", "d", "d", "c"], seed=0, folds=2).tolist()
    [1, 1, 0, 0, 0, 1, 1, 0]
    """
    members: dict[Hashable, list[int]] = {}
    for place, group in enumerate(groups):
        members.setdefault(group, []).append(place)
    label_of = {
        group: Counter(labels[place] for place in places).most_common(1)[0][0] for group, places in members.items()
    }
    per_label = Counter(label_of.values())
    if len(per_label) < 2 or min(per_label.values()) < 2:
        got = dict(per_label.most_common()[:-4:-1])
        raise InputError("labels", "be at least two, each in at least two groups", got, "Leave out the others.")
    folds = max(2, min(folds, max(per_label.values())))
    order = rng(seed, "probe").permutation(len(members))
    dealt = sorted(zip(order, members, strict=True), key=lambda pair: (-len(members[pair[1]]), pair[0]))
    held: dict[str, list[int]] = {label: [0] * folds for label in per_label}
    total = [0] * folds
    fold = np.zeros(len(labels), np.intp)
    for _, group in dealt:
        label = label_of[group]
        least = min(range(folds), key=lambda number: (held[label][number], total[number]))
        held[label][least] += len(members[group])
        total[least] += len(members[group])
        fold[members[group]] = least
    return fold


def _numbered(labels: Sequence[str]) -> tuple[tuple[str, ...], Places]:
    names, places = np.unique(np.array(labels, dtype=str), return_inverse=True)
    return tuple(names.tolist()), places.astype(np.intp)


def _classifier(features: int, standardise: bool = True) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    # Of the penalties 1, 5, 20 and widths 1/n, 1/3n the best on public tiles and on the reef alike (docs/metrics.md).
    machine = SVC(C=20, gamma=1 / (3 * max(features, 1)))
    return make_pipeline(StandardScaler(), machine) if standardise else machine
