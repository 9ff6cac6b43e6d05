from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_sheets import Made
from PIL import Image

from pixelreef.core.images import image_from_bytes
from pixelreef.core.render import enlarged
from pixelreef.corpus.sheets.scale import Scale, block_means, enlarged_as, exact_scale, noisy_scale, unscaled

SHEET = Made(seed=1)


@given(factor=st.integers(1, 16), x=st.integers(0, 15), y=st.integers(0, 15))
def test_any_factor_and_crop_is_found_and_undone(factor: int, x: int, y: int) -> None:
    left, top = x % factor, y % factor
    cropped = enlarged(SHEET.rgba(), factor)[top:, left:]
    scale = exact_scale(cropped)
    assert scale == Scale(factor, (-left % factor, -top % factor))
    assert np.array_equal(unscaled(cropped, scale), SHEET.rgba())


def test_a_single_pixel_out_of_place_is_no_enlargement() -> None:
    pixels = SHEET.rgba(4)
    pixels[1, 1] = 9
    assert exact_scale(pixels).factor == 1


def test_colours_hidden_under_transparency_do_not_count() -> None:
    pixels = Made(background=None).rgba(3)
    pixels[..., :3][pixels[..., 3] == 0] = np.random.default_rng(0).integers(0, 255, ((pixels[..., 3] == 0).sum(), 3))
    assert exact_scale(pixels).factor == 3


@pytest.mark.parametrize("factor", range(2, 7))
@pytest.mark.parametrize(("quality", "sampling"), [(90, "4:4:4"), (75, "4:4:4"), (90, "4:2:0"), (75, "4:2:0")])
def test_jpeg_noise_hides_no_factor(factor: int, quality: int, sampling: str) -> None:
    assert noisy_scale(image_from_bytes(SHEET.jpeg(factor, quality, sampling)).rgba) == Scale(factor)


def test_a_cropped_jpeg_has_a_phase() -> None:
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(SHEET.rgba(5)[3:, 1:, :3])).save(buffer, "JPEG", quality=85)
    assert noisy_scale(image_from_bytes(buffer.getvalue()).rgba) == Scale(5, (4, 2))


@pytest.mark.parametrize("quality", [90, 60])
def test_a_sheet_of_its_own_size_is_not_reduced(quality: int) -> None:
    assert noisy_scale(image_from_bytes(SHEET.jpeg(1, quality)).rgba) == Scale()
    assert noisy_scale(np.full((64, 64, 4), 200, np.uint8)) == Scale()


def test_means_of_blocks_by_hand() -> None:
    values = np.arange(12, dtype=float).reshape(3, 4, 1)  # first block column is one pixel wide
    means = block_means(values, Scale(3, (1, 0)))
    assert means[..., 0].tolist() == [[4.0, 6.0]]
    assert enlarged_as(means, Scale(3, (1, 0)), (3, 4))[0, :, 0].tolist() == [4.0, 6.0, 6.0, 6.0]
