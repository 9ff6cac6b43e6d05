from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from PIL import Image

from pixelreef.errors import ImageError, InputError
from pixelreef.masks.render import Rgb
from pixelreef.masks.soften import Jpeg, Subsampling, jpeg_from_file, jpeg_from_rgb, softened, through_jpeg

pictures = npst.arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9), st.just(3)))


def _steps() -> Rgb:
    """Flat squares of 16 pixels."""
    random = np.random.default_rng(0)
    return random.integers(0, 256, (4, 4, 3), np.uint8).repeat(16, axis=0).repeat(16, axis=1)


def test_a_corner_worked_by_hand() -> None:
    rgb = np.zeros((3, 3, 3), np.uint8)
    rgb[1, 1] = 160
    assert softened(rgb)[..., 0].tolist() == [[10, 20, 10], [20, 40, 20], [10, 20, 10]]


@given(pictures)
def test_softening_treats_all_directions_alike_and_stays_in_range(rgb: Rgb) -> None:
    soft = softened(rgb)
    assert np.array_equal(softened(rgb[::-1, ::-1])[::-1, ::-1], soft)
    assert np.array_equal(softened(rgb.swapaxes(0, 1)).swapaxes(0, 1), soft)
    assert soft.min() >= rgb.min()
    assert soft.max() <= rgb.max()


def test_one_colour_stays() -> None:
    assert (softened(np.full((5, 7, 3), 201, np.uint8)) == 201).all()


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
@pytest.mark.parametrize("quality", [30, 75, 95])
def test_a_jpeg_written_with_the_tables_of_another_is_that_jpeg(quality: int, subsampling: Subsampling) -> None:
    made = Jpeg(quality, subsampling)
    read = jpeg_from_file(jpeg_from_rgb(_steps(), made))
    assert read is not None
    assert read.subsampling == subsampling
    assert read.tables is not None
    assert np.array_equal(through_jpeg(_steps(), read), through_jpeg(_steps(), made))
    assert not np.array_equal(through_jpeg(_steps(), Jpeg(50, subsampling)), through_jpeg(_steps(), made))


def test_tables_are_those_that_pillow_reads() -> None:
    buffer = io.BytesIO()
    Image.fromarray(_steps()).save(buffer, "JPEG", quality=42)
    read = jpeg_from_file(buffer.getvalue())
    assert read is not None
    with Image.open(io.BytesIO(buffer.getvalue())) as image:
        tables = image.quantization  # type: ignore[attr-defined]
    assert read.tables == tuple(tuple(tables[key]) for key in sorted(tables))


def test_greyscale_jpegs_lose_their_colours() -> None:
    buffer = io.BytesIO()
    Image.fromarray(_steps()).convert("L").save(buffer, "JPEG", quality=90)
    read = jpeg_from_file(buffer.getvalue())
    assert read is not None
    assert read.grey
    back = through_jpeg(_steps(), read)
    assert (np.ptp(back.astype(int), axis=2) == 0).all()
    assert read.words == "JPEG greyscale, its own tables"


def test_other_pictures_are_no_jpeg() -> None:
    buffer = io.BytesIO()
    Image.fromarray(_steps()).save(buffer, "PNG")
    assert jpeg_from_file(buffer.getvalue()) is None


def test_bad_input_is_refused_before_any_pixel() -> None:
    with pytest.raises(ImageError, match="be a picture"):
        jpeg_from_file(b"nothing of the kind")
    with pytest.raises(ImageError, match="at most 100 pixels"):
        jpeg_from_file(jpeg_from_rgb(_steps(), Jpeg()), max_pixels=100)
    with pytest.raises(InputError, match="quality must be from 1 to 100"):
        Jpeg(0)
