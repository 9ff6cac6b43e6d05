"""Palettes from and to files: `.hex`, GIMP `.gpl`, JASC and RIFF `.pal`, JSON, and any picture with few colours.

The kind is told from the content, never from the name. Text formats know no transparency; JSON does. JSON is a list
of hex colours, or an object with the list under `palette` (our own documents) or `colors` (as Lospec writes it),
and with `name` and `transparent` if it likes.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable

import numpy as np

from pixelreef.core.files import read_bytes
from pixelreef.core.images import image_from_bytes
from pixelreef.core.palette import MAX_COLOURS, Palette, rgb_from_hex
from pixelreef.core.sprite import sprite_from_picture
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import PaletteError

MAX_BYTES = 2**20  # 256 colours need a few kilobytes in any of the formats


def read_palette(path: str | os.PathLike[str]) -> Palette:
    """Read a palette from a file of any supported kind."""
    return palette_from_bytes(read_bytes(path), f"palette {os.fspath(path)!r}")


def palette_from_bytes(data: bytes, what: str = "palette") -> Palette:
    """Read a palette from bytes; `what` names it in errors."""
    kind = palette_kind(data)
    if kind == "image":
        return sprite_from_picture(image_from_bytes(data, what)).palette
    if len(data) > MAX_BYTES:
        raise PaletteError(what, f"be at most {MAX_BYTES:,} bytes", f"{len(data):,}", verbatim=True)
    if kind == "riff":
        return _from_riff(data, what)
    if kind == "json":
        return _from_json(data, what)
    return {"gpl": _from_gpl, "jasc": _from_jasc, "hex": _from_hex}[kind](_lines(data, what), what)


def palette_kind(data: bytes) -> str:
    """`gpl`, `jasc`, `riff`, `json`, `image` or, for anything else, `hex`."""
    head = data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
    signs: list[tuple[str, Callable[[bytes], bool]]] = [
        ("gpl", lambda text: text.startswith(b"GIMP Palette")),
        ("jasc", lambda text: text.startswith(b"JASC-PAL")),
        ("riff", lambda text: text.startswith(b"RIFF") and text[8:12] == b"PAL "),
        ("json", lambda text: text[:1] in (b"{", b"[")),
        ("image", looks_like_image),
    ]
    return next((kind for kind, is_it in signs if is_it(head)), "hex")


def looks_like_image(head: bytes) -> bool:
    """Whether the first bytes are those of a picture format we read."""
    starts = (
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"BM",
        b"II*\x00",
        b"MM\x00*",
        b"P1",
        b"P2",
        b"P3",
        b"P4",
        b"P5",
        b"P6",
    )
    return head.startswith(starts) or (head.startswith(b"RIFF") and head[8:12] == b"WEBP")


def hex_from_palette(palette: Palette) -> str:
    """Text of a `.hex` file: one colour a line, transparency lost."""
    return "\n".join(palette.hex()) + "\n"


def gpl_from_palette(palette: Palette) -> str:
    """Text of a GIMP palette, transparency lost."""
    rows = [f"{r:3d} {g:3d} {b:3d}\tIndex {i}" for i, (r, g, b) in enumerate(palette.rgb.tolist())]
    name = " ".join(palette.name.split()) or "Untitled"
    return "\n".join(["GIMP Palette", f"Name: {name}", "#", *rows]) + "\n"


def pal_from_palette(palette: Palette) -> str:
    """Text of a JASC palette with its own line ends, transparency lost."""
    rows = [f"{r} {g} {b}" for r, g, b in palette.rgb.tolist()]
    return "\r\n".join(["JASC-PAL", "0100", str(len(rows)), *rows]) + "\r\n"


def json_from_palette(palette: Palette) -> str:
    """Text of our JSON palette, transparency kept."""
    document: dict[str, object] = {"name": palette.name, "palette": palette.hex()}
    if palette.transparent is not None:
        document["transparent"] = palette.transparent
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _lines(data: bytes, what: str) -> list[str]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        rule = "be a palette (.hex, .gpl, .pal, JSON) or a picture"
        raise PaletteError(what, rule, "bytes of another kind", verbatim=True) from None
    return text.splitlines()


def _from_hex(lines: list[str], what: str) -> Palette:
    colours = []
    for number, line in enumerate(lines, 1):
        colour = line.split(";")[0].strip().removeprefix("#")
        if colour:
            colours.append(rgb_from_hex(colour, f"{what}, line {number},"))
        _check_count(len(colours), what)
    return _made(colours, what)


def _from_gpl(lines: list[str], what: str) -> Palette:
    colours, name = [], ""
    for number, line in enumerate(lines[1:], 2):
        if line.startswith("Name:"):
            name = line[5:].strip()[:200]
        elif line.strip() and not line.startswith(("#", "Columns:")):
            colours.append(_channels(line.split()[:3], f"{what}, line {number},"))
        _check_count(len(colours), what)
    return _made(colours, what, name)


def _from_jasc(lines: list[str], what: str) -> Palette:
    if len(lines) < 3 or lines[1].strip() != "0100" or not lines[2].strip().isdecimal():
        raise PaletteError(what, "have the version 0100 and a count after JASC-PAL", lines[1:3])
    rows = [line for line in lines[3:] if line.strip()]
    if len(lines[2]) > 4 or int(lines[2]) != len(rows):
        raise PaletteError(what, f"hold as many colours as it says ({lines[2][:8].strip()})", len(rows))
    _check_count(len(rows), what)
    return _made([_channels(row.split(), f"{what}, colour {i},") for i, row in enumerate(rows)], what)


def _from_riff(data: bytes, what: str) -> Palette:
    """Microsoft's layout: RIFF <size> 'PAL ' 'data' <size> version:u16 count:u16, then R G B flags."""
    place = data.find(b"data", 12)
    if place < 0 or len(data) < place + 12:
        raise PaletteError(what, "have a data chunk", "none", verbatim=True)
    _, count = struct.unpack_from("<HH", data, place + 8)
    _check_count(count, what)
    entries = np.frombuffer(data[place + 12 : place + 12 + 4 * count], np.uint8)
    if len(entries) != 4 * count:
        raise PaletteError(what, f"hold as many colours as it says ({count})", len(entries) // 4)
    return _made(entries.reshape(-1, 4)[:, :3].tolist(), what)


def _from_json(data: bytes, what: str) -> Palette:
    document = json_from_bytes(data, what)
    fields = document if isinstance(document, dict) else {"palette": document}
    colours = fields.get("palette", fields.get("colors"))
    if not isinstance(colours, list) or not all(isinstance(colour, str) for colour in colours):
        raise PaletteError(what, "hold a list of hex colours, under 'palette' or 'colors' if an object", colours)
    transparent, name = fields.get("transparent"), fields.get("name", "")
    if transparent is not None and (not isinstance(transparent, int) or isinstance(transparent, bool)):
        raise PaletteError(f"{what}: transparent", "be an index or null", transparent)
    if not isinstance(name, str):
        raise PaletteError(f"{what}: name", "be text", name)
    _check_count(len(colours), what)
    rgb = [rgb_from_hex(colour.removeprefix("#"), f"{what}, colour {i},") for i, colour in enumerate(colours)]
    return _made(rgb, what, name[:200], transparent)


def _channels(words: list[str], what: str) -> tuple[int, int, int]:
    values = [int(word) if word.isascii() and word.isdecimal() and len(word) <= 3 else -1 for word in words]
    if len(values) != 3 or not all(0 <= value <= 255 for value in values):
        raise PaletteError(what, "be three numbers from 0 to 255", " ".join(words))
    return values[0], values[1], values[2]


def _check_count(count: int, what: str) -> None:
    if count > MAX_COLOURS:
        raise PaletteError(what, f"have at most {MAX_COLOURS} colours", "more", verbatim=True)


def _made(colours: list[tuple[int, int, int]], what: str, name: str = "", transparent: int | None = None) -> Palette:
    if not colours:
        raise PaletteError(what, "have at least one colour", "none", verbatim=True)
    return Palette(np.array(colours), transparent, name)
