from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mask_pictures import FACES, encoded, face
from PIL import Image

from pixelreef.core import Grid, Palette, png_from_grid
from pixelreef.errors import ImageError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.truth import read_truth, truth_from_bytes

SEA = MaskClass("sea", (0, 0, 0), 0)
FISH = MaskClass("fish", (255, 0, 0), 7)
VOID = MaskClass("void", (255, 255, 255), 255, ignore=True)
CLASSES = Classes((SEA, VOID, FISH))
GRID = np.array([[0, 0, 7], [255, 7, 7]], np.uint8)
LABELS = [[0, 0, 1], [3, 1, 1]]  # the scored ones are sea 0 and fish 1, then unknown 2, then void 3


def test_an_index_mask_is_found_to_be_one() -> None:
    truth = truth_from_bytes(encoded(GRID), CLASSES)
    assert truth.labels.tolist() == LABELS
    assert (truth.kind, truth.notes) == ("index", ("read as index mask",))
    assert not truth.labels.flags.writeable


@pytest.mark.parametrize("container", ["PNG", "BMP"])
def test_a_colour_mask_is_found_to_be_one(container: str) -> None:
    colours = {0: (0, 0, 0), 7: (255, 0, 0), 255: (255, 255, 255)}
    pixels = np.array([[colours[int(value)] for value in row] for row in GRID], np.uint8)
    truth = truth_from_bytes(encoded(pixels, container), CLASSES)
    assert truth.labels.tolist() == LABELS
    assert (truth.kind, truth.notes) == ("colour", ("read as colour mask",))


def test_an_indexed_png_is_an_index_mask_whatever_its_colours() -> None:
    data = png_from_grid(Grid(GRID), Palette(np.random.default_rng(0).integers(0, 256, (256, 3))))
    assert truth_from_bytes(data, CLASSES).labels.tolist() == LABELS


def test_an_indexed_png_whose_indices_are_no_classes_is_read_by_its_colours() -> None:
    grid = Grid(np.array([[1, 1, 2], [3, 2, 2]], np.uint8))
    data = png_from_grid(grid, Palette.from_hex(["123456", "000000", "ff0000", "ffffff"]))
    truth = truth_from_bytes(data, CLASSES)
    assert (truth.kind, truth.labels.tolist()) == ("colour", LABELS)


def test_what_the_class_file_says_is_done() -> None:
    stated = Classes(CLASSES.classes, truth="index")
    truth = truth_from_bytes(encoded(GRID), stated)
    assert (truth.kind, truth.notes) == ("index", ())
    with pytest.raises(ImageError, match="class indices, got mode RGB"):
        truth_from_bytes(encoded(np.zeros((2, 2, 3), np.uint8)), stated)


def test_sixteen_bit_indices_are_kept() -> None:
    classes = Classes((SEA, MaskClass("wreck", (9, 9, 9), 3000)))
    truth = truth_from_bytes(encoded(np.array([[0, 3000]], np.uint16)), classes)
    assert (truth.labels.tolist(), truth.notes) == ([[0, 1]], ("read as index mask",))


def test_a_bilevel_mask_holds_0_and_1() -> None:
    classes = Classes((SEA, MaskClass("fish", (255, 0, 0), 1)))
    image = Image.fromarray(np.array([[0, 255]], np.uint8)).convert("1")
    assert truth_from_bytes(encoded(image), classes).labels.tolist() == [[0, 1]]


def test_an_index_of_no_class_is_refused_with_advice() -> None:
    with pytest.raises(ImageError, match=r"indices of classes only, got 8\. If it is to be ignored, add a class"):
        truth_from_bytes(encoded(np.array([[0, 8]], np.uint8)), Classes(CLASSES.classes, truth="index"))


def test_a_few_pixels_of_other_colours_are_void_and_many_are_refused() -> None:
    pixels = np.zeros((10, 10, 3), np.uint8)
    pixels[0, :5] = 77
    truth = truth_from_bytes(encoded(pixels), CLASSES)
    assert (truth.labels == CLASSES.void).sum() == 5
    assert truth.notes[-1] == "5 pixels of no class colour ignored"
    pixels[0, 5] = 77
    with pytest.raises(ImageError, match=r"colours of the classes, got 6\.0% of pixels"):
        truth_from_bytes(encoded(pixels), CLASSES)


def test_colour_truth_of_a_face_is_exact(tmp_path: Path) -> None:
    labels = face(64)
    path = tmp_path / "face.png"
    path.write_bytes(encoded(FACES.rgb[labels]))
    assert np.array_equal(read_truth(path, FACES).labels, labels)


def test_a_broken_file_is_one_error() -> None:
    with pytest.raises(ImageError, match="be a picture"):
        truth_from_bytes(b"nothing", CLASSES)
