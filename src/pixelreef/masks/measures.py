"""The figures of one mask: every overlap and boundary measure by its name, and what a failure scores.

The primary figure is fixed: `mean_iou_union` under the decoder `robust`, unknown pixels wrong, failures 0, the mean
over images. Everything else is there to understand it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pixelreef.metrics import boundary, overlap
from pixelreef.metrics.boundary import ContourCounts
from pixelreef.metrics.overlap import Counts

PRIMARY = "mean_iou_union"
MEASURES_VERSION = 1

QUALITY = {
    "mean_iou_union": "mean IoU over the classes of truth and prediction",
    "mean_iou_truth": "mean IoU over the classes of the truth",
    "pixel_accuracy": "pixels of the right class",
    "macro_f1_union": "mean F1 (Dice) over the classes of truth and prediction",
    "macro_f1_truth": "mean F1 (Dice) over the classes of the truth",
    "macro_precision_union": "mean precision over all predicted classes",
    "macro_precision_truth": "mean precision over predicted classes of the truth",
    "macro_recall": "mean recall over the classes of the truth",
    "weighted_iou": "IoU weighted by the area of each class in the truth",
}
"""Measures that are 0 for a failure: from 0 to 1, higher is better."""

EDGES = {
    "boundary_iou_union": "mean boundary IoU over the classes of truth and prediction",
    "boundary_iou_truth": "mean boundary IoU over the classes of the truth",
    "boundary_f_union": "mean boundary F over the classes with contour in truth or prediction",
    "boundary_f_truth": "mean boundary F over the classes with contour in the truth",
}
"""Of borders, where they are asked for; 0 for a failure too."""

SIGNS = {
    "stray_classes": "classes predicted that the truth does not have",
    "stray_area": "pixels of those classes",
    "unknown_share": "pixels of no class",
}
"""What went wrong; missing for a failure. Lower is better."""

FAILURES = {
    "missing": "There is no file.",
    "refused": "The model declined.",
    "error": "The call to the model failed.",
    "timeout": "No answer came in time.",
    "unreadable": "The file is no picture, or a broken one.",
    "not-a-mask": "The photograph came back, or a picture that is not painted in few colours.",
    "one-colour": "One class covers everything, where the truth has several.",
}
"""Reason → a sentence for people. Each scores 0 in every quality measure."""


@dataclass(frozen=True)
class Widths:
    """How wide borders are, as shares of the truth's diagonal."""

    band: float = boundary.BAND_SHARE
    contour: float = boundary.CONTOUR_SHARE


@dataclass(frozen=True, eq=False)
class Borders:
    """What borders are counted by; add them to count several images as one."""

    bands: Counts
    contours: ContourCounts

    def __add__(self, other: Borders) -> Borders:
        return Borders(self.bands + other.bands, self.contours + other.contours)


def measures_from_counts(counts: Counts, borders: Borders | None = None) -> dict[str, float]:
    """Every measure by its name; NaN where it has no value. Of one image, or of the sum of several.

    >>> import numpy as np
    >>> found = measures_from_counts(overlap.count(np.array([[0, 1]]), np.array([[0, 2]]), classes=2))
    >>> found["mean_iou_union"], found["unknown_share"]
    (0.5, 0.5)
    """
    found = {
        "mean_iou_union": overlap.mean_iou(counts, "union"),
        "mean_iou_truth": overlap.mean_iou(counts, "truth"),
        "pixel_accuracy": overlap.pixel_accuracy(counts),
        "macro_f1_union": overlap.macro_f1(counts, "union"),
        "macro_f1_truth": overlap.macro_f1(counts, "truth"),
        "macro_precision_union": overlap.macro_precision(counts, "union"),
        "macro_precision_truth": overlap.macro_precision(counts, "truth"),
        "macro_recall": overlap.macro_recall(counts),
        "weighted_iou": overlap.weighted_iou(counts),
        "stray_classes": float(overlap.strays(counts).sum()),
        "stray_area": overlap.stray_area(counts),
        "unknown_share": overlap.unknown_share(counts),
    }
    if borders is not None:
        found["boundary_iou_union"] = overlap.mean_iou(borders.bands, "union")
        found["boundary_iou_truth"] = overlap.mean_iou(borders.bands, "truth")
        found["boundary_f_union"] = boundary.mean_boundary_f(borders.contours, "union")
        found["boundary_f_truth"] = boundary.mean_boundary_f(borders.contours, "truth")
    return found


def measures_of_failure(*, edges: bool) -> Mapping[str, float]:
    """0 wherever quality is measured, no value elsewhere."""
    scored = {**QUALITY, **EDGES} if edges else QUALITY
    return {**dict.fromkeys(scored, 0.0), **dict.fromkeys(SIGNS, math.nan)}
