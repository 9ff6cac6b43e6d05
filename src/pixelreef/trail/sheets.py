"""The sheets of iterations as pictures, read from the trail's folder and from nowhere else.

A path comes from the trail, which anybody may have written: it must stay inside the folder, through links too, and
what is there must be a PNG of ordinary size. A sheet that was overwritten since it was recorded is not shown, since it
would stand for what it no longer shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pixelreef.core.files import inside, read_bytes
from pixelreef.errors import InputError
from pixelreef.report import Picture
from pixelreef.trail.iterations import Iteration
from pixelreef.trail.record import Sheet
from pixelreef.trail.story import share_words

MAX_BYTES = 8 * 2**20  # of one sheet
MAX_ALL = 48 * 2**20
MAX_SHOWN = 40
MAX_SIDE = 16_384  # pixels
_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def sheet_from_file(path: Path, folder: Path) -> Sheet | None:
    """A sheet as a record names it; None where it is not below the folder."""
    try:
        below = path.resolve().relative_to(folder.resolve())
    except ValueError:
        return None
    return Sheet(below.as_posix(), _hash(read_bytes(path)))


def pictures_of(iterations: Sequence[Iteration], folder: Path) -> tuple[list[Picture], list[str]]:
    """The last forty sheets, in the order of the iterations, and why others are not among them."""
    asked = [(one, kind, sheet) for one in iterations for kind, sheet in one.sheets]
    several = len({kind for _, kind, _ in asked}) > 1
    pictures, notes, size = [], [], 0
    for one, kind, sheet in asked[-MAX_SHOWN:]:
        try:
            png = _png(sheet, folder)
        except InputError as error:
            notes.append(f"The sheet of iteration {one.number} ({kind}) can't be shown: {error}")
            continue
        size += len(png)
        if size > MAX_ALL:
            notes.append(f"The sheets from iteration {one.number} on are too large for one page.")
            break
        pictures.append(_picture(png, one, kind, (f"kind:{kind}",) if several else ()))
    if len(asked) > MAX_SHOWN:
        notes.append(f"{len(asked) - MAX_SHOWN:,} older sheets are not shown.")
    return pictures, notes


def _png(sheet: Sheet, folder: Path) -> bytes:
    what = f"sheet {sheet.path!r}"
    try:
        path = inside(folder, sheet.path)
    except (OSError, RuntimeError, ValueError):  # a circle of links, a NUL
        raise InputError(what, "be a path", sheet.path) from None
    png = read_bytes(path, MAX_BYTES)
    if not png.startswith(_PNG) or not all(1 <= side <= MAX_SIDE for side in _size(png)):
        raise InputError(what, f"be a PNG of at most {MAX_SIDE:,} pixels a side", "something else", verbatim=True)
    if sheet.hash and _hash(png) != sheet.hash:
        raise InputError(what, "be as it was recorded", "another picture, written since", verbatim=True)
    return png


def _picture(png: bytes, one: Iteration, kind: str, tags: tuple[str, ...]) -> Picture:
    loss = "" if one.loss is None else f"{one.loss:.3f} bits per pixel, "
    caption = f"{loss}{share_words(one)} cells learned" if one.verdicts else loss.rstrip(", ")
    names = {"run": "at the end of its run", "verdict": "judged samples, real sprites to the right"}
    title = f"Iteration {one.number}: {names.get(kind, kind)}"
    return Picture(png, *_size(png), title, caption, tags, "\n\n".join(one.notes))


def _size(png: bytes) -> tuple[int, int]:
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
