"""How well one label grid covers another: counts first, then every overlap measure as a division of counts.

    confusion (pixels of every truth class under every predicted label)
        → Counts (pixels hit, in the truth, predicted, for each class)
        → pixel accuracy, IoU, F1, precision, recall, their means, stray area, unknown share

Labels are whole numbers from 0: `classes` of them, in truth and prediction alike. A prediction may also hold the label
`classes`, *unknown*: no class was predicted there, which is never right. Truth labels that are to be ignored are masked
out before anything is counted, and whatever was predicted there with them.

Counts of several images can be added: measures of the sum are measures of the data set; the mean of the measures of
each is another number, and both have their place. A class in neither truth nor prediction has no value (NaN) and is
left out of every mean: it is never 0, 1 or −1. A class that is predicted where the truth has none is a *stray*. Means
say whether they go over the classes of the truth, or over the union of truth and prediction, where each stray adds a 0.

F1 of a class is 2·hits / (truth + predicted): the same number as its Dice coefficient.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.errors import GridError

Labels = NDArray[np.integer[Any]]
Pixels = NDArray[np.int64]
Over = Literal["truth", "union"]

MAX_CLASSES = 2**10


@dataclass(frozen=True, eq=False)
class Counts:
    """Pixels of each class, (classes,) each; add them to count several images as one."""

    hits: Pixels
    """Of the class in truth and prediction."""
    truth: Pixels
    predicted: Pixels
    unknown: int = 0
    """Pixels for which no class was predicted."""

    @classmethod
    def none(cls, classes: int) -> Counts:
        """Of no image: what sums start from."""
        hits, truth, predicted = np.zeros((3, classes), np.int64)
        return cls(hits, truth, predicted)

    @property
    def pixels(self) -> int:
        """All that were compared."""
        return int(self.truth.sum())

    def __add__(self, other: Counts) -> Counts:
        if self.hits.shape != other.hits.shape:
            raise GridError("counts", "be of one number of classes to be added", (len(self.hits), len(other.hits)))
        return Counts(
            self.hits + other.hits,
            self.truth + other.truth,
            self.predicted + other.predicted,
            self.unknown + other.unknown,
        )


@dataclass(frozen=True, eq=False)
class Confusion:
    """Pixels of each truth class (row) under each predicted label (column): (classes, classes + 1), unknown last."""

    matrix: Pixels

    @property
    def counts(self) -> Counts:
        """Hits, truth and predicted pixels of each class."""
        matrix = self.matrix
        return Counts(
            matrix.diagonal().copy(), matrix.sum(axis=1), matrix[:, :-1].sum(axis=0), int(matrix[:, -1].sum())
        )

    def __add__(self, other: Confusion) -> Confusion:
        if self.matrix.shape != other.matrix.shape:
            raise GridError("confusions", "be of one size to be added", (self.matrix.shape, other.matrix.shape))
        return Confusion(self.matrix + other.matrix)


def confusion(truth: Labels, predicted: Labels, classes: int, ignore: Collection[int] = ()) -> Confusion:
    """Count the pixels of every pair of labels; those whose truth is in `ignore` are not counted at all.

    >>> truth = np.array([[0, 0, 1, 9]], np.uint8)
    >>> predicted = np.array([[0, 1, 2, 0]], np.uint8)  # with two classes, 2 is unknown
    >>> confusion(truth, predicted, classes=2, ignore=[9]).matrix.tolist()
    [[1, 1, 0], [0, 0, 1]]
    """
    check_labels(truth, predicted, classes)
    columns, ignored, wrong = classes + 1, classes, classes + 1  # two rows more, for what is not to be counted
    rows = np.full(int(truth.max(initial=0)) + 1, wrong, np.intp)
    rows[:classes] = np.arange(min(classes, len(rows)))
    for label in ignore:
        if 0 <= label < len(rows):
            rows[label] = ignored
    codes = (rows * columns)[truth]
    codes += predicted
    table = np.bincount(codes.ravel(), minlength=(classes + 2) * columns).reshape(classes + 2, columns)
    if table[wrong].any():
        known = np.flatnonzero(rows != wrong)
        stranger = int(truth[~np.isin(truth, known)][0])
        raise GridError("truth labels", f"be below {classes}, or ignored", stranger)
    return Confusion(table[:classes].astype(np.int64))


def count(truth: Labels, predicted: Labels, classes: int, ignore: Collection[int] = ()) -> Counts:
    """`confusion`, as counts.

    >>> count(np.array([[0, 0, 1]]), np.array([[0, 1, 1]]), classes=3).predicted.tolist()
    [1, 2, 0]
    """
    return confusion(truth, predicted, classes, ignore).counts


def pixel_accuracy(counts: Counts) -> float:
    """The share of pixels whose class is right; unknown is not.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when no pixel was compared.

    >>> pixel_accuracy(count(np.array([[0, 0, 1, 1]]), np.array([[0, 1, 1, 2]]), classes=2))
    0.5
    """
    return _share(int(counts.hits.sum()), counts.pixels)


def iou(counts: Counts) -> Floats:
    """(classes,): intersection over union, hits / (truth + predicted − hits).

    Range: 0 to 1. Direction: higher is better. Empty: NaN for a class in neither; 0 for a stray.

    >>> iou(count(np.array([[0, 0, 1]]), np.array([[0, 1, 1]]), classes=3)).tolist()
    [0.5, 0.5, nan]
    """
    return _divided(counts.hits, counts.truth + counts.predicted - counts.hits)


def f1(counts: Counts) -> Floats:
    """(classes,): the harmonic mean of precision and recall, which is Dice's coefficient.

    Range: 0 to 1. Direction: higher is better. Empty: NaN for a class in neither; 0 for a stray.

    >>> f1(count(np.array([[0, 0, 1]]), np.array([[0, 1, 1]]), classes=3)).round(3).tolist()
    [0.667, 0.667, nan]
    """
    return _divided(2 * counts.hits, counts.truth + counts.predicted)


def precision(counts: Counts) -> Floats:
    """(classes,): the share of a class's predicted pixels that are right.

    Range: 0 to 1. Direction: higher is better. Empty: NaN for a class that is not predicted, in the truth or not.

    >>> precision(count(np.array([[0, 0, 1]]), np.array([[0, 1, 1]]), classes=3)).tolist()
    [1.0, 0.5, nan]
    """
    return _divided(counts.hits, counts.predicted)


def recall(counts: Counts) -> Floats:
    """(classes,): the share of a class's truth pixels that were found.

    Range: 0 to 1. Direction: higher is better. Empty: NaN for a class that is not in the truth, predicted or not.

    >>> recall(count(np.array([[0, 0, 1]]), np.array([[0, 1, 1]]), classes=3)).tolist()
    [0.5, 1.0, nan]
    """
    return _divided(counts.hits, counts.truth)


def mean_iou(counts: Counts, over: Over = "union") -> float:
    """The mean `iou` over the classes of the truth, or over those of truth and prediction.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when there is no such class.

    >>> stray = count(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 1, 2]]), classes=3)
    >>> mean_iou(stray, over="truth"), mean_iou(stray, over="union")
    (0.75, 0.5)
    """
    return mean_over(iou(counts), counts, over)


def macro_f1(counts: Counts, over: Over = "union") -> float:
    """The mean `f1`, which is the mean Dice, over the classes of the truth, or over those of truth and prediction.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when there is no such class.

    >>> stray = count(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 1, 2]]), classes=3)
    >>> round(macro_f1(stray, over="truth"), 3), round(macro_f1(stray, over="union"), 3)
    (0.833, 0.556)
    """
    return mean_over(f1(counts), counts, over)


def macro_precision(counts: Counts, over: Over = "union") -> float:
    """The mean `precision`; over the union every stray adds a 0. What was not predicted has none and is left out.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when none of the classes was predicted.

    >>> macro_precision(count(np.array([[0, 0, 1]]), np.array([[0, 0, 2]]), classes=3), over="truth")
    1.0
    """
    return mean_over(precision(counts), counts, over)


def macro_recall(counts: Counts) -> float:
    """The mean `recall` over the classes of the truth; a stray has none, so the union gives the same.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when the truth has no class.

    >>> macro_recall(count(np.array([[0, 0, 1]]), np.array([[0, 0, 2]]), classes=3))
    0.5
    """
    return mean_over(recall(counts), counts, "truth")


def weighted_iou(counts: Counts) -> float:
    """`iou` weighted by each class's share of the truth; strays weigh nothing.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when no pixel was compared.

    >>> weighted_iou(count(np.array([[0, 0, 0, 1]]), np.array([[0, 0, 0, 2]]), classes=3))
    0.75
    """
    if not counts.pixels:
        return float("nan")
    return float(np.nansum(iou(counts) * counts.truth) / counts.pixels)


def strays(counts: Counts) -> NDArray[np.bool_]:
    """(classes,): which were predicted and are not in the truth.

    >>> strays(count(np.array([[0, 0]]), np.array([[0, 1]]), classes=3)).tolist()
    [False, True, False]
    """
    return np.asarray((counts.predicted > 0) & (counts.truth == 0))


def stray_area(counts: Counts) -> float:
    """The share of pixels that were predicted to be of a class that the truth does not have.

    Range: 0 to 1. Direction: lower is better. Empty: NaN when no pixel was compared.

    >>> stray_area(count(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 1, 2]]), classes=3))
    0.25
    """
    return _share(int(counts.predicted[strays(counts)].sum()), counts.pixels)


def unknown_share(counts: Counts) -> float:
    """The share of pixels for which no class was predicted.

    Range: 0 to 1. Direction: lower is better. Empty: NaN when no pixel was compared.

    >>> unknown_share(count(np.array([[0, 0, 1, 1]]), np.array([[0, 0, 1, 2]]), classes=2))
    0.25
    """
    return _share(counts.unknown, counts.pixels)


def mean_over(values: Floats, counts: Counts, over: Over) -> float:
    """The mean of each class's value over the classes of the truth or of the union; NaN values are left out.

    >>> mean_over(np.array([1.0, 0.0, np.nan]), count(np.array([[0]]), np.array([[1]]), classes=3), "union")
    0.5
    """
    there = counts.truth > 0 if over == "truth" else (counts.truth > 0) | (counts.predicted > 0)
    chosen = values[there & ~np.isnan(values)]
    return float(chosen.mean()) if len(chosen) else float("nan")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")


def _divided(part: Pixels, whole: Pixels) -> Floats:
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0))


def check_labels(truth: Labels, predicted: Labels, classes: int) -> None:
    """Two grids of one size, whole numbers within bounds, and no predicted label beyond unknown."""
    if not 1 <= classes <= MAX_CLASSES:
        raise GridError("classes", f"be from 1 to {MAX_CLASSES}", classes)
    for name, labels in (("truth", truth), ("predicted", predicted)):
        if labels.ndim != 2 or labels.dtype.kind not in "iu":
            raise GridError(f"{name} labels", "be a (H, W) array of whole numbers", (labels.shape, str(labels.dtype)))
        if labels.size and labels.dtype.kind == "i" and int(labels.min()) < 0:
            raise GridError(f"{name} labels", "be at least 0", int(labels.min()))
        if labels.size and int(labels.max()) >= 2**16:
            raise GridError(f"{name} labels", f"be below {2**16:,}", int(labels.max()))
    if truth.shape != predicted.shape:
        raise GridError("truth and prediction", "have one size", (truth.shape, predicted.shape))
    if predicted.size and int(predicted.max()) > classes:
        raise GridError("predicted labels", f"be at most {classes}, which is unknown", int(predicted.max()))
