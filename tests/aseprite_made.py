"""Aseprite files built by hand from the published layout, knowing nothing of our reader."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

RGBA, GREY, INDEXED = 32, 16, 8
OPACITY, GROUPS = 1, 2  # flags of the header


def file(
    frames: Sequence[bytes],
    size: tuple[int, int] = (2, 2),
    depth: int = RGBA,
    flags: int = OPACITY,
    transparent: int = 0,
    colours: int = 0,
    speed: int = 100,
) -> bytes:
    body = b"".join(frames)
    head = struct.pack("<HHHHHIHIIB3xH", 0xA5E0, len(frames), *size, depth, flags, speed, 0, 0, transparent, colours)
    head = (struct.pack("<I", 128 + len(body)) + head).ljust(128, b"\0")
    return head + body


def frame(*chunks: bytes, milliseconds: int = 0) -> bytes:
    body = b"".join(chunks)
    return struct.pack("<IHHHxxI", 16 + len(body), 0xF1FA, len(chunks), milliseconds, len(chunks)) + body


def chunk(kind: int, data: bytes) -> bytes:
    return struct.pack("<IH", 6 + len(data), kind) + data


def text(words: str) -> bytes:
    return struct.pack("<H", len(words.encode())) + words.encode()


def layer(
    name: str = "layer",
    visible: bool = True,
    kind: int = 0,
    level: int = 0,
    mode: int = 0,
    opacity: int = 255,
    more: int = 0,
    tileset: int = 0,
) -> bytes:
    """`more` adds flags: 8 background, 64 reference."""
    data = struct.pack("<HHHHHHBxxx", int(visible) | more, kind, level, 0, 0, mode, opacity) + text(name)
    return chunk(0x2004, data + (struct.pack("<I", tileset) if kind == 2 else b""))


def cel(
    pixels: bytes,
    size: tuple[int, int] = (2, 2),
    on: int = 0,
    at: tuple[int, int] = (0, 0),
    opacity: int = 255,
    z: int = 0,
    raw: bool = False,
) -> bytes:
    head = struct.pack("<HhhBHh5x", on, *at, opacity, 0 if raw else 2, z)
    return chunk(0x2005, head + struct.pack("<HH", *size) + (pixels if raw else zlib.compress(pixels)))


def linked(to: int, on: int = 0, at: tuple[int, int] = (0, 0), opacity: int = 255) -> bytes:
    return chunk(0x2005, struct.pack("<HhhBHh5xH", on, *at, opacity, 1, 0, to))


ACROSS, DOWN, DIAGONAL = 0x80000000, 0x40000000, 0x20000000


def tilemap(codes: Sequence[int], size: tuple[int, int], bits: int = 32) -> bytes:
    head = struct.pack("<HhhBHh5x", 0, 0, 0, 255, 3, 0)
    ways = struct.pack("<HHHIIII10x", *size, bits, 0x1FFFFFFF, ACROSS, DOWN, DIAGONAL)
    return chunk(0x2005, head + ways + zlib.compress(struct.pack(f"<{len(codes)}I", *codes)))


def tileset(pixels: bytes, count: int, size: tuple[int, int], number: int = 0, flags: int = 2 | 4) -> bytes:
    packed = zlib.compress(pixels)
    inside = struct.pack("<I", len(packed)) + packed if flags & 2 else b""
    outside = struct.pack("<II", 1, 1) if flags & 1 else b""
    head = struct.pack("<IIIHHh14x", number, flags, count, *size, 1)
    return chunk(0x2023, head + text("tiles") + outside + inside)


def palette(colours: Sequence[str], first: int = 0, size: int | None = None, names: bool = False) -> bytes:
    """Colours of six or eight hex digits."""
    total = first + len(colours) if size is None else size
    entries = b"".join(
        struct.pack("<H", int(names)) + bytes.fromhex(colour.ljust(8, "f")) + (text("sea") if names else b"")
        for colour in colours
    )
    return chunk(0x2019, struct.pack("<III8x", total, first, first + len(colours) - 1) + entries)


def old_palette(packets: Sequence[tuple[int, Sequence[str]]], kind: int = 0x0004) -> bytes:
    """Packets of (entries to skip, colours)."""
    body = b"".join(
        struct.pack("<BB", skip, len(colours) % 256) + b"".join(map(bytes.fromhex, colours))
        for skip, colours in packets
    )
    return chunk(kind, struct.pack("<H", len(packets)) + body)


def tags(*named: tuple[str, int, int]) -> bytes:
    body = b"".join(struct.pack("<HHBH6x3xx", first, last, 0, 0) + text(name) for name, first, last in named)
    return chunk(0x2018, struct.pack("<H8x", len(named)) + body)


def still(
    *chunks: bytes,
    size: tuple[int, int] = (2, 2),
    depth: int = RGBA,
    flags: int = OPACITY,
    transparent: int = 0,
    colours: int = 0,
) -> bytes:
    """A file of one frame."""
    return file([frame(*chunks)], size, depth, flags, transparent, colours)


RED, BLUE, CLEAR = b"\xff\0\0\xff", b"\0\0\xff\xff", b"\0\0\0\0"
SAMPLE = file(
    [
        frame(
            palette(["000000", "ff8800", "00ffaa"]),
            tags(("swim", 0, 1)),
            layer("body"),
            layer("group", kind=1),
            layer("fin", level=1, opacity=200),
            cel(bytes([0, 1, 2, 1])),
            cel(bytes([2]), (1, 1), on=2, at=(1, 0)),
            milliseconds=80,
        ),
        frame(linked(0), chunk(0x2020, struct.pack("<I", 1) + text("note"))),
    ],
    depth=INDEXED,
)
TILED = still(
    tileset(bytes(16) + RED * 3 + BLUE, 2, (2, 2)), layer(kind=2), tilemap([1, 1 | ACROSS, 0, 1 | DIAGONAL], (2, 2))
)
