from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from label_grids import patches
from mask_pictures import FACES, as_jpeg, face, softened, spread_classes

from pixelreef.masks.decode import decode
from pixelreef.masks.decoder import ROBUST
from pixelreef.masks.mend import flat_pixels
from pixelreef.masks.soften import softened as soft_edges
from pixelreef.metrics.overlap import count, macro_f1, pixel_accuracy, strays

HAIR, LIP, SKIN = FACES.label("hair"), FACES.label("lower_lip"), FACES.label("skin")


def opaque(pixels: np.ndarray) -> np.ndarray:
    return np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])


def test_flat_is_what_varies_by_few_bytes_in_nine_pixels() -> None:
    pixels = np.full((7, 9, 3), 100, np.uint8)
    pixels[3, 4, 1] = 108
    assert flat_pixels(opaque(pixels), 8).all()
    pixels[3, 4, 1] = 109
    flat = flat_pixels(opaque(pixels), 8)
    assert (~flat).sum() == 9
    assert not flat[2:5, 3:6].any()


def test_a_blend_that_hits_a_third_class_is_given_back() -> None:
    """Half way from hair (0, 0, 204) to the background is all but the colour of the lower lip (0, 0, 153)."""
    labels = np.zeros((64, 64), np.uint8)
    labels[:, 32:] = HAIR
    pixels = softened(labels, radius=2)
    assert (np.abs(pixels.astype(int) - FACES.rgb[LIP]).max(axis=2) < 20).any()
    found = decode(pixels, FACES, ROBUST).labels
    assert set(np.unique(found)) == {0, HAIR}
    assert pixel_accuracy(count(labels, found, 19)) > 0.98


def test_the_same_colour_stays_where_it_was_painted() -> None:
    labels = np.zeros((64, 64), np.uint8)
    labels[:, 32:] = HAIR
    labels[8:24, 8:24] = LIP
    found = decode(softened(labels), FACES, ROBUST).labels
    assert set(np.unique(found)) == {0, HAIR, LIP}
    assert abs(int((found == LIP).sum()) - 16 * 16) < 20


@pytest.mark.parametrize("width", [6, 8])
def test_a_line_of_few_pixels_survives_a_jpeg(width: int) -> None:
    labels = np.full((96, 96), SKIN, np.uint8)
    labels[40 : 40 + width, 8:88] = FACES.label("left_eyebrow")
    found = decode(as_jpeg(FACES.rgb[labels], 95), FACES, ROBUST).labels
    assert ((found == FACES.label("left_eyebrow")) & (labels != SKIN)).sum() > 0.8 * 80 * width
    assert not strays(count(labels, found, 19)).any()


@pytest.mark.parametrize("way", ["soft", "jpeg"])
def test_threads_of_four_pixels_keep_their_edges(way: str) -> None:
    labels = np.zeros((96, 96), np.uint8)
    labels[8:40, 16:80] = HAIR
    labels[40:88, 20:24] = HAIR
    for step in range(10):
        labels[40 + 4 * step : 44 + 4 * step, 36 + 4 * step : 40 + 4 * step] = HAIR
    thin = labels.copy()
    thin[:40] = 0
    rgb = FACES.rgb[labels]
    found = decode(soft_edges(rgb) if way == "soft" else as_jpeg(rgb, 95), FACES, ROBUST).labels
    assert (found[thin > 0] == HAIR).mean() > 0.94
    assert (found == labels).mean() > 0.995


def test_a_painted_area_of_no_class_stays_unknown_but_for_its_soft_edge() -> None:
    labels = face(256)
    pixels = FACES.rgb[labels].copy()
    pixels[labels == SKIN] = (120, 120, 120)
    soft = np.asarray(as_jpeg(pixels, 95))
    found = decode(soft, FACES, ROBUST).labels
    assert (found[labels == SKIN] == FACES.unknown).mean() > 0.9


def test_a_picture_without_flat_areas_is_not_mended_and_says_so() -> None:
    random = np.random.default_rng(0)
    labels = random.integers(0, 19, (64, 64))
    pixels = np.clip(FACES.rgb[labels] + random.integers(-12, 13, (64, 64, 3)), 0, 255).astype(np.uint8)
    found = decode(pixels, FACES, ROBUST)
    assert "too unsteady to be mended" in found.notes or not found.is_mask


@pytest.mark.parametrize("seed", [0, 2])
def test_among_many_classes_the_traces_of_blends_are_no_strays(seed: int) -> None:
    classes = spread_classes(134)
    labels = patches(np.random.default_rng(seed), 256, 134, 14)
    pixels = as_jpeg(softened(labels.astype(np.uint8), classes), 60)
    found, traced = (
        count(labels, decode(pixels, classes, one).labels, 134) for one in (ROBUST, replace(ROBUST, solid=0.0))
    )
    assert not strays(found).any()
    assert strays(traced).sum() > 2
    assert macro_f1(found) > 0.95


def test_soft_masks_have_no_strays() -> None:
    for seed in range(3):
        labels = face(256, seed)
        for pixels in (softened(labels), as_jpeg(softened(labels), 80)):
            counts = count(labels, decode(pixels, FACES, ROBUST).labels, 19)
            assert not strays(counts).any()
            assert counts.unknown / counts.pixels < 0.01


def test_an_edge_wider_than_the_neighbourhood_is_cleared_by_the_second_look() -> None:
    """At this softness one side of the hair's edge is out of reach at first, and the colour in between a lip's."""
    labels = face(256, 1)
    counts = count(labels, decode(softened(labels, radius=2), FACES, ROBUST).labels, 19)
    assert counts.predicted[LIP] < 1.5 * counts.truth[LIP]
    assert macro_f1(counts) > 0.95
