"""How well borders of classes lie: boundary IoU and boundary F of label grids, all classes at once.

**Boundary IoU** (Cheng et al., CVPR 2021) is the IoU of two bands. The band of a class is the part of its own region at
most `width` pixels from where the region ends, counted as its authors' code erodes: in squares, so diagonally too, and
with the edge of the picture as an end of every region. `band_counts` gives `Counts`, and `overlap.iou` of them is it.

**Boundary F** (Csurka et al., BMVC 2013; Perazzi et al., CVPR 2016) compares contours. The contour of a class is its
pixels that have a pixel of another label above, below or beside them; the edge of the picture makes none. Precision is
the share of the predicted contour that has truth contour of the same class within `width` pixels (Euclidean), recall
the share of the truth contour that has predicted contour so near. `contour_counts` counts, `boundary_f` divides.

Ignored pixels are as if outside the picture, in truth and prediction alike. Widths are pixels of the truth;
`width_from_share` gives them from a share of the diagonal: 0.02 as in Cheng et al., 0.0075 as in Csurka et al.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.errors import GridError, InputError
from pixelreef.metrics.overlap import Counts, Labels, Over, Pixels, check_labels
from pixelreef.metrics.windows import window_extremes

Places = NDArray[np.intp]

BAND_SHARE = 0.02
CONTOUR_SHARE = 0.0075
MAX_WIDTH = 256
_AT_ONCE = 1 << 21  # places looked at together: 16 MB of indices


@dataclass(frozen=True, eq=False)
class ContourCounts:
    """Contour pixels of each class, (classes,) each; add them to count several images as one."""

    truth: Pixels
    truth_near: Pixels
    """Of those, the ones with predicted contour of their class within the width."""
    predicted: Pixels
    predicted_near: Pixels

    @classmethod
    def none(cls, classes: int) -> ContourCounts:
        """Of no image: what sums start from."""
        return cls(*(np.zeros(classes, np.int64) for _ in range(4)))

    def __add__(self, other: ContourCounts) -> ContourCounts:
        return ContourCounts(
            self.truth + other.truth,
            self.truth_near + other.truth_near,
            self.predicted + other.predicted,
            self.predicted_near + other.predicted_near,
        )


def width_from_share(shape: tuple[int, ...], share: float) -> int:
    """So many pixels are that share of the diagonal, rounded, at least 1.

    >>> width_from_share((1024, 1024), 0.02), width_from_share((8, 8), 0.02)
    (29, 1)
    """
    return max(1, round(share * math.hypot(*shape[:2])))


def band_counts(truth: Labels, predicted: Labels, classes: int, width: int, ignore: Collection[int] = ()) -> Counts:
    """Pixels of each class's band in the truth, in the prediction, and in both.

    >>> truth = np.repeat([[0, 0, 0, 0, 1, 1, 1, 1]], 9, axis=0)
    >>> predicted = np.repeat([[0, 0, 0, 0, 0, 1, 1, 1]], 9, axis=0)
    >>> counts = band_counts(truth, predicted, 2, width=1)
    >>> counts.truth.tolist(), counts.hits.tolist()  # of 9 × 4 pixels of each class, 7 × 2 are not in its band
    ([22, 22], [15, 13])
    """
    truth, predicted = _cut(truth, predicted, classes, width, ignore)
    in_truth, in_prediction = (np.where(_band(labels, width), labels, classes) for labels in (truth, predicted))
    both = np.where(in_truth == in_prediction, in_truth, classes)
    return Counts(_tallied(both, classes), _tallied(in_truth, classes), _tallied(in_prediction, classes))


def contour_counts(
    truth: Labels, predicted: Labels, classes: int, width: int, ignore: Collection[int] = ()
) -> ContourCounts:
    """Pixels of each class's contour in truth and prediction, and how many have the other within the width.

    >>> truth = np.repeat([[0, 0, 0, 0, 1, 1, 1, 1]], 9, axis=0)
    >>> predicted = np.repeat([[0, 0, 0, 0, 0, 0, 1, 1]], 9, axis=0)
    >>> counts = contour_counts(truth, predicted, 2, width=2)
    >>> counts.truth.tolist(), counts.truth_near.tolist(), counts.predicted.tolist()
    ([9, 9], [9, 9], [9, 9])
    """
    truth, predicted = _cut(truth, predicted, classes, width, ignore)
    ours, theirs = (np.pad(_contour(labels, classes), width, constant_values=classes) for labels in (truth, predicted))
    return ContourCounts(
        _tallied(ours, classes),
        _tallied(_near(ours, theirs, width, classes), classes),
        _tallied(theirs, classes),
        _tallied(_near(theirs, ours, width, classes), classes),
    )


def boundary_f(counts: ContourCounts) -> Floats:
    """(classes,): the harmonic mean of the shares of predicted and of truth contour that lie near one another.

    Range: 0 to 1. Direction: higher is better. Empty: NaN for a class without any contour; 0 when only one side has it.

    >>> truth = np.repeat([[0, 0, 0, 0, 1, 1, 1, 1]], 9, axis=0)
    >>> predicted = np.repeat([[0, 0, 0, 0, 0, 0, 1, 1]], 9, axis=0)
    >>> [boundary_f(contour_counts(truth, predicted, 3, width)).tolist() for width in (1, 2)]
    [[0.0, 0.0, nan], [1.0, 1.0, nan]]
    """
    there = counts.truth + counts.predicted > 0
    precision = counts.predicted_near / np.maximum(counts.predicted, 1)
    recall = counts.truth_near / np.maximum(counts.truth, 1)
    both = precision + recall
    values = np.divide(2 * precision * recall, both, out=np.zeros(both.shape), where=both > 0)
    return np.where(there, values, np.nan)


def mean_boundary_f(counts: ContourCounts, over: Over = "union") -> float:
    """The mean `boundary_f` over the classes with contour in the truth, or in truth or prediction.

    Range: 0 to 1. Direction: higher is better. Empty: NaN when there is no contour.

    >>> stray = contour_counts(np.array([[0, 0, 1]]), np.array([[0, 0, 2]]), 3, width=1)
    >>> mean_boundary_f(stray, "truth"), round(mean_boundary_f(stray, "union"), 3)
    (0.5, 0.333)
    """
    there = counts.truth > 0 if over == "truth" else counts.truth + counts.predicted > 0
    return float(boundary_f(counts)[there].mean()) if there.any() else float("nan")


def _cut(truth: Labels, predicted: Labels, classes: int, width: int, ignore: Collection[int]) -> tuple[Labels, Labels]:
    """Both with ignored pixels as one label beyond unknown, in the smallest type that holds it."""
    if not 1 <= width <= MAX_WIDTH:
        raise InputError("width", f"be from 1 to {MAX_WIDTH} pixels", width)
    check_labels(truth, predicted, classes)
    small = np.uint8 if classes + 1 < 256 else np.uint16
    void = np.isin(truth, list(ignore))
    stranger = (truth >= classes) & ~void
    if stranger.any():
        raise GridError("truth labels", f"be below {classes}, or ignored", int(truth[stranger][0]))
    if not void.any():
        return truth.astype(small, copy=False), predicted.astype(small, copy=False)
    return np.where(void, classes + 1, truth).astype(small), np.where(void, classes + 1, predicted).astype(small)


def _band(labels: Labels, width: int) -> NDArray[np.bool_]:
    """Pixels whose window holds another label, or reaches beyond the picture."""
    least, largest = window_extremes(labels, width)
    band = np.asarray(least != largest)
    band[:width], band[-width:], band[:, :width], band[:, -width:] = True, True, True, True
    return band


def _contour(labels: Labels, classes: int) -> Labels:
    """The label of every contour pixel, `classes` elsewhere. A border to ignored pixels is none."""
    edge = np.zeros(labels.shape, np.bool_)
    down, along = labels[1:] != labels[:-1], labels[:, 1:] != labels[:, :-1]
    seen = labels <= classes
    if not seen.all():
        down &= seen[1:] & seen[:-1]
        along &= seen[:, 1:] & seen[:, :-1]
    edge[1:] |= down
    edge[:-1] |= down
    edge[:, 1:] |= along
    edge[:, :-1] |= along
    return np.where(edge & seen, labels, classes).astype(labels.dtype)


def _near(contour: Labels, other: Labels, width: int, classes: int) -> Labels:
    """The labels (n,) of the pixels of one padded contour that have the other's of the same label within the width.

    Contours are thin: looking at every place of the disc around each pixel, or around each of the other contour where
    that is much shorter, is several times cheaper than a distance transform for each class.
    """
    ours, theirs = np.flatnonzero(contour != classes), np.flatnonzero(other != classes)
    rings = _rings(width, contour.shape[1])
    if len(ours) <= 4 * len(theirs):  # looking stops at the first one found, marking does not
        return _with_one_around(contour.ravel(), ours, other.ravel(), rings)
    return _around_one(contour.ravel(), other.ravel(), theirs, rings)


def _with_one_around(contour: Labels, places: Places, other: Labels, rings: list[Places]) -> Labels:
    """Around each of `places`, nearest first and until one is found, look for its label in the other contour."""
    labels, found = contour[places], [contour[:0]]
    for offsets in rings:
        parts = np.array_split(places, 1 + len(places) * len(offsets) // _AT_ONCE)
        near = np.concatenate(
            [(other[part[:, None] + offsets] == contour[part][:, None]).any(axis=1) for part in parts]
        )
        found.append(labels[near])
        places, labels = places[~near], labels[~near]
    return np.concatenate(found)


def _around_one(contour: Labels, other: Labels, places: Places, rings: list[Places]) -> Labels:
    """The same, from the other side: around each of the other's `places`, mark what has its label in this contour."""
    near = np.zeros(contour.shape, np.bool_)
    for offsets in rings:
        for part in np.array_split(places, 1 + len(places) * len(offsets) // _AT_ONCE):
            around = part[:, None] + offsets
            near[around[contour[around] == other[part][:, None]]] = True
    return contour[near]


def _rings(width: int, line: int) -> list[Places]:
    """The places of a disc as offsets in rows of `line`, nearest first, in groups that grow."""
    dy, dx = np.mgrid[-width : width + 1, -width : width + 1]
    squares = (dy**2 + dx**2).ravel()
    order = np.argsort(squares, kind="stable")
    order = order[squares[order] <= width**2]
    offsets = (dy * line + dx).ravel()[order]
    ends = [1, 9, 25, 81, *range(321, len(offsets), 240)]
    return [part for part in np.split(offsets, [end for end in ends if end < len(offsets)]) if len(part)]


def _tallied(labels: Labels, classes: int) -> Pixels:
    return np.bincount(labels.ravel(), minlength=classes + 1)[:classes].astype(np.int64)
