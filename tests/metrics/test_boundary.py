from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_grids import Labels, label_pairs, pair
from metrics.overlap_plain import plain_boundary_f, plain_boundary_iou
from scipy import ndimage

from pixelreef.errors import GridError, InputError
from pixelreef.metrics.boundary import (
    ContourCounts,
    band_counts,
    boundary_f,
    contour_counts,
    mean_boundary_f,
    width_from_share,
)
from pixelreef.metrics.overlap import Counts, iou, mean_iou
from pixelreef.metrics.windows import window_extremes


def none_as_nan(values: list[float | None]) -> list[float]:
    return [math.nan if value is None else value for value in values]


@given(label_pairs(), st.integers(1, 4))
def test_both_measures_equal_plain_ones_of_each_class(case: tuple[Labels, Labels, int], width: int) -> None:
    truth, predicted, classes = case
    void = truth == classes + 1
    masks = [((truth == label) & ~void, (predicted == label) & ~void) for label in range(classes)]
    bands = iou(band_counts(truth, predicted, classes, width, ignore=[classes + 1]))
    assert np.allclose(bands, none_as_nan([plain_boundary_iou(t, p, width) for t, p in masks]), equal_nan=True)
    contours = boundary_f(contour_counts(truth, predicted, classes, width, ignore=[classes + 1]))
    expected = [plain_boundary_f(t, p, width, ~void) for t, p in masks]
    assert np.allclose(contours, none_as_nan(expected), equal_nan=True)


@pytest.mark.parametrize("width", [1, 3, 9, 20])
def test_larger_grids_and_widths_too(width: int) -> None:
    random = np.random.default_rng(width)
    for kind in range(4):
        truth, predicted = pair(random, kind, side=48, classes=300)
        everything = np.ones(truth.shape, np.bool_)
        bands = iou(band_counts(truth, predicted, 300, width))
        contours = boundary_f(contour_counts(truth, predicted, 300, width))
        for label in np.unique(truth).tolist():
            t, p = truth == label, predicted == label
            assert bands[label] == pytest.approx(plain_boundary_iou(t, p, width))
            expected = plain_boundary_f(t, p, width, everything)
            assert contours[label] == pytest.approx(math.nan if expected is None else expected, nan_ok=True)


@given(label_pairs(), st.integers(1, 5))
def test_what_is_the_same_has_1_and_what_is_empty_has_none(case: tuple[Labels, Labels, int], width: int) -> None:
    _, labels, classes = case
    bands, contours = (
        band_counts(labels, labels, classes + 1, width),
        contour_counts(labels, labels, classes + 1, width),
    )
    assert set(iou(bands)[~np.isnan(iou(bands))]) <= {1.0}
    assert set(boundary_f(contours)[~np.isnan(boundary_f(contours))]) <= {1.0}
    assert np.isnan(iou(bands)).tolist() == [label not in labels for label in range(classes + 1)]
    blank = contour_counts(np.zeros((4, 4), int), np.zeros((4, 4), int), 2, width)
    assert np.isnan(boundary_f(blank)).all()
    assert math.isnan(mean_boundary_f(blank, "truth"))
    assert math.isnan(mean_boundary_f(blank, "union"))


def test_a_wider_band_forgives_more() -> None:
    truth = np.zeros((64, 64), np.uint8)
    truth[16:48, 16:48] = 1
    predicted = np.roll(truth, (2, 2), (0, 1))
    bands = [mean_iou(band_counts(truth, predicted, 2, width)) for width in (1, 2, 4, 8, 16)]
    assert bands == sorted(bands)
    assert mean_boundary_f(contour_counts(truth, predicted, 2, 1)) < 0.1
    assert mean_boundary_f(contour_counts(truth, predicted, 2, 3)) == 1


def test_a_stray_has_zero_and_is_counted_over_the_union_only() -> None:
    truth = np.zeros((8, 8), np.uint8)
    truth[:, 4:] = 1
    predicted = truth.copy()
    predicted[0, 0] = 2
    contours = contour_counts(truth, predicted, 3, 1)
    assert boundary_f(contours)[2] == 0
    assert mean_boundary_f(contours, "truth") > mean_boundary_f(contours, "union") > 0.5


def test_counts_add_up() -> None:
    truth, predicted = pair(np.random.default_rng(3), 3, side=20, classes=6)
    once = contour_counts(truth, predicted, 6, 2)
    twice = once + once + ContourCounts.none(6)
    assert np.array_equal(boundary_f(twice), boundary_f(once), equal_nan=True)
    assert twice.truth.sum() == 2 * once.truth.sum()
    bands = band_counts(truth, predicted, 6, 2)
    assert np.array_equal(iou(bands + bands + Counts.none(6)), iou(bands), equal_nan=True)


def test_widths_from_a_share_of_the_diagonal() -> None:
    assert [width_from_share((512, 512), share) for share in (0.02, 0.0075, 0.0001)] == [14, 5, 1]


@pytest.mark.parametrize("width", [0, 257])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(InputError, match="width must be from 1 to 256"):
        contour_counts(np.zeros((3, 3), int), np.zeros((3, 3), int), 2, width)


def test_labels_are_checked() -> None:
    with pytest.raises(GridError, match="one size"):
        band_counts(np.zeros((3, 3), int), np.zeros((3, 4), int), 2, 1)
    with pytest.raises(GridError, match="below 2, or ignored, got 3"):
        band_counts(np.full((3, 3), 3), np.zeros((3, 3), int), 2, 1)


@pytest.mark.parametrize("radius", [0, 1, 2, 5, 13])
def test_window_extremes_equal_those_of_scipy(radius: int) -> None:
    values = np.random.default_rng(radius).integers(0, 65535, (11, 17), dtype=np.uint16)
    least, largest = window_extremes(values, radius)
    assert np.array_equal(least, ndimage.minimum_filter(values, 2 * radius + 1, mode="nearest"))
    assert np.array_equal(largest, ndimage.maximum_filter(values, 2 * radius + 1, mode="nearest"))
