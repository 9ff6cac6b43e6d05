from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from label_grids import Labels, label_pairs, pair
from metrics.overlap_plain import plain_class_counts, plain_ious
from torchmetrics.functional.classification import multiclass_accuracy, multiclass_f1_score, multiclass_jaccard_index
from torchmetrics.functional.segmentation import dice_score, mean_iou

from pixelreef.errors import GridError
from pixelreef.metrics import overlap
from pixelreef.metrics.overlap import Confusion, Counts, confusion, count

TRUTH = np.array([[0, 0, 0, 1], [0, 0, 1, 1], [2, 2, 9, 9]], np.uint8)
PREDICTED = np.array([[0, 0, 1, 1], [0, 4, 1, 1], [2, 3, 3, 0]], np.uint8)  # 4 is unknown


def test_a_case_worked_by_hand() -> None:
    table = confusion(TRUTH, PREDICTED, classes=4, ignore=[9])
    assert table.matrix.tolist() == [[3, 1, 0, 0, 1], [0, 3, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 0]]
    counts = table.counts
    assert (counts.pixels, counts.unknown) == (10, 1)
    assert overlap.pixel_accuracy(counts) == 0.7
    assert overlap.iou(counts).tolist() == [3 / 5, 3 / 4, 1 / 2, 0]
    assert overlap.f1(counts).tolist() == [6 / 8, 6 / 7, 2 / 3, 0]
    assert overlap.precision(counts).tolist() == [1, 3 / 4, 1, 0]
    assert np.array_equal(overlap.recall(counts), [3 / 5, 1, 1 / 2, np.nan], equal_nan=True)
    assert math.isclose(overlap.mean_iou(counts, "truth"), (0.6 + 0.75 + 0.5) / 3)
    assert math.isclose(overlap.mean_iou(counts, "union"), (0.6 + 0.75 + 0.5) / 4)
    assert math.isclose(overlap.macro_recall(counts), 2.1 / 3)
    assert math.isclose(overlap.macro_precision(counts, "truth"), 2.75 / 3)
    assert math.isclose(overlap.macro_precision(counts, "union"), 2.75 / 4)
    assert math.isclose(overlap.weighted_iou(counts), (5 * 0.6 + 3 * 0.75 + 2 * 0.5) / 10)
    assert overlap.strays(counts).tolist() == [False, False, False, True]
    assert (overlap.stray_area(counts), overlap.unknown_share(counts)) == (0.1, 0.1)


def test_what_is_predicted_where_truth_is_ignored_counts_nowhere() -> None:
    truth, clean, dirty = np.array([[0, 1, 7]]), np.array([[0, 1, 0]]), np.array([[0, 1, 2]])
    for predicted in (clean, dirty):
        counts = count(truth, predicted, classes=3, ignore=[7])
        assert overlap.mean_iou(counts) == 1
        assert overlap.stray_area(counts) == 0
        assert counts.pixels == 2


def test_unknown_is_never_right_and_no_class() -> None:
    counts = count(np.array([[0, 1]]), np.array([[2, 2]]), classes=2)
    assert overlap.pixel_accuracy(counts) == overlap.mean_iou(counts, "union") == 0
    assert not overlap.strays(counts).any()


def test_all_ignored_has_no_value_anywhere() -> None:
    counts = count(np.full((2, 2), 5), np.zeros((2, 2), int), classes=3, ignore=[5])
    for measure in (overlap.pixel_accuracy, overlap.mean_iou, overlap.macro_f1, overlap.macro_precision):
        assert math.isnan(measure(counts))
    for measure in (overlap.macro_recall, overlap.weighted_iou, overlap.stray_area, overlap.unknown_share):
        assert math.isnan(measure(counts))
    assert np.isnan(overlap.iou(counts)).all()


@given(label_pairs())
def test_counts_equal_those_of_a_plain_loop(case: tuple[Labels, Labels, int]) -> None:
    truth, predicted, classes = case
    counts = count(truth, predicted, classes, ignore=[classes + 1])
    for label in range(classes):
        expected = plain_class_counts(truth, predicted, label, void=classes + 1)
        assert (counts.hits[label], counts.truth[label], counts.predicted[label]) == expected
    plain = [math.nan if value is None else value for value in plain_ious(truth, predicted, classes, classes + 1)]
    assert np.allclose(overlap.iou(counts), plain, equal_nan=True, rtol=0, atol=1e-15)


@given(label_pairs())
def test_properties(case: tuple[Labels, Labels, int]) -> None:
    truth, predicted, classes = case
    counts = count(truth, predicted, classes, [classes + 1])
    same = count(truth, np.where(truth > classes, 0, truth), classes, [classes + 1])
    if counts.pixels:
        assert overlap.pixel_accuracy(same) == overlap.mean_iou(same) == overlap.weighted_iou(same) == 1
        assert overlap.mean_iou(counts, "union") <= overlap.mean_iou(counts, "truth") + 1e-15
        assert overlap.macro_f1(counts) >= overlap.mean_iou(counts)
    ious, f1s = overlap.iou(counts), overlap.f1(counts)
    assert np.allclose(f1s, 2 * ious / (1 + ious), equal_nan=True)  # the two are one number in other clothes
    assert (np.isnan(ious) == (counts.truth + counts.predicted == 0)).all()


@given(label_pairs(), label_pairs())
def test_the_sum_of_counts_is_the_count_of_both(a: tuple[Labels, Labels, int], b: tuple[Labels, Labels, int]) -> None:
    classes = max(a[2], b[2])
    parts = [confusion(t.astype(int), np.minimum(p, n), classes, [n + 1]) for t, p, n in (a, b) if n == classes]
    flat = [(t.ravel()[None], p.ravel()[None]) for t, p, n in (a, b) if n == classes]
    together = confusion(
        np.concatenate([t for t, _ in flat], axis=1),
        np.concatenate([p for _, p in flat], axis=1),
        classes,
        [classes + 1],
    )
    summed = parts[0] if len(parts) == 1 else parts[0] + parts[1]
    assert np.array_equal(summed.matrix, together.matrix)
    counts = sum((part.counts for part in parts), Counts.none(classes))
    assert np.array_equal(counts.hits, together.counts.hits)
    assert counts.unknown == together.counts.unknown


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32, np.int64])
def test_every_integer_type_counts_alike(dtype: Any) -> None:
    table = confusion(TRUTH.astype(dtype), PREDICTED.astype(dtype), 4, [9])
    assert np.array_equal(table.matrix, confusion(TRUTH, PREDICTED, 4, [9]).matrix)


def test_labels_beyond_a_byte() -> None:
    truth = np.array([[300, 500, 65535]], np.uint16)
    counts = count(truth, np.array([[300, 600, 0]], np.uint16), classes=600, ignore=[65535])
    assert (overlap.pixel_accuracy(counts), counts.unknown) == (0.5, 1)


@pytest.mark.parametrize(
    ("truth", "predicted", "classes", "rule"),
    [
        ([[0, 3]], [[0, 0]], 2, "truth labels must be below 2, or ignored, got 3"),
        ([[0, 1]], [[0, 3]], 2, "predicted labels must be at most 2"),
        ([[0, -1]], [[0, 0]], 2, "at least 0, got -1"),
        ([[0, 1]], [[0], [0]], 2, "have one size"),
        ([0, 1], [0, 1], 2, r"\(H, W\) array"),
        ([[0.5]], [[0]], 2, "whole numbers"),
        ([[0]], [[0]], 0, "classes must be from 1"),
        ([[70_000]], [[0]], 2, "below 65,536"),
    ],
)
def test_wrong_input_is_one_clear_error(truth: Any, predicted: Any, classes: int, rule: str) -> None:
    with pytest.raises(GridError, match=rule):
        confusion(np.array(truth), np.array(predicted), classes)


def test_counts_of_different_classes_are_not_added() -> None:
    with pytest.raises(GridError, match="one number of classes"):
        Counts.none(2) + Counts.none(3)
    with pytest.raises(GridError, match="one size"):
        Confusion(np.zeros((2, 3), np.int64)) + Confusion(np.zeros((3, 4), np.int64))


@pytest.mark.parametrize("classes", [19, 201])
def test_torchmetrics_agrees_on_250_pairs(classes: int) -> None:
    """Per image, macro over the classes in truth ∪ prediction: torchmetrics' own rule since 1.8, by several doors."""
    torch.set_num_threads(1)  # tiny tensors are slower on more
    random = np.random.default_rng(classes)
    for kind in range(250):
        truth, predicted = pair(random, kind, side=int(random.integers(4, 25)), classes=classes)
        counts = count(truth, predicted, classes)
        t, p = (torch.from_numpy(labels.astype(np.int64))[None] for labels in (truth, predicted))
        theirs = {
            "accuracy": multiclass_accuracy(p, t, classes, average="micro"),
            "f1": multiclass_f1_score(p, t, classes, average="macro"),
            "dice": dice_score(p, t, classes, average="macro", input_format="index")[0],
            "miou": _present_mean(mean_iou(p, t, classes, per_class=True, input_format="index")[0]),
            "jaccard": multiclass_jaccard_index(p, t, classes, average="macro"),
            "truth miou": mean_iou(p, t, classes, per_class=True, input_format="index")[0][
                np.unique(truth).tolist()
            ].mean(),
        }
        ours = {
            "accuracy": overlap.pixel_accuracy(counts),
            "f1": overlap.macro_f1(counts),
            "dice": overlap.macro_f1(counts),
            "miou": overlap.mean_iou(counts),
            "jaccard": overlap.mean_iou(counts),
            "truth miou": overlap.mean_iou(counts, "truth"),
        }
        for name, value in ours.items():
            assert abs(value - float(theirs[name])) < 1e-6, (name, kind)


def _present_mean(ious: torch.Tensor) -> torch.Tensor:
    """Of each class's IoU, −1 where it is absent."""
    return ious[ious >= 0].mean()


def test_more_strays_never_raise_the_union_mean() -> None:
    truth = np.zeros((6, 6), np.uint8)
    means = []
    for number in range(6):
        predicted = truth.copy()
        predicted[0, :number] = np.arange(1, number + 1)
        means.append(overlap.mean_iou(count(truth, predicted, 7)))
    assert all(after < before for before, after in pairwise(means))
