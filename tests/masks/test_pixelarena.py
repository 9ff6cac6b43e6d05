"""The `pixelarena` profile against the published path: a matrix of colour distances, then torchmetrics."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from label_grids import pair
from mask_pictures import FACES, spread_classes
from torchmetrics.functional.classification import multiclass_accuracy, multiclass_f1_score
from torchmetrics.functional.segmentation import dice_score, mean_iou

from pixelreef.masks.decoder import PIXELARENA
from pixelreef.masks.item import score_arrays


@pytest.mark.parametrize("classes", [FACES, spread_classes(201)], ids=["19", "201"])
def test_pixel_accuracy_f1_miou_and_dice_equal_torchmetrics_on_250_pairs(classes: object) -> None:
    assert isinstance(classes, type(FACES))
    torch.set_num_threads(1)  # tiny tensors are slower on more
    random, number = np.random.default_rng(len(classes)), len(classes)
    palette = torch.from_numpy(classes.rgb.astype(np.float64))
    for kind in range(250):
        truth, predicted = pair(random, kind, side=int(random.integers(4, 25)), classes=number)
        noise = random.normal(0, 12 * (kind % 3), (*predicted.shape, 3))  # exact, noisy, very noisy: strays
        pixels = np.clip(classes.rgb[predicted] + noise, 0, 255).astype(np.uint8)
        ours = score_arrays(pixels, truth, classes, PIXELARENA).measures
        apart = torch.cdist(torch.from_numpy(pixels.reshape(-1, 3).astype(np.float64)), palette)
        p, t = apart.argmin(dim=1).reshape(1, *truth.shape), torch.from_numpy(truth.astype(np.int64))[None]
        each = mean_iou(p, t, number, per_class=True, input_format="index")[0]
        theirs = {
            "pixel_accuracy": multiclass_accuracy(p, t, number, average="micro"),
            "macro_f1_union": multiclass_f1_score(p, t, number, average="macro"),
            "mean_iou_union": each[each >= 0].mean(),  # −1 is a class in neither
        }
        for name, value in theirs.items():
            assert abs(ours[name] - float(value)) < 1e-6, (name, kind)
        dice = dice_score(p, t, number, average="macro", input_format="index")[0]
        assert abs(ours["macro_f1_union"] - float(dice)) < 1e-6, kind
