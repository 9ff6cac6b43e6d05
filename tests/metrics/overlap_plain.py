"""Overlap and boundary measures written plainly, one class and one pixel at a time, to compare with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Labels = NDArray[np.integer[Any]]
SQUARE = np.ones((3, 3), np.bool_)


def plain_class_counts(truth: Labels, predicted: Labels, label: int, void: int | None = None) -> tuple[int, int, int]:
    """Hits, truth and predicted pixels of one class."""
    hits = in_truth = in_prediction = 0
    for t, p in zip(truth.ravel().tolist(), predicted.ravel().tolist(), strict=True):
        if t == void:
            continue
        hits += t == label == p
        in_truth += t == label
        in_prediction += p == label
    return hits, in_truth, in_prediction


def plain_ious(truth: Labels, predicted: Labels, classes: int, void: int | None = None) -> list[float | None]:
    found: list[float | None] = []
    for label in range(classes):
        hits, in_truth, in_prediction = plain_class_counts(truth, predicted, label, void)
        union = in_truth + in_prediction - hits
        found.append(hits / union if union else None)
    return found


def plain_boundary_iou(truth: NDArray[np.bool_], predicted: NDArray[np.bool_], width: int) -> float | None:
    """As the authors' code: the mask less the mask eroded `width` times by a 3×3 square, zeros around the picture."""
    bands = [mask & ~ndimage.binary_erosion(mask, SQUARE, iterations=width) for mask in (truth, predicted)]
    union = (bands[0] | bands[1]).sum()
    return float((bands[0] & bands[1]).sum() / union) if union else None


def plain_contour(mask: NDArray[np.bool_], seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pixels of the mask with a 4-neighbour that is in the picture, seen and outside the mask."""
    found = np.zeros(mask.shape, np.bool_)
    for y, x in np.argwhere(mask & seen).tolist():
        for v, u in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            if 0 <= v < mask.shape[0] and 0 <= u < mask.shape[1] and seen[v, u] and not mask[v, u]:
                found[y, x] = True
    return found


def plain_boundary_f(
    truth: NDArray[np.bool_], predicted: NDArray[np.bool_], width: int, seen: NDArray[np.bool_]
) -> float | None:
    """By exact distance transforms of the two contours."""
    ours, theirs = plain_contour(truth, seen), plain_contour(predicted, seen)
    if not ours.any() and not theirs.any():
        return None
    if not ours.any() or not theirs.any():
        return 0.0
    recall = (ndimage.distance_transform_edt(~theirs)[ours] <= width).mean()
    precision = (ndimage.distance_transform_edt(~ours)[theirs] <= width).mean()
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0
