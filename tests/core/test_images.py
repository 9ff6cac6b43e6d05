from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pixelreef.core import image_from_bytes, read_image
from pixelreef.errors import FileError, ImageError

QUADS = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [250, 250, 250]]], np.uint8)


def encoded(image: Image.Image, container: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, container, **options)
    return buffer.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is huge and holds next to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


@pytest.mark.parametrize("container", ["PNG", "BMP", "TIFF", "PPM"])
def test_lossless_formats_give_the_exact_pixels(container: str) -> None:
    picture = image_from_bytes(encoded(Image.fromarray(QUADS), container))
    assert np.array_equal(picture.rgba[..., :3], QUADS)
    assert (picture.rgba[..., 3] == 255).all()
    assert picture.notes == ()


def test_lossless_webp_too() -> None:
    assert np.array_equal(image_from_bytes(encoded(Image.fromarray(QUADS), "WEBP", lossless=True)).rgba[..., :3], QUADS)


def test_the_name_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(Image.fromarray(QUADS), "PNG"))
    assert read_image(path).format == "PNG"


def test_an_indexed_file_keeps_its_indices_palette_and_transparency() -> None:
    image = Image.fromarray(np.array([[0, 1], [2, 1]], np.uint8))
    image = image.convert("L")
    indexed = Image.frombytes("P", (2, 2), image.tobytes())
    indexed.putpalette([0, 0, 0, 10, 20, 30, 40, 50, 60])
    picture = image_from_bytes(encoded(indexed, "PNG", transparency=1))
    assert picture.indices is not None
    assert picture.indices.tolist() == [[0, 1], [2, 1]]
    assert picture.palette is not None
    assert picture.palette.hex() == ["000000", "0a141e", "28323c"]
    assert picture.palette.transparent == 1
    assert picture.rgba[0, 1, 3] == 0


def test_semi_transparent_pixels_are_kept_as_they_are() -> None:
    rgba = np.dstack([QUADS, np.array([[0, 1], [128, 255]], np.uint8)])
    assert np.array_equal(image_from_bytes(encoded(Image.fromarray(rgba), "PNG")).rgba, rgba)


def test_sixteen_bit_is_rounded_and_said() -> None:
    deep = np.array([[0, 257, 32768], [65535, 128, 129]], np.uint16)
    picture = image_from_bytes(encoded(Image.fromarray(deep), "PNG"))
    assert picture.rgba[..., 0].tolist() == [[0, 1, 128], [255, 0, 1]]
    assert picture.notes == ("16 bit reduced to 8",)
    assert picture.deep is not None
    assert np.array_equal(picture.deep, deep)


def test_floating_point_tiff_is_read_and_said() -> None:
    picture = image_from_bytes(encoded(Image.fromarray(np.array([[0, 0.5, 1.0, np.nan]], np.float32)), "TIFF"))
    assert picture.rgba[..., 0].tolist() == [[0, 128, 255, 0]]
    assert "floating point" in picture.notes[0]


def test_greyscale_bilevel_and_grey_with_alpha() -> None:
    grey = np.array([[0, 100], [200, 255]], np.uint8)
    assert np.array_equal(image_from_bytes(encoded(Image.fromarray(grey), "PNG")).rgba[..., 1], grey)
    assert image_from_bytes(encoded(Image.fromarray(grey).convert("1"), "PNG")).mode == "1"
    with_alpha = Image.merge("LA", [Image.fromarray(grey), Image.fromarray(grey)])
    assert np.array_equal(image_from_bytes(encoded(with_alpha, "PNG")).rgba[..., 3], grey)


def test_cmyk_is_converted_and_said() -> None:
    picture = image_from_bytes(encoded(Image.new("CMYK", (2, 2), (0, 255, 255, 0)), "TIFF"))
    assert picture.rgba[0, 0].tolist() == [255, 0, 0, 255]
    assert picture.notes == ("CMYK converted to RGB",)


def test_a_turned_photograph_is_turned_back_and_said() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera lay on its side: show it turned a quarter to the right
    picture = image_from_bytes(encoded(Image.fromarray(QUADS), "PNG", exif=exif))
    assert np.array_equal(picture.rgba[..., :3], np.rot90(QUADS, -1))
    assert picture.notes == ("turned as its EXIF orientation says",)


def test_of_an_animation_the_first_frame_is_used_and_said() -> None:
    frames = [Image.new("RGB", (3, 3), colour) for colour in ("red", "lime", "blue")]
    picture = image_from_bytes(encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=50))
    assert picture.rgba[0, 0, :3].tolist() == [255, 0, 0]
    assert picture.notes == ("animated: the first frame is used",)


@pytest.mark.parametrize("container", ["PNG", "JPEG", "GIF", "BMP", "WEBP"])
def test_a_truncated_file_is_one_clear_error(container: str) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    data = encoded(Image.fromarray(noise), container)
    with pytest.raises(ImageError, match=r"must be a (whole )?picture") as caught:
        image_from_bytes(data[: len(data) // 2])
    assert "\n" not in str(caught.value)


def test_a_gif_with_a_broken_second_frame_is_one_clear_error() -> None:
    frames = [Image.new("RGB", (3, 3), colour) for colour in ("red", "lime")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    second = data.rindex(b",\0\0\0\0\3\0\3\0")  # its place and size
    with pytest.raises(ImageError, match="must be a whole picture"):
        image_from_bytes(data[: second + 9])


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    with pytest.raises(ImageError, match=r"at most 16,777,216 pixels, got 20000 × 1000|far too many"):
        image_from_bytes(bomb(20_000, 1_000))
    with pytest.raises(ImageError, match="pixels"):
        image_from_bytes(bomb(50_000, 50_000))
    assert image_from_bytes(encoded(Image.new("L", (30, 30)), "PNG"), max_pixels=900).width == 30
    with pytest.raises(ImageError, match="at most 899 pixels"):
        image_from_bytes(encoded(Image.new("L", (30, 30)), "PNG"), max_pixels=899)


@pytest.mark.parametrize("data", [b"", b"junk", b"\x00" * 100, b"<svg></svg>", b"%!PS-Adobe\n", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(ImageError, match="must be a"):
        image_from_bytes(data)


def test_missing_files_and_folders_are_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must exist"):
        read_image(tmp_path / "none.png")
    with pytest.raises(FileError, match="regular file, got a folder"):
        read_image(tmp_path)
