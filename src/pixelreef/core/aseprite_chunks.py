"""The bytes of an Aseprite file taken apart: header, frames, layers, cels, palettes, tags and tilesets.

The layout is Aseprite's published `ase-file-specs.md`. Nothing is unpacked here: a cel keeps its compressed bytes, and
every length is checked against the bytes there are. Putting the layers together is `aseprite`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.blend import MODES
from pixelreef.core.frames import Tag
from pixelreef.errors import ImageError

MAGIC, FRAME_MAGIC = 0xA5E0, 0xF1FA
MAX_DEPTH = 64  # of groups in groups
MAX_COLOURS = 256
_HEADER = struct.Struct("<IHHHHHIH8xB3xH")  # and more that is of no use here, up to 128 bytes
_RAW, _LINKED, _COMPRESSED, _TILEMAP = range(4)


@dataclass(frozen=True)
class Layer:
    """One layer or group."""

    name: str
    group: bool
    parent: int | None
    """The index of the group around it."""
    place: int
    """Which child of its group it is."""
    shown: bool
    """Whether it can be seen: it and all groups around it are visible, and it is no reference layer."""
    background: bool
    opacity: int
    mode: str
    tileset: int | None
    """The id of its tileset, where it is a map of tiles."""


@dataclass(frozen=True)
class Cel:
    """The picture of one layer in one frame."""

    layer: int
    x: int
    y: int
    opacity: int
    z: int
    """How many layers it is moved up, or down where negative."""
    width: int
    """In pixels, or in tiles on a map of tiles."""
    height: int
    pixels: memoryview
    compressed: bool
    masks: tuple[int, int, int, int] | None = None
    """Which bits of a tile are its id, and its flips across x, y and the diagonal; None for a picture."""


@dataclass(frozen=True)
class Tileset:
    """Tiles below one another in one picture."""

    count: int
    width: int
    height: int
    pixels: memoryview
    zero_is_empty: bool


@dataclass
class FrameRecord:
    """What one frame says."""

    milliseconds: int
    cels: dict[int, Cel] = field(default_factory=dict)
    """Layer → cel."""
    colours: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 4), np.uint8))
    """(n, 4): the palette that holds in this frame."""


@dataclass
class Record:
    """What the whole file says."""

    width: int
    height: int
    depth: int
    """Bits of a pixel: 32 RGBA, 16 grey and alpha, 8 index."""
    transparent: int
    layer_opacity: bool
    group_blending: bool
    """Whether groups have an opacity and a mode of their own, and are put together first."""
    layers: list[Layer] = field(default_factory=list)
    frames: list[FrameRecord] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    tilesets: dict[int, Tileset] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    """In words, each once."""


def looks_like_aseprite(data: bytes) -> bool:
    """Whether these are the bytes, or the first hundreds, of an Aseprite file."""
    return data[4:6] == MAGIC.to_bytes(2, "little") and data[132:134] in (b"", FRAME_MAGIC.to_bytes(2, "little"))


def record_from_bytes(data: bytes, what: str) -> Record:
    """Take a file apart; one `ImageError` for whatever is wrong."""
    if data[4:6] != MAGIC.to_bytes(2, "little"):
        raise ImageError(what, "be an Aseprite file", "something else" if data else "an empty file", verbatim=True)
    if len(data) < 128:
        raise broken(what, "its header ends early")
    _, _, frames, width, height, depth, flags, speed, transparent, colours = _HEADER.unpack_from(data)
    if depth not in (8, 16, 32):
        raise broken(what, f"{depth} bits to a pixel")
    if not (width and height and frames):
        raise broken(what, f"{frames} frames of {width} × {height}")
    record = Record(width, height, depth, transparent if depth == 8 else 0, bool(flags & 1), bool(flags & 2))
    return _Parser(record, what, memoryview(data), colours or 256, speed).parsed(frames)


def broken(what: str, reason: str) -> ImageError:
    """The one error of a file that is not whole."""
    return ImageError(what, "be a whole Aseprite file", f"a broken one ({reason})", verbatim=True)


class _Cursor:
    """A place in bytes that can't be left."""

    def __init__(self, data: memoryview, what: str, part: str) -> None:
        self._data, self._what, self._part, self.at = data, what, part, 0

    def take(self, layout: str) -> tuple[Any, ...]:
        """The values of a little-endian `struct` layout."""
        return struct.unpack("<" + layout, self.bytes(struct.calcsize("<" + layout)))

    def bytes(self, count: int) -> memoryview:
        if count > len(self._data) - self.at:
            raise broken(self._what, f"{self._part} ends early")
        self.at += count
        return self._data[self.at - count : self.at]

    def text(self) -> str:
        (length,) = self.take("H")
        return bytes(self.bytes(length)).decode("utf-8", errors="replace")

    def rest(self) -> memoryview:
        return self._data[self.at :]


class _Parser:
    def __init__(self, record: Record, what: str, data: memoryview, colours: int, speed: int) -> None:
        self.record, self.what, self._data, self._speed = record, what, data, speed
        self._colours = np.zeros((min(colours, MAX_COLOURS), 4), np.uint8)
        self._colours[:, 3] = 255
        self._new_palettes = False
        self._open: list[tuple[int, int]] = []  # (level, index) of the groups around the next layer
        self._children: dict[int | None, int] = {}

    def parsed(self, frames: int) -> Record:
        at = 128
        for number in range(frames):
            part = f"frame {number}"
            head = _Cursor(self._data[at : at + 16], self.what, part)
            size, magic, old_count, milliseconds, new_count = head.take("IHHH2xI")
            if magic != FRAME_MAGIC or size < 16 or size > len(self._data) - at:
                raise broken(self.what, f"{part} has no frame's header")
            self.record.frames.append(FrameRecord(milliseconds or self._speed))
            self._chunks(self._data[at + 16 : at + size], new_count or old_count, number)
            self.record.frames[-1].colours = self._colours
            at += size
        if not self.record.layers:
            raise broken(self.what, "no layer")
        return self.record

    def _chunks(self, data: memoryview, count: int, frame: int) -> None:
        at = 0
        for _ in range(count):
            head = _Cursor(data[at : at + 6], self.what, f"frame {frame}")
            size, kind = head.take("IH")
            if size < 6 or size > len(data) - at:
                raise broken(self.what, f"a chunk of {size} bytes in frame {frame}")
            read = _CHUNKS.get(kind)
            if read:
                read(self, _Cursor(data[at + 6 : at + size], self.what, f"a chunk 0x{kind:04x} of frame {frame}"))
            at += size

    def _layer(self, chunk: _Cursor) -> None:
        flags, kind, level, mode, opacity = chunk.take("HHH4xHB3x")
        name = chunk.text()
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        if len(self._open) >= MAX_DEPTH:
            raise ImageError(self.what, f"nest groups at most {MAX_DEPTH} deep", "deeper", verbatim=True)
        parent = self._open[-1][1] if self._open else None
        self._open.append((level, len(self.record.layers)))
        above = self.record.layers[parent].shown if parent is not None else True
        background = bool(flags & 8)
        has_own = not background and (kind != 1 or self.record.group_blending)
        if has_own and mode >= len(MODES):
            self._note(f"unknown blend mode {mode}: read as normal")
            mode = 0
        if flags & 64:
            self._note("reference layers left out")
        self.record.layers.append(
            Layer(
                name=name,
                group=kind == 1,
                parent=parent,
                place=self._children.setdefault(parent, 0),
                shown=above and bool(flags & 1) and not flags & 64,
                background=background,
                opacity=opacity if has_own and self.record.layer_opacity else 255,
                mode=MODES[mode] if has_own else "normal",
                tileset=chunk.take("I")[0] if kind == 2 else None,
            )
        )
        self._children[parent] += 1

    def _cel(self, chunk: _Cursor) -> None:
        layer, x, y, opacity, kind, z = chunk.take("HhhBHh5x")
        cels = self.record.frames[-1].cels
        if layer >= len(self.record.layers) or self.record.layers[layer].group:
            raise broken(self.what, f"a cel on layer {layer}, which has no pictures")
        placed = {"layer": layer, "x": x, "y": y, "opacity": opacity, "z": z}
        if kind == _LINKED:
            (link,) = chunk.take("H")
            linked = self.record.frames[link].cels.get(layer) if link < len(self.record.frames) else None
            if linked is None:
                self._note("a linked cel that leads nowhere is left out")
                return
            cels[layer] = Cel(**{**vars(linked), **placed})
        elif kind in (_RAW, _COMPRESSED):
            width, height = chunk.take("HH")
            cels[layer] = Cel(**placed, width=width, height=height, pixels=chunk.rest(), compressed=kind == _COMPRESSED)
        elif kind == _TILEMAP and self.record.layers[layer].tileset is not None:
            width, height, bits, *masks = chunk.take("HHHIIII10x")
            if bits != 32:
                raise broken(self.what, f"{bits} bits to a tile")
            ways = (masks[0], masks[1], masks[2], masks[3])
            cels[layer] = Cel(**placed, width=width, height=height, pixels=chunk.rest(), compressed=True, masks=ways)
        else:
            self._note(f"a cel of unknown kind {kind} is left out")

    def _tags(self, chunk: _Cursor) -> None:
        (count,) = chunk.take("H8x")
        for _ in range(count):
            first, last = chunk.take("HHB2x6x4x")[:2]
            self.record.tags.append(Tag(chunk.text(), first, last))

    def _palette(self, chunk: _Cursor) -> None:
        size, first, last = chunk.take("III8x")
        if size > MAX_COLOURS:
            self._note(f"a palette of {size} colours: the first {MAX_COLOURS} are kept")
        if size:
            self._colours = _resized(self._colours, min(size, MAX_COLOURS))
        self._new_palettes = True
        entries = self._colours.copy()
        for index in range(first, last + 1):
            named, *colour = chunk.take("H4B")
            if named & 1:
                chunk.text()
            if index < len(entries):
                entries[index] = colour
        self._colours = entries

    def _old_palette(self, chunk: _Cursor, bits: int = 8) -> None:
        if self._new_palettes:
            return
        (packets,) = chunk.take("H")
        index, entries = 0, self._colours.copy()
        for _ in range(packets):
            skip, count = chunk.take("BB")
            index += skip
            rgb = np.frombuffer(chunk.bytes(3 * (count or 256)), np.uint8).reshape(-1, 3)
            if bits == 6:
                rgb = ((rgb & 63) << 2 | (rgb & 63) >> 4).astype(np.uint8)
            room = entries[index : index + len(rgb)]
            room[:, :3], room[:, 3] = rgb[: len(room)], 255
        self._colours = entries

    def _very_old_palette(self, chunk: _Cursor) -> None:
        self._old_palette(chunk, bits=6)

    def _profile(self, chunk: _Cursor) -> None:
        if chunk.take("H")[0] == 2:
            self._note("colour profile ignored: read as sRGB")

    def _tileset(self, chunk: _Cursor) -> None:
        number, flags, count, width, height = chunk.take("IIIHH16x")
        chunk.text()
        if flags & 1:
            chunk.take("II")
        if not flags & 2:
            self._note("a tileset in another file is left out")
            return
        pixels = chunk.bytes(chunk.take("I")[0] if count else 0)
        self.record.tilesets[number] = Tileset(count, width, height, pixels, bool(flags & 4))

    def _note(self, note: str) -> None:
        self.record.notes[note] = None


def _resized(colours: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    made = np.zeros((size, 4), np.uint8)
    made[:, 3] = 255
    made[: len(colours)] = colours[:size]
    return made


_CHUNKS = {
    0x0004: _Parser._old_palette,
    0x000B: _Parser._very_old_palette,  # what Aseprite writes and reads
    0x0011: _Parser._very_old_palette,  # what its specification says
    0x2004: _Parser._layer,
    0x2005: _Parser._cel,
    0x2007: _Parser._profile,
    0x2018: _Parser._tags,
    0x2019: _Parser._palette,
    0x2023: _Parser._tileset,
}
