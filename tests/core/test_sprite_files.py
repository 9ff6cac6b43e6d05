"""A sprite from any file: what each kind keeps, how a palette is put on it, what is refused."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import aseprite_made
import numpy as np
import pytest
from hypothesis import given
from PIL import Image
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite, gif_from_sprite, json_from_sprite, png_from_sprite
from pixelreef.core import sprite_files as module
from pixelreef.core.sprite_files import sprite_from_bytes, sprite_from_file, sprite_in_palette
from pixelreef.errors import InputError

TWO = Palette.from_hex(["102030", "ff8800", "00ff00"], transparent=0)
MOVING = Sprite(
    TWO,
    (Frame(Grid.from_rows([[0, 1], [2, 1]]), 120), Frame(Grid.from_rows([[1, 0], [2, 2]]), 80)),
    "mover",
    {"seed": 3, "parents": ["a", "b"]},
)


def png(image: Image.Image, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **options)
    return buffer.getvalue()


def seen(sprite: Sprite) -> list[list[object]]:
    return [[sprite.palette.rgba[frame.grid.cells].tolist(), frame.milliseconds] for frame in sprite.frames]


def test_a_document_keeps_everything_whatever_its_file_is_called(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    path.write_text(json_from_sprite(MOVING))
    assert sprite_from_file(path) == MOVING
    assert sprite_from_file(path).lineage == MOVING.lineage


def test_what_has_no_name_is_named_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "crab.json").write_text(json_from_sprite(replace(MOVING, name="")))
    (tmp_path / "fish.png").write_bytes(png_from_sprite(MOVING))
    assert [sprite_from_file(tmp_path / name).name for name in ("crab.json", "fish.png")] == ["crab", "fish"]


@given(sprites(side=12))
def test_an_indexed_still_keeps_its_indices_and_its_whole_palette(sprite: Sprite) -> None:
    read = sprite_from_bytes(png_from_sprite(sprite))
    assert (read.grid, read.palette) == (sprite.grid, sprite.palette)


def test_a_gif_keeps_its_frames_their_colours_and_times() -> None:
    read = sprite_from_bytes(gif_from_sprite(MOVING))
    assert seen(read) == seen(MOVING)
    assert len(read.palette) == 3


def test_an_aseprite_file_keeps_its_frames() -> None:
    parts = (aseprite_made.layer(), aseprite_made.cel(bytes([9, 8, 7, 255] + [0] * 12)))
    later = aseprite_made.cel(bytes([0] * 12 + [1, 2, 3, 255]))
    data = aseprite_made.file(
        [aseprite_made.frame(*parts, milliseconds=40), aseprite_made.frame(later, milliseconds=0)]
    )
    read = sprite_from_bytes(data)
    assert read.palette.hex() == ["000000", "090807", "010203"]
    assert [frame.grid.cells.tolist() for frame in read.frames] == [[[1, 0], [0, 0]], [[0, 0], [0, 2]]]
    assert read.frames[0].milliseconds == 40


def test_a_still_without_a_time_stands_as_long_as_any_frame() -> None:
    assert sprite_from_bytes(png_from_sprite(MOVING)).frames[0].milliseconds == 125


def test_several_clear_entries_become_one() -> None:
    image = Image.frombytes("P", (3, 1), b"\0\1\2")
    image.putpalette([9, 9, 9, 40, 50, 60, 1, 2, 3])
    read = sprite_from_bytes(png(image, transparency=b"\0\0\xff"))
    assert read.grid.cells.tolist() == [[0, 0, 1]]
    assert (read.palette.transparent, read.palette.hex()[1]) == (0, "010203")


def test_a_palette_given_is_put_on_pictures_and_documents_alike() -> None:
    greys = Palette.from_hex(["ffffff", "808080", "000000", "123456"], transparent=3)
    for data in (json_from_sprite(MOVING).encode(), png_from_sprite(MOVING)):
        read = sprite_from_bytes(data, palette=greys)
        assert read.palette == greys
        assert (read.frames[0].grid.cells == 3).tolist() == [[True, False], [False, False]]
    mapped = sprite_in_palette(MOVING, greys)
    assert (mapped.name, mapped.lineage, len(mapped.frames)) == ("mover", MOVING.lineage, 2)
    assert sprite_in_palette(MOVING, TWO) is MOVING


def test_too_many_colours_ask_for_a_palette() -> None:
    many = Image.fromarray(np.random.default_rng(0).integers(0, 256, (30, 30, 3), dtype=np.uint8))
    with pytest.raises(InputError, match=r"at most 256 colours.*Give a palette"):
        sprite_from_bytes(png(many))
    assert sprite_from_bytes(png(many), palette=TWO).size == (30, 30)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "got an empty file"),
        (b"hello", "must be a sprite document, a picture or an Aseprite file, got something else"),
        (b"\x89PNG", "must be a picture"),
        (b"[1, 2]", "must be a JSON object"),
        (b'{"palette": ["000000"]}', "no grid"),
    ],
)
def test_anything_else_is_one_clear_error(data: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        sprite_from_bytes(data)


def test_sizes_are_bounded_as_in_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="at most 1024 pixels on a side, got 1025 × 1"):
        sprite_from_bytes(png(Image.new("L", (1025, 1))))
    with pytest.raises(InputError, match="at most 4,194,304 pixels"):
        sprite_from_bytes(png(Image.new("L", (4096, 1025))))
    monkeypatch.setattr(module, "MAX_FRAMES", 1)
    with pytest.raises(InputError, match="at most 1 frames, got 2"):
        sprite_from_bytes(gif_from_sprite(MOVING))
