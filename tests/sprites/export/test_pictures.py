"""PNG, indexed PNG and GIF, read back by Pillow pixel by pixel."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite
from pixelreef.sprites.export.gif import gif, hundredths
from pixelreef.sprites.export.indexed import indexed
from pixelreef.sprites.export.order import order_from_sprites
from pixelreef.sprites.export.png import png

RANDOM = sprites(most_colours=256, side=10, frames=3)


@given(RANDOM, st.integers(1, 3))
@settings(max_examples=40)
def test_a_png_has_four_channels_and_the_exact_pixels(sprite: Sprite, scale: int) -> None:
    files = png(order_from_sprites([sprite], "a", scale))
    for data, frame in zip(files.values(), sprite.frames, strict=True):
        image = Image.open(io.BytesIO(data))
        assert image.mode == "RGBA"
        assert np.array_equal(np.array(image)[::scale, ::scale], sprite.palette.rgba[frame.grid.cells])


@given(RANDOM, st.integers(1, 3))
@settings(max_examples=40)
def test_an_indexed_png_has_the_exact_indices_and_palette(sprite: Sprite, scale: int) -> None:
    files = indexed(order_from_sprites([sprite], "a", scale))
    for data, frame in zip(files.values(), sprite.frames, strict=True):
        image = Image.open(io.BytesIO(data))
        assert image.mode == "P"
        assert np.array_equal(np.array(image), np.kron(frame.grid.cells, np.ones((scale, scale), np.uint8)))
        assert bytes(image.getpalette("RGB") or []) == sprite.palette.rgb.tobytes()
        seen = np.array(image.convert("RGBA"))[..., 3] > 0
        assert np.array_equal(seen[::scale, ::scale], frame.grid.cells != sprite.palette.transparent)


def test_frames_are_files_of_their_own() -> None:
    two = Sprite(Palette.from_hex(["000000"]), (Frame(Grid.from_rows([[0]])),) * 2, "a")
    assert list(png(order_from_sprites([two]))) == ["a-0.png", "a-1.png"]
    assert list(indexed(order_from_sprites([two]))) == ["a-0.png", "a-1.png"]


def played(data: bytes) -> list[tuple[bytes, int]]:
    """What a GIF shows and for how many hundredths of a second; equal pictures in a row put together."""
    image = Image.open(io.BytesIO(data))
    shown: list[tuple[bytes, int]] = []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        rgba = np.array(image.convert("RGBA"))
        _add(shown, np.where(rgba[..., 3:] > 0, rgba, 0).tobytes(), image.info.get("duration", 0) // 10)
    return shown


def _add(shown: list[tuple[bytes, int]], picture: bytes, time: int) -> None:
    if shown and shown[-1][0] == picture:
        shown[-1] = (picture, shown[-1][1] + time)
    else:
        shown.append((picture, time))


@st.composite
def moving(draw: st.DrawFn) -> Sprite:
    """Frames of which some are equal, or change in a single pixel: where writers of GIFs go wrong."""
    sprite = draw(sprites(most_colours=256, side=6, frames=1))
    frames = [sprite.grid.cells]
    for _ in range(draw(st.integers(1, 4))):
        cells = frames[-1].copy()
        if draw(st.booleans()):
            y, x = draw(st.integers(0, cells.shape[0] - 1)), draw(st.integers(0, cells.shape[1] - 1))
            cells[y, x] = draw(st.integers(0, len(sprite.palette) - 1))
        frames.append(cells)
    times = [draw(st.integers(20, 2000)) for _ in frames]
    return Sprite(sprite.palette, tuple(Frame(Grid(cells), time) for cells, time in zip(frames, times, strict=True)))


@given(moving())
@settings(max_examples=60)
def test_a_gif_shows_the_exact_pixels_for_their_time(sprite: Sprite) -> None:
    (data,) = gif(order_from_sprites([sprite])).values()
    wanted: list[tuple[bytes, int]] = []
    times = hundredths([frame.milliseconds for frame in sprite.frames])
    for frame, time in zip(sprite.frames, times, strict=True):
        _add(wanted, sprite.palette.rgba[frame.grid.cells].tobytes(), time)
    if len(wanted) == 1:  # a still, which has no time
        assert [picture for picture, _ in played(data)] == [wanted[0][0]]
    else:
        assert played(data) == wanted
        assert abs(sum(times) * 10 - sum(frame.milliseconds for frame in sprite.frames)) <= 5 + 10 * len(times)


@given(sprites(most_colours=256, side=8))
@settings(max_examples=40)
def test_the_palette_of_a_gif_is_the_sprites_own(sprite: Sprite) -> None:
    (data,) = gif(order_from_sprites([sprite])).values()
    image = Image.open(io.BytesIO(data))
    assert np.array_equal(np.array(image), sprite.grid.cells)
    assert bytes(image.getpalette("RGB") or [])[: 3 * len(sprite.palette)] == sprite.palette.rgb.tobytes()
    assert image.info.get("transparency") == sprite.palette.transparent


@given(st.lists(st.integers(20, 60_000), min_size=1, max_size=20))
def test_hundredths_keep_the_length_of_the_whole(times: list[int]) -> None:
    assert abs(10 * sum(hundredths(times)) - sum(times)) <= 5
    assert all(abs(10 * made - time) <= 10 for made, time in zip(hundredths(times), times, strict=True))
