"""Scoring masks of 1024×1024: ours against a matrix of colour distances and torchmetrics, and masks per second.

    python benchmarks/masks.py

Prints two JSON lines. The first: processor seconds and peak memory of decoding by nearest colour and F1, mIoU and Dice
at 201 classes, each path in a process of its own, as ratios (above 1: ours is faster, smaller); `first` is the first
mask, for which the table of colours is still empty. Both must give the same figures. The second: masks a second of
processor time under `robust` at 19 classes, truth and prediction read from PNG, for a soft mask and for one that went
through a JPEG.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from threadpoolctl import threadpool_limits

from pixelreef.core.images import image_from_bytes
from pixelreef.masks.decoder import PIXELARENA, ROBUST, Decoder
from pixelreef.masks.item import score_arrays
from pixelreef.masks.measures import Widths
from pixelreef.masks.truth import truth_from_bytes

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from mask_pictures import FACES, encoded, face, spread_classes
from peak_memory import peak_bytes

SIDE, CLASSES = 1024, 201
Figures = dict[str, float]
Pixels = NDArray[np.uint8]
Outcome = tuple[list[float], int, Figures]  # seconds of each run, bytes that the process grew by, the figures


def scene() -> tuple[Pixels, Pixels]:
    """A soft-edged prediction and its truth: 40 areas of 20 classes."""
    random = np.random.default_rng(3)
    points, labels = random.random((40, 2)) * SIDE, random.choice(CLASSES, 20, replace=False)
    y, x = np.mgrid[:SIDE, :SIDE]
    nearest = np.stack([(y - a) ** 2 + (x - b) ** 2 for a, b in points]).argmin(axis=0)
    truth = labels[nearest % 20].astype(np.uint8)
    soft = Image.fromarray(spread_classes(CLASSES).rgb[truth]).filter(ImageFilter.GaussianBlur(1))
    return np.asarray(soft), truth


def ours(pixels: Pixels, truth: Pixels) -> Outcome:
    classes = spread_classes(CLASSES)

    def run() -> Figures:
        measures = score_arrays(pixels, truth, classes, PIXELARENA).measures
        f1, miou = measures["macro_f1_union"], measures["mean_iou_union"]
        return {"f1": f1, "miou": miou, "dice": f1}

    return timed(run, 12)


def reference(pixels: Pixels, truth: Pixels) -> Outcome:
    import torch
    from torchmetrics.functional.classification import multiclass_f1_score
    from torchmetrics.functional.segmentation import dice_score, mean_iou

    torch.set_num_threads(1)
    palette = torch.from_numpy(spread_classes(CLASSES).rgb.astype(np.float32))

    def run() -> Figures:
        apart = torch.cdist(torch.from_numpy(pixels.reshape(-1, 3).astype(np.float32)), palette)
        p = apart.argmin(dim=1).reshape(1, SIDE, SIDE)
        del apart
        t = torch.from_numpy(truth.astype(np.int64))[None]
        each = mean_iou(p, t, CLASSES, per_class=True, input_format="index")[0]
        return {
            "f1": float(multiclass_f1_score(p, t, CLASSES, average="macro")),
            "miou": float(each[each >= 0].mean()),
            "dice": float(dice_score(p, t, CLASSES, average="macro", input_format="index")[0]),
        }

    return timed(run, 2)


def timed(run: Callable[[], Figures], repeats: int) -> Outcome:
    before, seconds = peak_bytes(), []
    for _ in range(repeats):
        started = process_time()
        figures = run()
        seconds.append(process_time() - started)
    return seconds, peak_bytes() - before, figures


def alone(work: Callable[[Pixels, Pixels], Outcome], pixels: Pixels, truth: Pixels) -> Outcome:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, pixels, truth).result()


def masks_per_second(truth: bytes, prediction: bytes, decoder: Decoder, edges: Widths | None) -> float:
    """Of processor time, the fastest of several."""
    seconds = []
    for _ in range(7):
        started = process_time()
        labels = truth_from_bytes(truth, FACES).labels
        score_arrays(image_from_bytes(prediction).rgba, labels, FACES, decoder, edges)
        seconds.append(process_time() - started)
    return round(1 / min(seconds), 1)


def main() -> None:
    made = scene()
    our_seconds, our_memory, our_figures = alone(ours, *made)
    their_seconds, their_memory, their_figures = alone(reference, *made)
    for name, value in our_figures.items():
        assert abs(value - their_figures[name]) < 1e-6, (name, value, their_figures[name])
    versus = {
        "benchmark": f"masks: nearest colour, F1, mIoU and Dice at {CLASSES} classes",
        "ours_s": round(min(our_seconds), 4),
        "ours_first_s": round(our_seconds[0], 4),
        "reference_s": round(min(their_seconds), 2),
        "ratio": round(min(their_seconds) / min(our_seconds), 1),
        "ratio_first": round(min(their_seconds) / our_seconds[0], 1),
        "ours_mb": round(our_memory / 2**20),
        "reference_mb": round(their_memory / 2**20),
        "memory_ratio": round(their_memory / our_memory, 1),
    }
    print(json.dumps(versus))
    labels = face(SIDE)
    soft = np.asarray(Image.fromarray(FACES.rgb[labels]).filter(ImageFilter.GaussianBlur(1)))
    buffer = io.BytesIO(encoded(soft, "JPEG", quality=85, subsampling=2))
    noisy = np.asarray(Image.open(buffer))
    truth, plain = encoded(labels), replace(ROBUST, mend=False)
    with threadpool_limits(1):
        rates = {
            "overlap_per_s": masks_per_second(truth, encoded(soft), plain, None),
            "overlap_mended_per_s": masks_per_second(truth, encoded(soft), ROBUST, None),
            "overlap_mended_edges_per_s": masks_per_second(truth, encoded(soft), ROBUST, Widths()),
            "jpeg_overlap_mended_edges_per_s": masks_per_second(truth, encoded(noisy), ROBUST, Widths()),
        }
    print(json.dumps({"benchmark": "masks: robust, 19 classes, PNG reading included, one core", **rates}))


if __name__ == "__main__":
    main()
