from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from strategies import palettes

from pixelreef.core import Palette, png_from_rgba
from pixelreef.core.palette_files import (
    gpl_from_palette,
    hex_from_palette,
    json_from_palette,
    pal_from_palette,
    palette_from_bytes,
)
from pixelreef.errors import PaletteError

RED_GREEN = Palette.from_hex(["ff0000", "00ff00"])


@given(palettes(256))
def test_json_keeps_everything(palette: Palette) -> None:
    assert palette_from_bytes(json_from_palette(palette).encode()) == palette


@given(palettes(256))
@pytest.mark.parametrize("write", [hex_from_palette, gpl_from_palette, pal_from_palette])
def test_text_formats_keep_all_but_transparency(write: Callable[[Palette], str], palette: Palette) -> None:
    assert palette_from_bytes(write(palette).encode()) == Palette(palette.rgb)


@pytest.mark.parametrize(
    "data",
    [
        b"ff0000\n00ff00\n",
        b"\xef\xbb\xbfFF0000\r\n#00FF00\r\n\r\n",
        b";a comment\nff0000 ; red\n00ff00",
        b"GIMP Palette\nName: two\nColumns: 4\n# comment\n255 0 0 red\n  0 255   0\tgreen\n",
        b"JASC-PAL\r\n0100\r\n2\r\n255 0 0\r\n0 255 0\r\n",
        b'["#ff0000", "00FF00"]',
        b'{"name": "two", "author": "", "colors": ["ff0000", "00ff00"]}',
        b"RIFF\x18\0\0\0PAL data\x0c\0\0\0" + struct.pack("<HH", 0x300, 2) + bytes([255, 0, 0, 0, 0, 255, 0, 0]),
        png_from_rgba(np.array([[[255, 0, 0, 255], [0, 255, 0, 255]]], np.uint8)),
    ],
)
def test_the_same_two_colours_from_every_format(data: bytes) -> None:
    assert palette_from_bytes(data) == RED_GREEN


def test_a_picture_with_clear_pixels_gives_a_transparent_entry_first() -> None:
    pixels = np.array([[[255, 0, 0, 255], [7, 7, 7, 0], [0, 255, 0, 255], [255, 0, 0, 255]]], np.uint8)
    palette = palette_from_bytes(png_from_rgba(pixels))
    assert palette.transparent == 0
    assert palette.hex()[1:] == ["ff0000", "00ff00"]


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "at least one colour"),
        (b"ff0000\nnope\n", "line 2, must be six hex digits"),
        (b"GIMP Palette\n256 0 0\n", "0 to 255"),
        (b"GIMP Palette\n1 2\n", "three numbers"),
        (b"JASC-PAL\n0100\n3\n1 2 3\n", "as many colours as it says"),
        (b"JASC-PAL\n", "version 0100"),
        (b'{"palette": "ff0000"}', "list of hex colours"),
        (b'{"palette": ["ff0000"], "transparent": 1}', "index from 0 to 0"),
        (b'{"palette": ["ff0000"], "transparent": true}', "index or null"),
        (b"ff0000\n" * 257, "at most 256"),
        (b"RIFF\x18\0\0\0PAL nothing here", "data chunk"),
        (b"RIFF\x18\0\0\0PAL data\x0c\0\0\0" + struct.pack("<HH", 0x300, 200), "as many colours"),
    ],
)
def test_faults_are_named(data: bytes, rule: str) -> None:
    with pytest.raises(PaletteError, match=rule):
        palette_from_bytes(data)
