from __future__ import annotations

import numpy as np
import pytest

from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.exhibit import Exhibit, exhibit_of
from pixelreef.masks.segmenter import train_segmenter
from pixelreef.metrics.overlap import count, mean_iou

TWO = Classes((MaskClass("dark", (0, 0, 0), 0), MaskClass("light", (255, 255, 255), 1)))


def _scenes(seed: int, count: int) -> list[Exhibit]:
    made = dataset("reef-scenes")
    assert isinstance(made, MadeDataset)
    return [exhibit_of(made.sized(128), seed, number) for number in range(count)]


def test_two_tones_are_told_apart() -> None:
    truth = np.zeros((40, 60), np.uint8)
    truth[10:30, 20:50] = 1
    photograph = np.where(truth[..., None] == 1, np.array([200, 180, 90], np.uint8), np.array([20, 40, 80], np.uint8))
    segmenter = train_segmenter([Exhibit(truth, TWO, photograph)], clusters=8)
    assert np.array_equal(segmenter.predict(photograph), truth)
    assert segmenter.predict(photograph[:17, :23]).shape == (17, 23)


def test_it_predicts_better_than_one_class_and_worse_than_truth() -> None:
    segmenter = train_segmenter(_scenes(1, 6), clusters=48, seed=3)
    scores, blanks = [], []
    for one in _scenes(2, 6):
        assert one.photograph is not None
        scores.append(mean_iou(count(one.truth, segmenter.predict(one.photograph), len(one.classes))))
        blanks.append(mean_iou(count(one.truth, np.zeros_like(one.truth), len(one.classes))))
    assert np.mean(blanks) + 0.05 < np.mean(scores) < 0.9


def test_the_same_seed_gives_the_same_segmenter() -> None:
    exhibits = _scenes(1, 2)
    first, second, other = (train_segmenter(exhibits, clusters=16, seed=seed) for seed in (5, 5, 6))
    assert np.array_equal(first.centres, second.centres)
    assert not np.array_equal(first.centres, other.centres)


def test_ignored_pixels_teach_nothing() -> None:
    truth = np.zeros((32, 32), np.uint8)
    truth[:, 16:] = TWO.void
    photograph = np.random.default_rng(0).integers(0, 256, (32, 32, 3), np.uint8)
    segmenter = train_segmenter([Exhibit(truth, TWO, photograph)], clusters=4)
    assert (segmenter.predict(photograph) == 0).all()


def test_bad_training_is_refused() -> None:
    with pytest.raises(InputError, match="training pictures must be at least one"):
        train_segmenter([])
    with pytest.raises(InputError, match="exhibit must have a photograph"):
        train_segmenter([Exhibit(np.zeros((4, 4), np.uint8), TWO)])
    tiny = Exhibit(np.zeros((2, 2), np.uint8), TWO, np.zeros((2, 2, 3), np.uint8))
    with pytest.raises(InputError, match="have at least 64 scored pixels"):
        train_segmenter([tiny])
    with pytest.raises(InputError, match="clusters must be from 2"):
        train_segmenter([tiny], clusters=1)
