from __future__ import annotations

import numpy as np
import pytest
from coloraide import Color

from pixelreef.core import Palette, quantise, reef_palette, rgb_from_oklab
from pixelreef.core.colour import oklab_from_rgb
from pixelreef.errors import ImageError

RANDOM = np.random.default_rng(2).integers(0, 256, (20, 20, 4), dtype=np.uint8)


def test_the_chosen_colour_is_the_nearest_as_coloraide_measures_it() -> None:
    """Ties within 1e-4 may go either way; the distance may not be larger."""
    palette = reef_palette()
    pixels = RANDOM.copy()
    pixels[..., 3] = 255
    chosen = quantise(pixels, palette).reshape(-1)
    table = np.array([Color("srgb", (c / 255).tolist()).convert("oklab").coords() for c in palette.rgb])
    theirs = np.array(
        [Color("srgb", (c / 255).tolist()).convert("oklab").coords() for c in pixels.reshape(-1, 4)[:, :3]]
    )
    apart = np.linalg.norm(theirs[:, None] - table[None, 1:], axis=-1)
    assert (chosen > 0).all()
    assert (apart[np.arange(len(chosen)), chosen - 1] - apart.min(axis=1)).max() < 1e-4


def test_palette_colours_map_to_themselves_with_and_without_dither() -> None:
    palette = reef_palette()
    pixels = np.tile(palette.rgba[1:], (8, 1, 1))
    assert (quantise(pixels, palette) == np.arange(1, 64)).all()
    assert (quantise(pixels, palette, dither=True) == np.arange(1, 64)).all()


def test_clear_pixels_become_the_transparent_entry_and_only_they() -> None:
    indices = quantise(RANDOM, reef_palette())
    assert ((indices == 0) == (RANDOM[..., 3] < 128)).all()
    opaque = Palette(reef_palette().rgb[1:])
    assert (quantise(RANDOM, opaque) == quantise(RANDOM[..., :3], opaque)).all()


def test_batches_equal_single_pictures() -> None:
    batch = np.random.default_rng(3).integers(0, 256, (7, 9, 11, 4), dtype=np.uint8)
    for dither in (False, True):
        together = quantise(batch, reef_palette(), dither)
        assert together.shape == (7, 9, 11)
        assert all(
            (quantise(one, reef_palette(), dither) == made).all() for one, made in zip(batch, together, strict=True)
        )


def test_dithering_gets_the_mean_colour_of_a_flat_patch_closer() -> None:
    """Over 40 random flat colours the mean of a dithered 16×16 patch is nearer than the plain patch, on average."""
    palette = reef_palette()
    flats = rgb_from_oklab(np.random.default_rng(4).uniform((0.3, -0.08, -0.08), (0.85, 0.08, 0.08), (40, 3)))
    errors = {}
    for dither in (False, True):
        patches = np.broadcast_to(flats[:, None, None, :], (40, 16, 16, 3)).copy()
        mean = palette.oklab[quantise(patches, palette, dither)].mean(axis=(1, 2))
        errors[dither] = np.linalg.norm(mean - oklab_from_rgb(flats), axis=1)
    assert errors[True].mean() < 0.6 * errors[False].mean()
    assert (errors[True] < errors[False] + 1e-6).mean() > 0.9


def test_a_palette_of_transparency_alone_gives_transparency() -> None:
    assert (quantise(RANDOM, Palette.from_hex(["000000"], transparent=0)) == 0).all()


@pytest.mark.parametrize("pixels", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 2), np.uint8), np.zeros((4, 4, 3))])
def test_what_is_no_picture_is_refused(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    with pytest.raises(ImageError, match="uint8"):
        quantise(pixels, reef_palette())
