from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from photographs import encoded, fish_photo

from pixelreef.core.images import MAX_PIXELS, image_from_bytes
from pixelreef.corpus.photos.reading import read_photo, reduced_photo
from pixelreef.errors import FileError, ImageError


@pytest.fixture(scope="module")
def camera_jpeg() -> bytes:
    """24 million pixels, more than the limit for a picture that is decoded whole."""
    picture = np.zeros((4000, 6000, 3), np.uint8)
    picture[:2000] = (200, 40, 40)
    assert picture.shape[0] * picture.shape[1] > MAX_PIXELS
    return encoded(picture, quality=50)


def test_a_photograph_of_24_megapixels_is_decoded_small(tmp_path: Path, camera_jpeg: bytes) -> None:
    with pytest.raises(ImageError, match="at most 16,777,216 pixels"):
        image_from_bytes(camera_jpeg)
    assert image_from_bytes(camera_jpeg, longest=640).rgba.shape == (500, 750, 4)  # an eighth
    assert image_from_bytes(camera_jpeg, longest=2000).rgba.shape == (1000 * 2, 1500 * 2, 4)  # a half
    (tmp_path / "a.jpg").write_bytes(camera_jpeg)
    photo = read_photo(tmp_path / "a.jpg", 640)
    assert photo.shape == (427, 640, 4)
    np.testing.assert_allclose(photo[100, 300, :3].astype(int), (200, 40, 40), atol=3)
    assert (photo[300, 300, :3] < 4).all()


def test_a_camera_turned_is_turned_back_when_decoded_small() -> None:
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter turn clockwise to see it upright
    data = encoded(np.zeros((300, 400, 3), np.uint8), exif=exif)
    assert image_from_bytes(data, longest=100).rgba.shape == (100, 75, 4)


def test_a_large_png_is_refused_not_decoded() -> None:
    data = encoded(np.zeros((4100, 4100), np.uint8), "PNG")
    with pytest.raises(ImageError, match="at most 16,777,216 pixels, got 4100 × 4100"):
        image_from_bytes(data, longest=640)


def test_a_jpeg_that_claims_too_many_pixels_is_refused() -> None:
    data = bytearray(encoded(np.zeros((16, 16, 3), np.uint8)))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = b"\xff\x00\xff\x00"  # 65,280 × 65,280
    with pytest.raises(ImageError):
        image_from_bytes(bytes(data), longest=640)
    data[frame + 5 : frame + 9] = b"\x27\x10\x27\x10"  # 10,000 × 10,000: above four times the limit
    with pytest.raises(ImageError, match="pixels, got 10000 × 10000"):
        image_from_bytes(bytes(data), longest=640)


def test_reducing_averages_colours_and_ignores_the_transparent() -> None:
    picture = np.zeros((4, 4, 4), np.uint8)
    picture[:2] = (100, 100, 100, 255)
    picture[2:] = (200, 0, 0, 0)
    assert reduced_photo(picture, 2)[0].tolist() == [[100, 100, 100, 255]] * 2
    column = np.zeros((4, 2, 4), np.uint8)
    column[::2] = (100, 100, 100, 255)
    np.testing.assert_allclose(reduced_photo(column, 2)[0, 0].astype(int), [100, 100, 100, 128], atol=1)
    small = np.zeros((3, 3, 4), np.uint8)
    assert reduced_photo(small, 640) is small


@pytest.mark.parametrize("content", [b"", b"\xff\xd8\xff", b"hello", encoded(fish_photo(60, 80))[:500]])
def test_what_is_no_whole_picture_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.jpg").write_bytes(content)
    with pytest.raises(ImageError, match="photograph"):
        read_photo(tmp_path / "bad.jpg", 640)


def test_no_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="exist"):
        read_photo(tmp_path / "none.jpg", 640)
