"""Writing `.aseprite` files: an indexed sprite with its palette, its frames and their times, layers and tags.

The layout is Aseprite's published `ase-file-specs.md`; reading is `aseprite`. Layers hold palette indices and only
ever cover one another, so that the picture that an editor shows is the sprite, pixel by pixel. A sprite with no
transparent entry is one background layer, because on every other layer some index must be see-through.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pixelreef.core.aseprite_chunks import FRAME_MAGIC, MAGIC
from pixelreef.core.frames import Tag
from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import Sprite
from pixelreef.errors import GridError

BACKGROUND = "Background"
_MOST = 65_535  # sides, frames, layers and milliseconds are two bytes each
_NAME_BYTES = 1_000  # of a layer or tag: the format allows 65,535, no editor shows as many
_INDEXED = 8  # bits to a pixel
_OPACITY_HOLDS = 1  # header flag: the layers' opacity is to be used
_VISIBLE, _EDITABLE, _IS_BACKGROUND = 1, 2, 8  # layer flags
_COMPRESSED = 2  # the kind of a cel
_SRGB = 1  # the kind of a colour profile
_OLD_PALETTE, _LAYER, _CEL, _PROFILE, _TAGS, _PALETTE = 0x0004, 0x2004, 0x2005, 0x2007, 0x2018, 0x2019


@dataclass(frozen=True, eq=False)
class CelLayer:
    """One layer of the file to be: a name, and for every frame its indices."""

    name: str
    frames: tuple[Cells, ...]
    """(height, width) each, as large as the sprite; the transparent index where the layer shows nothing."""


def aseprite_from_sprite(sprite: Sprite, layers: Sequence[CelLayer] = (), tags: Sequence[Tag] = ()) -> bytes:
    """The sprite as an indexed Aseprite file, from the lowest layer up; one layer of everything unless given.

    Layers need a transparent palette entry and must show the sprite when put together.
    """
    _check(sprite, layers)
    flags = _VISIBLE | _EDITABLE | (_IS_BACKGROUND if sprite.palette.transparent is None else 0)
    named = [*layers] or [CelLayer(_only_name(sprite), tuple(frame.grid.cells for frame in sprite.frames))]
    palettes = [_palette(sprite.palette), _old_palette(sprite.palette)]
    opening = [_profile(), *palettes, *(_layer(layer.name, flags) for layer in named)]
    if tags:
        opening.append(_tags(tags))
    frames = []
    for number, frame in enumerate(sprite.frames):
        cels = [_cel(index, layer.frames[number], sprite.palette) for index, layer in enumerate(named)]
        chunks = [*(opening if number == 0 else []), *(cel for cel in cels if cel)]
        frames.append(_frame(chunks, frame.milliseconds))
    return _file(sprite, b"".join(frames))


def _check(sprite: Sprite, layers: Sequence[CelLayer]) -> None:
    if max(*sprite.size, len(sprite.frames), len(layers)) > _MOST:
        what = "width, height, frames and layers of an Aseprite file"
        raise GridError(what, f"be at most {_MOST:,} each", (*sprite.size, len(sprite.frames), len(layers)))
    if not layers:
        return
    if sprite.palette.transparent is None:
        raise GridError("layers", "come with a transparent palette entry", "none", verbatim=True)
    for number, frame in enumerate(sprite.frames):
        shown = np.full_like(frame.grid.cells, sprite.palette.transparent)
        for layer in layers:
            part = layer.frames[number]
            np.copyto(shown, part, where=part != sprite.palette.transparent)
        if not np.array_equal(shown, frame.grid.cells):
            raise GridError("layers", "show the sprite when put together", f"another frame {number}", verbatim=True)


def _only_name(sprite: Sprite) -> str:
    return BACKGROUND if sprite.palette.transparent is None else sprite.name or "sprite"


def _file(sprite: Sprite, frames: bytes) -> bytes:
    palette = sprite.palette
    head = struct.pack(
        "<IHHHHHIHIIB3xHBB",
        128 + len(frames),
        MAGIC,
        len(sprite.frames),
        *sprite.size,
        _INDEXED,
        _OPACITY_HOLDS,
        _milliseconds(sprite.frames[0].milliseconds),
        0,
        0,
        palette.transparent or 0,
        len(palette),
        1,  # pixels are square: 1 wide,
        1,  # 1 high
    )
    return head.ljust(128, b"\0") + frames


def _frame(chunks: Sequence[bytes], milliseconds: int) -> bytes:
    body = b"".join(chunks)
    few = min(len(chunks), 0xFFFF)  # which says: look at the longer number that follows
    time = _milliseconds(milliseconds)
    return struct.pack("<IHHHxxI", 16 + len(body), FRAME_MAGIC, few, time, len(chunks)) + body


def _milliseconds(time: int) -> int:
    return min(max(time, 1), _MOST)


def _chunk(kind: int, body: bytes) -> bytes:
    return struct.pack("<IH", 6 + len(body), kind) + body


def _text(words: str) -> bytes:
    whole = words.encode("utf-8", errors="replace")[:_NAME_BYTES]
    cut = whole.decode("utf-8", errors="ignore").encode()  # never half a character
    return struct.pack("<H", len(cut)) + cut


def _profile() -> bytes:
    return _chunk(_PROFILE, struct.pack("<HHI8x", _SRGB, 0, 0))


def _palette(palette: Palette) -> bytes:
    """All entries; the transparent one with its own colour and no alpha, for readers that go by alpha alone."""
    alphas = [0 if index == palette.transparent else 255 for index in range(len(palette))]
    entries = [struct.pack("<H4B", 0, *map(int, rgb), alpha) for rgb, alpha in zip(palette.rgb, alphas, strict=True)]
    return _chunk(_PALETTE, struct.pack("<III8x", len(palette), 0, len(palette) - 1) + b"".join(entries))


def _old_palette(palette: Palette) -> bytes:
    """The same without alpha, for programs older than Aseprite 1.1; others pass over it, having seen the new one."""
    one_packet, skipped, count = 1, 0, len(palette) % 256  # 0 stands for 256
    return _chunk(_OLD_PALETTE, struct.pack("<HBB", one_packet, skipped, count) + palette.rgb.tobytes())


def _layer(name: str, flags: int) -> bytes:
    kind = level = width = height = mode = 0  # a picture, in no group, sizes unused, blended as normal
    return _chunk(_LAYER, struct.pack("<HHHHHHB3x", flags, kind, level, width, height, mode, 255) + _text(name))


def _cel(layer: int, cells: Cells, palette: Palette) -> bytes:
    """What a layer shows in one frame, cut to what can be seen, as editors do; empty where that is nothing."""
    top, left, height, width = (0, 0, *cells.shape)
    if palette.transparent is not None:
        seen = cells != palette.transparent
        rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
        if not len(rows):
            return b""
        top, left = int(rows[0]), int(columns[0])
        height, width = int(rows[-1]) + 1 - top, int(columns[-1]) + 1 - left
    pixels = np.ascontiguousarray(cells[top : top + height, left : left + width]).tobytes()
    place = struct.pack("<HhhBHh5xHH", layer, left, top, 255, _COMPRESSED, 0, width, height)
    return _chunk(_CEL, place + zlib.compress(pixels, 9))


def _tags(tags: Sequence[Tag]) -> bytes:
    """Played forwards, without end."""
    made = [struct.pack("<HHBH6x3xx", tag.first, tag.last, 0, 0) + _text(tag.name) for tag in tags]
    return _chunk(_TAGS, struct.pack("<H8x", len(tags)) + b"".join(made))
