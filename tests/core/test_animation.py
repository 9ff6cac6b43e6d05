from __future__ import annotations

import io
from pathlib import Path

import aseprite_made
import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from PIL import Image
from strategies import sprites

from pixelreef.core import Grid, Palette, Sprite, gif_from_sprite
from pixelreef.core import animation as module
from pixelreef.core.animation import animation_from_sprite, frames_from_bytes, read_frames
from pixelreef.errors import ImageError

COLOURS = ("red", "lime", "blue")
Pixels = NDArray[np.uint8]
RGBA = {"red": [255, 0, 0, 255], "lime": [0, 255, 0, 255], "blue": [0, 0, 255, 255]}


def moving(container: str, frames: list[Image.Image] | None = None, /, **options: object) -> bytes:
    frames = frames or [Image.new("RGB", (3, 2), colour) for colour in COLOURS]
    buffer = io.BytesIO()
    frames[0].save(buffer, container, save_all=True, append_images=frames[1:], **options)
    return buffer.getvalue()


@pytest.mark.parametrize(("container", "options"), [("GIF", {}), ("PNG", {}), ("WEBP", {"lossless": True})])
def test_all_frames_with_their_times(container: str, options: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(moving(container, duration=[50, 100, 70], **options))
    read = read_frames(path)
    assert [frame.rgba[1, 2].tolist() for frame in read.frames] == [RGBA[colour] for colour in COLOURS]
    assert [frame.milliseconds for frame in read.frames] == [50, 100, 70]
    assert (read.format, read.width, read.height, read.notes) == (container, 3, 2, ())


def test_the_picture_of_an_apng_for_those_who_cannot_play_it_is_no_frame() -> None:
    read = frames_from_bytes(moving("PNG", default_image=True, duration=[100, 70]))
    assert [frame.rgba[0, 0].tolist() for frame in read.frames] == [RGBA["lime"], RGBA["blue"]]


def test_a_still_is_one_frame_and_keeps_its_indices() -> None:
    image = Image.frombytes("P", (2, 1), b"\0\1")
    image.putpalette([9, 9, 9, 40, 50, 60])
    buffer = io.BytesIO()
    image.save(buffer, "PNG", transparency=0)
    read = frames_from_bytes(buffer.getvalue())
    assert len(read.frames) == 1
    assert read.frames[0].indices is not None
    assert read.frames[0].indices.tolist() == [[0, 1]]
    assert read.palette is not None
    assert (read.palette.hex(), read.palette.transparent) == (["090909", "28323c"], 0)


def different(frames: list[Pixels]) -> list[Pixels]:
    """Without those that repeat the one before: Pillow joins some of them when it writes."""
    return [one for number, one in enumerate(frames) if not number or not np.array_equal(one, frames[number - 1])]


@given(sprites(most_colours=16, side=12, frames=4))
def test_the_frames_of_a_gif_are_those_that_were_written(sprite: Sprite) -> None:
    written = different([sprite.palette.rgba[frame.grid.cells] for frame in sprite.frames])
    frames = frames_from_bytes(gif_from_sprite(sprite)).frames
    read = different([np.where(frame.rgba[..., 3:] > 0, frame.rgba, np.uint8(0)) for frame in frames])
    assert len(read) == len(written)
    assert all(np.array_equal(one, other) for one, other in zip(read, written, strict=True))


def test_a_frame_that_holds_only_what_changed_is_shown_whole() -> None:
    """By hand: a 2 × 1 red frame left in place, then a 1 × 1 blue one over its right half."""
    screen = b"GIF89a" + b"\2\0\1\0" + b"\x80\0\0" + bytes([255, 0, 0, 0, 0, 255])
    leave = b"!\xf9\4\x04\x05\0\0\0"
    whole = b",\0\0\0\0\2\0\1\0\0" + b"\2\2\x04\x0a\0"  # codes: clear, 0, 0, end
    part = b",\1\0\0\0\1\0\1\0\0" + b"\2\2\x4c\1\0"  # codes: clear, 1, end
    read = frames_from_bytes(screen + leave + whole + leave + part + b";")
    assert [frame.rgba[0].tolist() for frame in read.frames] == [
        [RGBA["red"], RGBA["red"]],
        [RGBA["red"], RGBA["blue"]],
    ]
    assert [frame.milliseconds for frame in read.frames] == [50, 50]


def test_the_pages_of_a_tiff_are_no_frames() -> None:
    read = frames_from_bytes(moving("TIFF"))
    assert len(read.frames) == 1
    assert read.notes == ("several pages: the first is used",)


def test_aseprite_files_and_sprite_documents_are_animations_too() -> None:
    read = frames_from_bytes(aseprite_made.SAMPLE)
    assert (read.format, len(read.frames), read.tag_of(1)) == ("Aseprite", 2, "swim")
    palette = Palette.from_hex(["000000", "ff0000"], 0)
    still = animation_from_sprite(Sprite.still(Grid.from_rows([[0, 1]]), palette))
    assert still.frames[0].rgba.tolist() == [[[0, 0, 0, 0], RGBA["red"]]]
    assert (still.palette, still.frames[0].milliseconds) == (palette, 125)


def test_frames_are_bounded_in_number_and_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    data = moving("GIF")
    assert len(frames_from_bytes(data, max_pixels=18).frames) == 3
    with pytest.raises(ImageError, match="at most 2 frames of 3 × 2, got more"):
        frames_from_bytes(data, max_pixels=17)
    with pytest.raises(ImageError, match="at most 5 pixels, got 3 × 2"):
        frames_from_bytes(data, max_pixels=5)
    monkeypatch.setattr(module, "MAX_FRAMES", 2)
    with pytest.raises(ImageError, match="at most 2 frames"):
        frames_from_bytes(data)


def test_a_gif_that_grows_is_refused() -> None:
    """A second frame beyond the screen makes Pillow's canvas larger."""
    screen = b"GIF89a" + b"\1\0\1\0" + b"\x80\0\0" + bytes([255, 0, 0, 0, 0, 255])
    one = b",\0\0\0\0\1\0\1\0\0" + b"\2\2\x44\1\0"
    far = b",\x09\0\x09\0\1\0\1\0\0" + b"\2\2\x4c\1\0"
    with pytest.raises(ImageError, match="frames of one size"):
        frames_from_bytes(screen + one + far + b";")


@pytest.mark.parametrize("container", ["GIF", "PNG", "WEBP"])
def test_damaged_animations_are_read_or_refused(container: str) -> None:
    chance = np.random.default_rng(1)
    noise = [Image.fromarray(chance.integers(0, 256, (9, 9, 3), dtype=np.uint8)) for _ in range(3)]
    whole = moving(container, noise, duration=20)
    outcomes = set()
    for _ in range(300):
        data = bytearray(whole)
        for place in chance.integers(0, len(data), chance.integers(0, 3)):
            data[place] = chance.integers(0, 256)
        try:
            frames_from_bytes(bytes(data[: chance.integers(1, 3 * len(data))]), max_pixels=2**16)
            outcomes.add("read")
        except ImageError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}
