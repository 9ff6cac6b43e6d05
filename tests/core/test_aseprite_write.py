"""Aseprite files that we write, read by hand, by our own reader and by a public one."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import sprites

from pixelreef.core import Frame, Grid, Palette, Sprite
from pixelreef.core.aseprite import aseprite_from_bytes
from pixelreef.core.aseprite_write import BACKGROUND, CelLayer, aseprite_from_sprite
from pixelreef.core.frames import Tag
from pixelreef.errors import GridError

PALETTE = Palette.from_hex(["102030", "ff8800", "00ffaa"], transparent=0)
FISH = Sprite(
    PALETTE,
    (
        Frame(Grid.from_rows([[0, 0, 0], [0, 1, 2]]), 80),
        Frame(Grid.from_rows([[0, 0, 0], [0, 0, 0]]), 300),
    ),
    "fish",
)


def chunks(frame: bytes) -> list[tuple[int, bytes]]:
    found, at = [], 16
    while at < len(frame):
        size, kind = struct.unpack_from("<IH", frame, at)
        found.append((kind, frame[at + 6 : at + size]))
        at += size
    return found


def test_the_bytes_are_those_of_the_published_layout() -> None:
    data = aseprite_from_sprite(FISH, tags=[Tag("swim", 0, 1)])
    size, magic, frames, width, height, depth, flags, speed = struct.unpack_from("<IHHHHHIH", data)
    assert (size, magic, frames, width, height, depth, flags, speed) == (len(data), 0xA5E0, 2, 3, 2, 8, 1, 80)
    assert data[28] == 0  # the transparent index
    assert struct.unpack_from("<H", data, 32) == (3,)  # colours
    first_size, first_magic, old_count, time, new_count = struct.unpack_from("<IHHHxxI", data, 128)
    assert (first_magic, old_count, time, new_count) == (0xF1FA, 6, 80, 6)
    first = chunks(data[128 : 128 + first_size])
    assert [kind for kind, _ in first] == [0x2007, 0x2019, 0x0004, 0x2004, 0x2018, 0x2005]
    assert first[1][1][20:] == bytes.fromhex("0000 10203000 0000 ff8800ff 0000 00ffaaff")
    assert first[2][1] == bytes.fromhex("0100 00 03 102030 ff8800 00ffaa")
    assert first[3][1] == struct.pack("<HHHHHHB3xH", 3, 0, 0, 0, 0, 0, 255, 4) + b"fish"
    assert first[4][1] == struct.pack("<H8xHHB8x4xH", 1, 0, 1, 0, 4) + b"swim"
    assert first[5][1][:20] == struct.pack("<HhhBHh5xHH", 0, 1, 1, 255, 2, 0, 2, 1)  # cut to what is seen
    assert zlib.decompress(first[5][1][20:]) == bytes([1, 2])
    second = data[128 + first_size :]
    assert struct.unpack_from("<IHHHxxI", second) == (16, 0xF1FA, 0, 300, 0)  # nothing is seen: no cel
    assert len(second) == 16


@given(sprites(most_colours=256, side=12, frames=4), st.text(max_size=20))
@settings(max_examples=60)
def test_any_sprite_comes_back_index_by_index(sprite: Sprite, name: str) -> None:
    tag = Tag(name, 0, len(sprite.frames) - 1)
    read = aseprite_from_bytes(aseprite_from_sprite(sprite, tags=[tag]))
    assert read.palette == sprite.palette
    for still, frame in zip(read.frames, sprite.frames, strict=True):
        assert still.indices is not None
        assert np.array_equal(still.indices, frame.grid.cells)
        assert still.milliseconds == frame.milliseconds
    assert read.tags == (tag,)
    assert read.notes == ()


@given(sprites(most_colours=64, side=12, frames=3))
@settings(max_examples=30)
def test_a_public_reader_sees_the_same(sprite: Sprite) -> None:
    aseprite = pytest.importorskip("aseprite", reason="needs Python 3.12 and the package aseprite")
    read = aseprite.Sprite.from_bytes(aseprite_from_sprite(sprite, tags=[Tag("all", 0, len(sprite.frames) - 1)]))
    assert read.size == sprite.size
    assert [(tag.name, tag.from_frame, tag.to_frame) for tag in read.tags] == [("all", 0, len(sprite.frames) - 1)]
    assert [(one.r, one.g, one.b) for one in read.palette_at(0)] == [tuple(map(int, rgb)) for rgb in sprite.palette.rgb]
    for number, frame in enumerate(sprite.frames):
        shown = np.frombuffer(read.flatten(number), np.uint8).reshape(*frame.grid.cells.shape, 4)
        assert np.array_equal(np.where(shown[..., 3:] > 0, shown, 0), sprite.palette.rgba[frame.grid.cells])
        assert read.frames[number].duration_ms == frame.milliseconds


def test_layers_keep_their_names_and_show_the_sprite() -> None:
    first, none = FISH.frames[0].grid.cells, np.zeros((2, 3), np.uint8)
    layers = [CelLayer("body", (np.where(first == 1, first, 0).astype(np.uint8), none)), CelLayer("eye", (none, none))]
    with pytest.raises(GridError, match="show the sprite when put together"):
        aseprite_from_sprite(FISH, layers)
    layers[1] = CelLayer("eye", (np.where(first == 2, first, 0).astype(np.uint8), none))
    read = aseprite_from_bytes(aseprite_from_sprite(FISH, layers))
    assert read.layers == ("body", "eye")
    assert read.frames[0].indices is not None
    assert np.array_equal(read.frames[0].indices, first)


def test_an_opaque_sprite_is_one_background_and_takes_no_layers() -> None:
    opaque = Sprite.still(Grid.from_rows([[0, 1]]), Palette.from_hex(["000000", "ffffff"]))
    read = aseprite_from_bytes(aseprite_from_sprite(opaque))
    assert (read.layers, read.palette) == ((BACKGROUND,), opaque.palette)
    with pytest.raises(GridError, match="transparent palette entry"):
        aseprite_from_sprite(opaque, [CelLayer("all", (opaque.grid.cells,))])


def test_a_long_name_is_cut_between_characters() -> None:
    named = Sprite(PALETTE, FISH.frames, "ü" * 40_000)
    (name,) = aseprite_from_bytes(aseprite_from_sprite(named)).layers
    assert name == "ü" * 500


def test_a_size_past_the_format_is_refused() -> None:
    with pytest.raises(GridError, match="at most 65,535 each"):
        aseprite_from_sprite(Sprite.still(Grid(np.zeros((1, 65_536), np.uint8)), PALETTE))
