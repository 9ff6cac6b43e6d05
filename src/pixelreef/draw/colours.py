"""The palette of a reply: 2 to 10 colours of six hex digits, to the letter or repaired.

A repaired palette and the cells that use it are made to fit one another in one place, `drawing_repaired`: indices are
clamped to the palette, and a palette that is too long is cut to what the cells use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.draw.drawing import MAX_COLOURS, MIN_COLOURS, Drawing
from pixelreef.draw.failures import Faults
from pixelreef.draw.repairs import Log
from pixelreef.errors import shown

RULE = """\
"palette": a list of 2 to 10 colours, each a string of six hex digits without "#", such as "1a2b3c". A colour's place
in the list is its index, from 0. The background's colour is in it too."""

# The 16 of HTML 4 and the few others that models write; both spellings of grey.
NAMES = {
    "black": "000000",
    "silver": "c0c0c0",
    "gray": "808080",
    "grey": "808080",
    "white": "ffffff",
    "maroon": "800000",
    "red": "ff0000",
    "purple": "800080",
    "fuchsia": "ff00ff",
    "magenta": "ff00ff",
    "green": "008000",
    "lime": "00ff00",
    "olive": "808000",
    "yellow": "ffff00",
    "navy": "000080",
    "blue": "0000ff",
    "teal": "008080",
    "aqua": "00ffff",
    "cyan": "00ffff",
    "orange": "ffa500",
    "pink": "ffc0cb",
    "brown": "a52a2a",
    "gold": "ffd700",
}
INVENTED = (128, 128, 128)

_LOOKED_AT = 10 * MAX_COLOURS  # of a longer palette, which is at fault as it is
_HEX = re.compile(r"[0-9A-Fa-f]{6}\Z")
_SHORT_OR_LONG = re.compile(r"(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{8})\Z")

Rgb = tuple[int, int, int]


def palette_schema(colours: int) -> dict[str, Any]:
    """The JSON Schema of a palette of so many colours."""
    colour = {"type": "string", "pattern": "^[0-9A-Fa-f]{6}$"}
    return {"type": "array", "items": colour, "minItems": colours, "maxItems": colours}


def palette_strictly(value: Any, faults: Faults) -> Palette | None:
    """A list of 2 to 10 strings of six hex digits; each deviation is a fault."""
    if not isinstance(value, list):
        faults.add("wrong type", "the palette must be a list")
        return None
    if len(value) < MIN_COLOURS:
        faults.add("palette too small", f"the palette has {len(value)} colours, at least {MIN_COLOURS} are needed")
    if len(value) > MAX_COLOURS:
        faults.add("palette too large", f"the palette has {len(value):,} colours, at most {MAX_COLOURS} are allowed")
    for place, colour in enumerate(value[:_LOOKED_AT]):
        if not isinstance(colour, str):
            faults.add("wrong type", f"colour {place} must be a string")
        elif not _HEX.match(colour):
            faults.add("bad colour", f"colour {place} must be six hex digits, got {shown(colour)}")
    return None if faults.messages else _palette(value)


def entries_repaired(value: Any, log: Log) -> list[Any] | None:
    """The palette's entries in order, not yet read; None where there are none."""
    if isinstance(value, dict):
        log.note("palette listed")
        value = list(value.values())
    if isinstance(value, str):
        log.note("palette listed")
        value = [word for word in re.split(r"[\s,;\[\]\"']+", value) if word]
    return value if isinstance(value, list) and value else None


def drawing_repaired(entries: Sequence[Any], cells: NDArray[np.int64], log: Log) -> Drawing | None:
    """Entries and (24, 24) indices of any size → a drawing; None where most of it would be ours."""
    read = _Reader(entries, log)
    if len(entries) == 1:
        read.pad()
        log.changed |= cells == 1
    clamped = np.clip(cells, 0, read.length - 1)
    log.note("index clamped", int((clamped != cells).sum()))
    log.changed |= clamped != cells
    kept = list(range(read.length)) if read.length <= MAX_COLOURS else _most_used(clamped)
    rgb = np.array([read.colour(index) for index in kept], np.uint8)
    for index in read.invented:
        log.changed |= clamped == index
    fitted = _renumbered(clamped, kept, rgb, read, log)
    if log.mostly_ours or read.invented.issuperset(kept):
        return None
    return Drawing(Grid(fitted.astype(np.uint8)), Palette(rgb))


class _Reader:
    """Reads each entry at most once, so that its repairs are counted once."""

    def __init__(self, entries: Sequence[Any], log: Log) -> None:
        self._entries = entries
        self._log = log
        self._read: dict[int, Rgb] = {}
        self.length = len(entries)
        self.invented: set[int] = set()

    def colour(self, index: int) -> Rgb:
        if index not in self._read:
            found = _colour(self._entries[index], self._log)
            if found is None:
                self._log.note("colour invented")
                self.invented.add(index)
            self._read[index] = found or INVENTED
        return self._read[index]

    def pad(self) -> None:
        lightness = float(oklab_from_rgb(np.array(self.colour(0), np.uint8))[0])
        self._read[1] = (0, 0, 0) if lightness > 0.5 else (255, 255, 255)
        self.length = 2
        self._log.note("palette padded")


def _most_used(cells: NDArray[np.int64]) -> list[int]:
    """The ten indices used most, the lower first among equals; unused ones from 0 up fill the places left."""
    used, counts = np.unique(cells, return_counts=True)
    ranked = used[np.lexsort((used, -counts))][:MAX_COLOURS].tolist()
    spare = (index for index in range(2 * MAX_COLOURS) if index not in ranked)
    return sorted([*ranked, *(next(spare) for _ in range(MAX_COLOURS - len(ranked)))])


def _renumbered(
    cells: NDArray[np.int64], kept: list[int], rgb: NDArray[np.uint8], read: _Reader, log: Log
) -> NDArray[np.int64]:
    """Indices into the kept colours; a colour that is not kept gives way to the nearest one, seen in OKLab."""
    if read.length == len(kept):
        return cells
    log.note("palette cut", read.length - len(kept))
    lab = oklab_from_rgb(rgb)
    fitted = np.empty_like(cells)
    for index in np.unique(cells).tolist():
        here = cells == index
        if index in kept:
            fitted[here] = kept.index(index)
        else:
            own = oklab_from_rgb(np.array(read.colour(index), np.uint8))
            fitted[here] = int(((lab - own) ** 2).sum(axis=1).argmin())
            log.changed |= here
    return fitted


def _colour(entry: Any, log: Log) -> Rgb | None:
    if isinstance(entry, list):
        return _colour_from_channels(entry, log)
    if isinstance(entry, dict):
        log.note("colour given in parts")
        entry = next((entry[key] for key in ("hex", "color", "colour", "value", "code") if key in entry), None)
    if not isinstance(entry, str) or len(entry) > 40:
        return None
    text = entry.strip().lower()
    if text in NAMES:
        log.note("colour name")
        return _rgb(NAMES[text])
    digits = text.removeprefix("#").removeprefix("0x")
    marked = digits != entry.lower()
    if _SHORT_OR_LONG.match(digits):
        log.note("colour of 3 digits")
        digits = digits[:6] if len(digits) == 8 else "".join(2 * digit for digit in digits[:3])
    if not _HEX.match(digits):
        return None
    log.note("colour with #", int(marked))
    return _rgb(digits)


def _colour_from_channels(entry: list[Any], log: Log) -> Rgb | None:
    whole = [channel for channel in entry[:4] if type(channel) is int and 0 <= channel <= 255]
    if len(entry) not in (3, 4) or len(whole) != len(entry):
        return None
    log.note("colour given in parts")
    return whole[0], whole[1], whole[2]


def _rgb(digits: str) -> Rgb:
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


def _palette(colours: list[str]) -> Palette:
    return Palette(np.frombuffer(bytes.fromhex("".join(colours)), np.uint8).reshape(-1, 3))
