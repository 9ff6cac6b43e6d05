"""Calibration: how much evidence for each fault there is in masks that have none, `nulls.json` made anew.

    python -m pixelreef.masks.diagnosis.calibration nulls.json

Honest imperfect masks (`honest`, mean IoU 0.5 to 0.9) of both made datasets, half of them with soft edges or as
JPEG, are asked for the evidence of every fault. Seeds are this module's own: no other trial uses them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pixelreef.core.files import replacing
from pixelreef.core.seeds import rng
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.datasets import dataset
from pixelreef.masks.diagnosis.diagnose import evidence
from pixelreef.masks.diagnosis.findings import FAMILIES
from pixelreef.masks.diagnosis.nulls import VERSION
from pixelreef.masks.diagnosis.planted import plant
from pixelreef.masks.exhibit import exhibit_of

SEED = 1_000_003
COUNT = 200  # masks of each dataset
DATASETS = ("reef-parts", "reef-scenes")
QUANTILES = (0.5, 0.9, 0.99, 0.995, 1.0)


def null_evidence(name: str, count: int = COUNT, seed: int = SEED) -> dict[str, list[float]]:
    """Fault → its evidence in each of so many honest masks of a made dataset."""
    made = dataset(name)
    assert isinstance(made, MadeDataset)
    found: dict[str, list[float]] = {fault: [] for fault in FAMILIES}
    for number in range(count):
        exhibit = exhibit_of(made, seed, number)
        rgb = plant("region", exhibit, rng(seed, "masks", "null", name, number))
        assert rgb is not None
        for fault, value in evidence(rgb, exhibit.truth, exhibit.classes, exhibit.photograph).items():
            found[fault].append(value)
    return found


def calibrate(names: Sequence[str] = DATASETS, count: int = COUNT, seed: int = SEED) -> dict[str, Any]:
    """The nulls as JSON values."""
    each = [null_evidence(name, count, seed) for name in names]
    values = {fault: np.concatenate([np.array(one[fault]) for one in each]) for fault in FAMILIES}
    return {
        "format": "pixelreef-mask-nulls",
        "version": VERSION,
        "seed": seed,
        "masks": dict.fromkeys(names, count),
        "quantiles": {
            fault: {str(share): round(float(np.quantile(found, share)), 4) for share in QUANTILES}
            for fault, found in values.items()
        },
    }


def main(path: str) -> None:
    """Write the nulls to a file."""
    text = json.dumps(calibrate(), indent=1) + "\n"
    with replacing(Path(path)) as temporary:
        temporary.write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
