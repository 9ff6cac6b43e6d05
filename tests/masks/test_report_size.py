"""A report stays small, however many masks there are.

Few images are scored, and stand in the report many times under other names. No picture is kept once for several rows,
so each row costs what it would cost if every file were different; and the pictures are hard ones: photographs full of
grain, truth in ragged regions of nineteen classes, predictions with specks and soft edges, one in ten a failure.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from mask_folders import folders, many
from mask_pictures import FACES, encoded, photograph, softened
from PIL import Image, ImageFilter

from pixelreef.core.files import write_bytes
from pixelreef.masks.item import Settings
from pixelreef.masks.report import write_report
from pixelreef.masks.report.analysis import analyse
from pixelreef.masks.report.galleries import Galleries
from pixelreef.masks.report.pictures import Album
from pixelreef.masks.report.rows import images_csv
from pixelreef.masks.score import Scores, score_folders
from pixelreef.masks.standings import standings
from pixelreef.report import Lineup

LIMIT = 50_000_000


def ragged(side: int, seed: int) -> np.ndarray:
    """Labels of nineteen classes that follow the clouds of a photograph: regions of every size, with ragged borders."""
    clouds = np.asarray(Image.fromarray(photograph(side, seed + 1000)[..., 0]).filter(ImageFilter.GaussianBlur(4)))
    random = np.random.default_rng(seed)
    order = random.permutation(len(FACES))
    bands = clouds.astype(int) * len(FACES) // 256
    return np.asarray(order[bands], np.uint8)


def hard(root: Path, count: int, side: int) -> Scores:
    for number in range(count):
        truth = ragged(side, number)
        random = np.random.default_rng(number)
        specks = random.random(truth.shape) < 0.002 * (1 + number % 5)
        painted = np.where(specks, random.integers(0, len(FACES), truth.shape), np.roll(truth, number % 7, 0))
        item = f"hard{number:02d}"
        write_bytes(root / "truth" / f"{item}.png", encoded(truth))
        write_bytes(root / "images" / f"{item}.jpg", encoded(photograph(side, number), "JPEG", quality=95))
        data = photograph(side, number) if number % 10 == 9 else softened(painted.astype(np.uint8), radius=0.7)
        write_bytes(root / "predictions" / f"{item}.png", encoded(data))
    photographs = {path.stem: path for path in (root / "images").iterdir()}
    return score_folders(
        root / "predictions", root / "truth", FACES, Settings(edges=None, ceiling=True), photographs=photographs
    )


def test_of_many_images_each_kind_has_its_share(tmp_path: Path) -> None:
    root = folders(tmp_path)
    photographs = {path.stem: path for path in (root / "images").iterdir()}
    scores = many(score_folders(root / "predictions", root / "truth", FACES, photographs=photographs), 100)
    shown = Galleries(Album(analyse(scores, ["mixed"]), scores.photographs, {}), most_panes=60)
    (part,) = shown.all_rows()
    assert isinstance(part, Lineup)
    assert len(part.rows) == 10
    assert shown.record["of"] == 300
    assert all(shown.record[kind] >= 3 for kind in ("best", "worst", "sample"))
    assert "10 of 300 images are shown" in shown.words()
    small = Galleries(Album(analyse(scores), scores.photographs, {}), most_bytes=40_000)
    (few,) = small.all_rows()
    assert isinstance(few, Lineup)
    assert few.size() <= 40_000
    assert images_csv(analyse(scores)).count("\n") == 1 + 4 * 300


@pytest.mark.slow
def test_five_thousand_pairs_of_a_megapixel(tmp_path: Path) -> None:
    scores = hard(tmp_path, 20, 1024)
    assert standings(scores)[0].failure_rates()["any"].mean == 0.1
    made = write_report(many(scores, 250), tmp_path / "out")
    sizes = {file.name: file.stat().st_size for file in (tmp_path / "out").iterdir()}
    print(json.dumps(sizes), made.document["gallery"])
    assert made.document["gallery"]["of"] == 5000
    assert sum(sizes.values()) < LIMIT
