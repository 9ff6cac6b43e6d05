"""The reader, the decoder and the controls on real pairs of SUIM, which are not shipped.

    PIXELREEF_SUIM=/path/to/SUIM/TEST pytest tests/masks/test_suim_pairs.py

`images/*.jpg` and `masks/*.bmp` or `*.png` are read; the first eight pairs are tried.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pixelreef.core.images import image_from_bytes
from pixelreef.masks.control_board import fitted_on_halves, write_controls
from pixelreef.masks.datasets import dataset
from pixelreef.masks.decode import decode
from pixelreef.masks.decoder import PIXELARENA, ROBUST, Decoder
from pixelreef.masks.diagnosis.diagnose import diagnose
from pixelreef.masks.distributed import mask_from_file
from pixelreef.masks.exhibit import Exhibit, exhibit_from_item
from pixelreef.metrics.overlap import count, mean_iou

ROOT = os.environ.get("PIXELREEF_SUIM")
SUIM = dataset("suim")
NAMED = {
    "truth": "clean",
    "softened": "clean",
    "jpeg-95": "clean",
    "shifted": "shifted",
    "permuted": "permuted",
    "own-colours": "own colours",
    "painted-over": "painted over",
    "outlines": "outlines",
    "photograph": "photograph",
    "blank": "blank",
    "noise": "noise",
}

pytestmark = pytest.mark.skipif(ROOT is None, reason="PIXELREEF_SUIM is not set to a folder of SUIM pairs")


@cache
def exhibits() -> Mapping[str, Exhibit]:
    return {item.id: exhibit_from_item(item, SUIM.classes) for item in SUIM.items(ROOT).items[:8]}


def score(path: Path, one: Exhibit, decoder: Decoder) -> float:
    labels = decode(image_from_bytes(path.read_bytes()).rgba, one.classes, decoder).labels
    return mean_iou(count(one.truth, labels, len(one.classes), [one.classes.void]))


def test_the_palette_is_the_masks_own() -> None:
    palette = {tuple(colour) for colour in SUIM.classes.rgb.tolist()}
    for path in sorted((Path(str(ROOT)) / "masks").glob("*.*"))[:8]:
        pixels = np.where(mask_from_file(path) >= 128, 255, 0).reshape(-1, 3)
        assert {tuple(colour) for colour in np.unique(pixels, axis=0).tolist()} <= palette
    assert all(len(np.unique(one.truth)) > 1 for one in exhibits().values())


def test_controls_stand_in_the_order_that_explains_the_board(tmp_path: Path) -> None:
    fit = fitted_on_halves(exhibits(), exhibits().__getitem__)
    names = write_controls(exhibits().items(), tmp_path, segmenter=fit)
    assert "swapped" not in names
    scores = {
        name: float(
            np.mean([score(next((tmp_path / name).glob(f"{key}.1.*")), one, ROBUST) for key, one in exhibits().items()])
        )
        for name in names
    }
    print({name: round(value, 4) for name, value in scores.items()})
    assert scores["truth"] == 1.0
    assert all(score(tmp_path / "truth" / f"{key}.1.png", one, PIXELARENA) == 1.0 for key, one in exhibits().items())
    for better, worse in (
        ("truth", "shifted"),
        ("softened", "shifted"),
        ("jpeg-95", "jpeg-75"),
        ("jpeg-75", "shifted"),
        ("shifted", "half-missing"),
        ("legend", "half-missing"),
        ("half-missing", "segmenter"),
        ("blank", "noise"),
        ("half-missing", "permuted"),
    ):
        assert scores[better] > scores[worse] or scores[better] == 1.0, (better, worse, scores)


def test_controls_are_named_on_real_masks(tmp_path: Path) -> None:
    write_controls(exhibits().items(), tmp_path, names=list(NAMED))
    wrong = []
    for name, verdict in NAMED.items():
        for key, one in exhibits().items():
            picture = image_from_bytes(next((tmp_path / name).glob(f"{key}.1.*")).read_bytes()).rgba[..., :3]
            found = diagnose(picture, one.truth, one.classes, one.photograph)
            wrong += [(name, key, found.words)] if found.verdict != verdict else []
    print(wrong)
    assert len(wrong) <= 0.05 * len(NAMED) * len(exhibits()), wrong
