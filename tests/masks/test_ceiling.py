from __future__ import annotations

import io
import math

import numpy as np
import pytest
from PIL import Image

from pixelreef.core.palette import Palette
from pixelreef.errors import InputError
from pixelreef.masks.ceiling import Way, ceiling, labels_of_ceiling, sent, share_of_ceiling, way_from_file
from pixelreef.masks.classes import classes_from_palette
from pixelreef.masks.datasets import dataset
from pixelreef.masks.decode import decode
from pixelreef.masks.decoder import PIXELARENA, ROBUST
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.masks.soften import Jpeg, jpeg_from_rgb
from pixelreef.metrics.overlap import macro_f1, mean_iou

FACES = dataset("celebamask-hq").classes
# Skin on background with two eyes: half way from black to skin (204, 0, 0) lies near left ear (102, 51, 0).
TRUTH = np.zeros((96, 96), np.uint8)
TRUTH[20:80, 20:80] = FACES.label("skin")
TRUTH[32:44, 30:42] = FACES.label("left_eye")
TRUTH[32:44, 58:70] = FACES.label("right_eye")


def _file(rgb: Rgb, kind: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, kind, **options)
    return buffer.getvalue()


def test_without_soft_edges_the_truth_is_perfect() -> None:
    for decoder in (ROBUST, PIXELARENA):
        assert mean_iou(ceiling(TRUTH, FACES, Way(soft=False), decoder)) == 1.0


def test_soft_edges_cost_the_published_rule_much_and_ours_little() -> None:
    robust, published = (macro_f1(ceiling(TRUTH, FACES, Way(), decoder)) for decoder in (ROBUST, PIXELARENA))
    assert robust >= 0.99
    assert published <= robust - 0.1


def test_the_way_is_told_from_the_file() -> None:
    rgb = rgb_from_labels(TRUTH, FACES)[:48]
    assert way_from_file(_file(rgb, "PNG")) == Way((96, 48))
    way = way_from_file(_file(rgb, "JPEG", quality=60, subsampling=1))
    assert way.size == (96, 48)
    assert way.jpeg is not None
    assert way.jpeg.subsampling == "4:2:2"
    assert way.words == "96 × 48, soft edges, JPEG 4:2:2, its own tables"


def test_a_camera_turn_is_followed() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    assert way_from_file(_file(np.zeros((40, 60, 3), np.uint8), "JPEG", exif=exif)).size == (40, 60)


def test_the_prediction_s_own_tables_count() -> None:
    rough, fine = (way_from_file(jpeg_from_rgb(rgb_from_labels(TRUTH, FACES), Jpeg(quality))) for quality in (5, 98))
    assert not np.array_equal(sent(TRUTH, FACES, rough), sent(TRUTH, FACES, fine))
    assert mean_iou(ceiling(TRUTH, FACES, rough)) < mean_iou(ceiling(TRUTH, FACES, fine))


def test_a_smaller_prediction_has_a_lower_ceiling() -> None:
    tops = [mean_iou(ceiling(TRUTH, FACES, Way((side, side)))) for side in (24, 96)]
    assert tops[0] < tops[1]
    assert sent(TRUTH, FACES, Way((31, 17))).shape == (17, 31, 3)


def test_a_ceiling_is_remembered_for_this_truth_and_this_way_alone() -> None:
    truth = TRUTH.copy()
    first = labels_of_ceiling(truth, FACES, Way(), ROBUST)
    assert labels_of_ceiling(TRUTH, FACES, Way(), ROBUST) is first
    assert not first.flags.writeable
    assert np.array_equal(first, decode(sent(truth, FACES, Way()), FACES, ROBUST).labels)
    truth[50:70, 40:60] = FACES.label("hair")
    assert (labels_of_ceiling(truth, FACES, Way(), ROBUST)[52:68, 42:58] == FACES.label("hair")).all()
    assert not np.array_equal(labels_of_ceiling(TRUTH, FACES, Way((24, 24)), ROBUST), first)
    assert not np.array_equal(labels_of_ceiling(TRUTH, FACES, Way(), PIXELARENA), first)
    for shade in range(70):
        labels_of_ceiling(np.full((4, 4 + shade), 1, np.uint8), FACES, Way(), ROBUST)
    assert labels_of_ceiling(TRUTH, FACES, Way(), ROBUST) is not first


def test_ignored_pixels_are_not_counted() -> None:
    classes = classes_from_palette(Palette.from_hex(["000000", "ff0000"]))
    truth = np.zeros((16, 16), np.uint8)
    truth[:, 8:] = 1
    truth[:, 6:10] = classes.void
    counts = ceiling(truth, classes)
    assert counts.pixels == 16 * 12
    assert mean_iou(counts) == 1.0


def test_shares_above_one_are_shown() -> None:
    soft = mean_iou(ceiling(TRUTH, FACES, Way(), PIXELARENA))
    assert share_of_ceiling(1.0, soft) > 1
    assert math.isnan(share_of_ceiling(0.5, 0.0))
    assert math.isnan(share_of_ceiling(0.5, float("nan")))
    with pytest.raises(InputError, match="ceiling must be from 0 to 1"):
        share_of_ceiling(0.5, 1.5)
