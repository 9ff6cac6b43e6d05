from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from mask_pictures import FACES, as_jpeg, encoded, face, photograph, softened, spread_classes
from PIL import Image

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.images import Picture, image_from_bytes
from pixelreef.core.palette import Palette
from pixelreef.errors import ImageError, InputError
from pixelreef.masks.classes import Classes, MaskClass, classes_from_palette
from pixelreef.masks.colour_table import ColourTable, packed_from_rgba, rgb_from_packed
from pixelreef.masks.decode import decode, decode_picture, labels_at
from pixelreef.masks.decoder import PIXELARENA, PROFILES, ROBUST, Decoder, decoder
from pixelreef.metrics.overlap import count, macro_f1

PLAIN = replace(ROBUST, name="plain", mend=False, least_painted=0.0)
BLACK_AND_RED = classes_from_palette(Palette.from_hex(["000000", "ff0000"]))


@pytest.mark.parametrize("count", [1, 19, 201])
def test_pixelarena_is_the_nearest_in_srgb_and_of_several_the_first(count: int) -> None:
    classes = spread_classes(count)
    random = np.random.default_rng(count)
    pixels = random.integers(0, 256, (40, 50, 3), dtype=np.uint8)
    middle = classes.rgb[random.integers(0, count, (40, 50))].astype(int) + classes.rgb[0]
    pixels[::2] = (middle // 2)[::2]  # half of them half way, where there are ties
    apart = ((pixels[:, :, None].astype(np.int64) - classes.rgb.astype(np.int64)) ** 2).sum(axis=-1)
    for _ in range(2):  # the second time from the table
        assert np.array_equal(decode(pixels, classes, PIXELARENA).labels, apart.argmin(axis=-1))


def test_a_tie_goes_to_the_first_class() -> None:
    classes = classes_from_palette(Palette.from_hex(["0a0000", "000000", "140000"]))
    pixels = np.array([[[5, 0, 0], [15, 0, 0]]], np.uint8)
    assert decode(pixels, classes, PIXELARENA).labels.tolist() == [[0, 0]]


@given(npst.arrays(np.uint8, (5, 7, 3)))
def test_robust_without_its_neighbourhood_is_the_nearest_in_oklab_within_the_radius(pixels: np.ndarray) -> None:
    lab, palette = oklab_from_rgb(pixels, flare=0.005), oklab_from_rgb(FACES.rgb, flare=0.005)
    apart = np.sqrt(((lab[:, :, None] - palette) ** 2).sum(axis=-1))
    expected = np.where(apart.min(axis=-1) <= 0.12, apart.argmin(axis=-1), FACES.unknown)
    labels = decode(pixels, FACES, PLAIN).labels
    unsure = np.abs(apart.min(axis=-1) - 0.12) < 1e-5  # float32 may differ on the edge
    unsure |= np.diff(np.sort(apart, axis=-1)[..., :2])[..., 0] < 1e-5
    assert np.array_equal(labels[~unsure], expected[~unsure])


def test_noise_on_black_stays_black() -> None:
    pixels = np.random.default_rng(0).integers(0, 9, (20, 20, 3), dtype=np.uint8)
    assert (decode(pixels, FACES, PLAIN).labels == 0).all()


def test_the_colour_of_an_ignored_class_is_unknown() -> None:
    classes = Classes(
        (MaskClass("sea", (0, 0, 0), 0), MaskClass("void", (255, 255, 255), 1, True), MaskClass("fish", (255, 0, 0), 2))
    )
    pixels = np.array([[[255, 255, 255], [255, 0, 0]]], np.uint8)
    for profile in PROFILES.values():
        assert decode(pixels, classes, profile).labels.tolist() == [[classes.unknown, 1]]


def test_transparency_is_laid_over_black_and_said() -> None:
    pixels = np.array([[[255, 0, 0, 255], [255, 0, 0, 0], [255, 0, 0, 250]]], np.uint8)
    found = decode(pixels, BLACK_AND_RED, PIXELARENA)
    assert found.labels.tolist() == [[1, 0, 1]]
    assert found.notes == ("transparency laid over 000000",)
    red = decode(pixels, BLACK_AND_RED, replace(PIXELARENA, under=(255, 0, 0)))
    assert red.labels.tolist() == [[1, 1, 1]]
    # Red at 128 of 255 over white: 255, and twice (0 · 128 + 255 · 127) / 255 = 127.
    shades = classes_from_palette(Palette.from_hex(["ff7e7e", "ff7f7f", "ff8080"]))
    half = np.array([[[255, 0, 0, 128]]], np.uint8)
    assert decode(half, shades, replace(PIXELARENA, under=(255, 255, 255))).labels.tolist() == [[1]]


@pytest.mark.parametrize("mode", ["P", "RGBA", "CMYK"])
def test_every_kind_of_picture_is_read(mode: str) -> None:
    labels = face(48)
    image = Image.fromarray(FACES.rgb[labels]).convert(mode)
    data = encoded(image, "TIFF" if mode == "CMYK" else "PNG")
    picture = image_from_bytes(data)
    assert np.array_equal(decode_picture(picture, FACES, ROBUST).labels, labels)
    assert decode_picture(picture, FACES, ROBUST).notes == picture.notes


def test_a_turned_and_a_deep_picture_are_read() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = image_from_bytes(encoded(Image.fromarray(FACES.rgb[face(16)]), "PNG", exif=exif))
    found = decode_picture(picture, FACES, PIXELARENA)
    assert np.array_equal(found.labels, np.rot90(face(16), -1))
    assert found.notes == ("turned as its EXIF orientation says",)
    grey = classes_from_palette(Palette.from_hex(["000000", "ffffff"]))
    deep = image_from_bytes(encoded(np.array([[0, 65535]], np.uint16)))
    assert decode_picture(deep, grey, ROBUST).labels.tolist() == [[0, 1]]


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_labels_are_taken_to_another_size_as_pillow_takes_the_nearest(h: int, w: int, height: int, width: int) -> None:
    labels = np.random.default_rng(h * w).integers(0, 200, (h, w), dtype=np.uint8)
    theirs = Image.fromarray(labels).resize((width, height), Image.Resampling.NEAREST)
    rows, columns = ((2 * np.arange(size) + 1) * there % (2 * size) != 0 for size, there in ((height, h), (width, w)))
    sure = rows[:, None] & columns  # a middle that falls on a border between two pixels is as near to both
    assert np.array_equal(labels_at(labels, (height, width))[0][sure], np.asarray(theirs)[sure])


def test_sizes_and_shapes_are_noted() -> None:
    square = np.zeros((8, 8), np.uint8)
    assert labels_at(square, (8, 8)) == (square, ())
    assert labels_at(square, (16, 16))[1] == ("8 × 8 taken to 16 × 16 by the nearest pixel",)
    assert labels_at(np.zeros((100, 151), np.uint8), (200, 300))[1][1:] == ()
    wide = labels_at(np.zeros((8, 12), np.uint8), (8, 8))[1]
    assert wide == (
        "12 × 8 taken to 8 × 8 by the nearest pixel",
        "stretched: 1.500 times as wide for its height as the truth",
    )


def test_a_larger_exact_mask_decodes_to_the_truth_at_its_size() -> None:
    labels = face(64)
    large = FACES.rgb[labels].repeat(3, axis=0).repeat(3, axis=1)
    for profile in PROFILES.values():
        assert np.array_equal(labels_at(decode(large, FACES, profile).labels, (64, 64))[0], labels)


@given(st.integers(0, 10**6))
def test_hard_edges_are_left_alone_down_to_single_pixels(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 19, (24, 24)).astype(np.uint8)
    labels[random.random((24, 24)) < 0.5] = 1
    assert np.array_equal(decode(FACES.rgb[labels], FACES, ROBUST).labels, labels)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("way", ["soft", "very soft", "JPEG 95", "JPEG 75", "soft JPEG 85"])
def test_soft_edges_and_jpegs_cost_robust_little_and_pixelarena_much(way: str, seed: int) -> None:
    labels = face(512, seed)
    hard = FACES.rgb[labels]
    pixels = {
        "soft": lambda: softened(labels),
        "very soft": lambda: softened(labels, radius=2),
        "JPEG 95": lambda: as_jpeg(hard, 95),
        "JPEG 75": lambda: as_jpeg(hard, 75),
        "soft JPEG 85": lambda: as_jpeg(softened(labels), 85),
    }[way]()
    robust, published = (macro_f1(count(labels, decode(pixels, FACES, one).labels, 19)) for one in (ROBUST, PIXELARENA))
    assert robust >= 0.95
    assert published <= robust - 0.10


def test_a_photograph_is_not_a_mask_whatever_the_palette() -> None:
    for classes in (FACES, spread_classes(201)):
        for seed in range(3):
            found = decode(photograph(seed=seed), classes, ROBUST)
            assert (found.is_mask, found.painted < 0.5) == (False, True)
            assert decode(photograph(seed=seed), classes, PIXELARENA).is_mask


def test_a_mask_in_other_colours_or_with_noise_is_one() -> None:
    labels = face(256)
    other = np.random.default_rng(1).integers(0, 256, (19, 3)).astype(np.uint8)
    noisy = np.clip(FACES.rgb[labels] + np.random.default_rng(2).normal(0, 3, (256, 256, 3)), 0, 255).astype(np.uint8)
    for pixels in (other[labels], noisy, as_jpeg(softened(labels, radius=2), 20)):
        assert decode(pixels, FACES, ROBUST).is_mask


@pytest.mark.parametrize(
    "changes",
    [{"window": 4}, {"window": 33}, {"reject": 0.01}, {"flare": 2.0}, {"space": "srgb"}, {"solid": -0.1}],
)
def test_knobs_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        replace(ROBUST, **changes)  # type: ignore[arg-type]


def test_profiles_are_found_by_name_and_recorded_whole() -> None:
    assert decoder("pixelarena") is PIXELARENA
    assert set(ROBUST.record()) == {"version", *Decoder.__dataclass_fields__}
    with pytest.raises(InputError, match="be one of robust, pixelarena, got 'nearest'"):
        decoder("nearest")


@pytest.mark.parametrize("shape", [(3, 3), (3, 3, 2), (0, 3, 3)])
def test_arrays_that_are_no_picture_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ImageError, match=r"\(H, W, 3 or 4\)"):
        decode(np.zeros(shape, np.uint8), FACES, ROBUST)
    with pytest.raises(ImageError):
        decode(np.zeros((3, 3, 3), np.float32), FACES, ROBUST)


@given(npst.arrays(np.uint8, npst.array_shapes(min_dims=2, max_dims=2, max_side=6)))
def test_a_colour_table_decides_each_colour_once_and_gives_it_back(red: np.ndarray) -> None:
    asked: list[int] = []

    def decide(rgb: np.ndarray) -> np.ndarray:
        asked.extend(rgb[:, 0].tolist())
        return rgb[:, 0].astype(np.uint16) * 3

    rgba = np.dstack([red, red // 2, 255 - red, red])
    table, packed = ColourTable(decide), packed_from_rgba(rgba)
    assert np.array_equal(rgb_from_packed(packed), rgba[..., :3])
    for _ in range(2):
        assert np.array_equal(table.look_up(packed), red.astype(int) * 3)
    assert sorted(asked) == sorted(set(red.ravel().tolist()))


def test_of_a_very_large_picture_every_nth_pixel_is_decoded_and_said() -> None:
    labels = face(100)
    large = np.dstack([FACES.rgb[labels], np.full((100, 100), 255, np.uint8)]).repeat(21, axis=0).repeat(21, axis=1)
    picture = Picture(large, "PNG", "RGBA", (), None, None)
    found = decode_picture(picture, FACES, ROBUST, shape=(100, 100))
    assert np.array_equal(found.labels, labels)
    assert found.notes == ("one pixel of 21 × 21 of a large picture decoded",)
    assert decode_picture(picture, FACES, PIXELARENA, shape=(1100, 100)).labels.shape == (2100, 100)
    assert decode_picture(picture, FACES, PIXELARENA, shape=(1100, 1200)).labels.shape == (2100, 2100)
