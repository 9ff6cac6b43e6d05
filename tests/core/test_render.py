from __future__ import annotations

import io

import numpy as np
from hypothesis import given
from PIL import Image
from strategies import sprites

from pixelreef.core import (
    Frame,
    Grid,
    Palette,
    Sprite,
    gif_from_sprite,
    image_from_bytes,
    png_from_rgba,
    png_from_sprite,
    rgba_from_grid,
    sprite_from_picture,
)


@given(sprites())
def test_any_sprite_round_trips_through_png(sprite: Sprite) -> None:
    read = sprite_from_picture(image_from_bytes(png_from_sprite(sprite)))
    assert (read.grid, read.palette) == (sprite.grid, sprite.palette)


def test_ten_thousand_random_grids_round_trip_through_png() -> None:
    random = np.random.default_rng(6)
    palette = Palette(random.integers(0, 256, (64, 3)), transparent=0)
    for cells in random.integers(0, 64, (10_000, 24, 24), dtype=np.uint8):
        read = sprite_from_picture(image_from_bytes(png_from_sprite(Sprite.still(Grid(cells), palette))))
        assert read.grid.cells.tobytes() == cells.tobytes()
        assert read.palette == palette


def test_the_same_sprite_gives_the_same_bytes() -> None:
    sprite = Sprite.still(Grid.from_rows([[0, 1]]), Palette.from_hex(["000000", "ffffff"]))
    assert png_from_sprite(sprite) == png_from_sprite(sprite)


def test_a_scale_repeats_every_cell() -> None:
    sprite = Sprite.still(Grid.from_rows([[0, 1]]), Palette.from_hex(["000000", "ffffff"]))
    assert np.array(Image.open(io.BytesIO(png_from_sprite(sprite, scale=3)))).tolist() == [[0, 0, 0, 1, 1, 1]] * 3


def test_a_picture_of_few_colours_is_written_indexed_and_one_of_many_is_not() -> None:
    few = np.zeros((4, 4, 4), np.uint8)
    few[0, 0] = (1, 2, 3, 255)
    assert Image.open(io.BytesIO(png_from_rgba(few))).mode == "P"
    many = np.random.default_rng(0).integers(0, 256, (30, 30, 4), dtype=np.uint8)
    assert Image.open(io.BytesIO(png_from_rgba(many))).mode == "RGBA"
    opaque = many.copy()
    opaque[..., 3] = 255
    for pixels in (few, many, opaque):
        assert np.array_equal(image_from_bytes(png_from_rgba(pixels)).rgba, pixels)


def test_every_frame_of_a_gif_shows_the_exact_colours() -> None:
    random = np.random.default_rng(7)
    for transparent in (None, 0, 63):
        palette = Palette(random.integers(0, 256, (64, 3)), transparent)
        frames = tuple(Frame(Grid(cells), 70) for cells in random.integers(0, 64, (4, 9, 7), dtype=np.uint8))
        animated = Image.open(io.BytesIO(gif_from_sprite(Sprite(palette, frames), scale=2)))
        assert animated.n_frames == 4  # type: ignore[attr-defined]
        for number, frame in enumerate(frames):
            animated.seek(number)
            shown = np.array(animated.convert("RGBA"))
            shown[shown[..., 3] == 0] = 0
            assert np.array_equal(shown, rgba_from_grid(frame.grid, palette, scale=2)), (transparent, number)
            assert animated.info["duration"] == 70
