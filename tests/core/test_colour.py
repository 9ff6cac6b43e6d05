from __future__ import annotations

import numpy as np
import pytest
from coloraide import Color

from pixelreef.core.colour import fit_chroma, in_gamut, oklab_from_lch, oklab_from_rgb, rgb_from_oklab

RANDOM_RGB = np.random.default_rng(1).integers(0, 256, (500, 3), dtype=np.uint8)
CORNERS = np.array([[r, g, b] for r in (0, 255) for g in (0, 255) for b in (0, 255)], np.uint8)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_oklab_agrees_with_coloraide(dtype: type[np.float64] | type[np.float32]) -> None:
    rgb = np.concatenate([RANDOM_RGB, CORNERS])
    theirs = [Color("srgb", (colour / 255).tolist()).convert("oklab").coords() for colour in rgb]
    assert np.abs(oklab_from_rgb(rgb, dtype) - np.array(theirs)).max() < 1e-4


def test_every_byte_colour_survives_the_way_there_and_back() -> None:
    steps = np.arange(0, 256, 5, dtype=np.uint8)
    rgb = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    assert np.array_equal(rgb_from_oklab(oklab_from_rgb(rgb)), rgb)


def test_greys_have_no_chroma_and_lightness_rises() -> None:
    grey = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    lab = oklab_from_rgb(grey)
    assert np.abs(lab[:, 1:]).max() < 1e-4
    assert (np.diff(lab[:, 0]) > 0).all()


def test_fit_chroma_stays_on_the_screen_and_keeps_what_fits() -> None:
    assert not in_gamut(oklab_from_lch(0.9, 0.3, 264))
    fitted = fit_chroma(0.9, 0.3, 264)
    assert in_gamut(fitted)
    assert fitted[0] == pytest.approx(0.9)
    assert np.allclose(fit_chroma(0.6, 0.05, 30), oklab_from_lch(0.6, 0.05, 30))
