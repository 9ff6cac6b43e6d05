"""Exact frames from the JSON that TexturePacker and Aseprite write beside a sheet.

Both name their frames in an object (hash) or a list (array) under `frames`, each with its rectangle on the sheet.
TexturePacker can trim (the sprite's place in its source is `spriteSourceSize` in `sourceSize`) and turn a frame by 90°
clockwise; Aseprite names runs of frames (`meta.frameTags`). One bad frame is refused and the others come in.

https://www.codeandweb.com/texturepacker/documentation, https://www.aseprite.org/docs/cli/#sheet
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pixelreef.core.files import read_bytes
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.sheets.cut import Cut, Place
from pixelreef.errors import DocumentError, shown

MAX_FRAMES = 100_000
MAX_TAGS = 1000
MAX_NAME = 200  # characters of a frame's or a tag's name that are kept
MAX_SIDE = 4096  # pixels of a source before it was trimmed
_FRAME_NUMBER = re.compile(r"[\s_\-./#(]*\d+\)?\Z")
_ENDING = re.compile(r"\.(png|gif|bmp|webp|jpe?g|aseprite|ase)\Z", re.IGNORECASE)


def atlas_beside(sheet: Path) -> Path | None:
    """The JSON of the sheet's own name in its folder, where there is one that looks like an atlas."""
    path = sheet.with_suffix(".json")
    try:
        return path if path.is_file() and looks_like_atlas(json_from_bytes(read_bytes(path))) else None
    except (DocumentError, OSError):
        return None


def looks_like_atlas(document: Any) -> bool:
    """Whether a JSON value has frames, as both programs write them."""
    return isinstance(document, dict) and isinstance(document.get("frames"), (dict, list))


def read_atlas(path: Path, size: tuple[int, int], intake: Intake) -> Cut:
    """The frames of an atlas that lie on a sheet of (width, height) `size`; the others are refused one by one."""
    what = f"atlas {str(path)!r}"
    document = json_from_bytes(read_bytes(path), what)
    if not looks_like_atlas(document):
        raise DocumentError(what, "have frames, as TexturePacker and Aseprite write them", _kind(document))
    frames = list(_frames(document["frames"]))
    if len(frames) > MAX_FRAMES:
        raise DocumentError(what, f"have at most {MAX_FRAMES:,} frames", len(frames))
    tags = _tags(document.get("meta"), len(frames))
    places = []
    for number, (name, frame) in enumerate(frames):
        try:
            places.append(_place(number, name, frame, size, tags.get(number)))
        except DocumentError as error:
            intake.refuse(f"{path.name}#{shown(name)[1:-1]}", error)
    return Cut(places, {"by": "atlas", "atlas": path.name, "frames": len(frames), "tags": sorted(set(tags.values()))})


def _frames(frames: dict[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(frames, dict):
        yield from frames.items()
        return
    for number, frame in enumerate(frames):
        name = frame.get("filename") if isinstance(frame, dict) else None
        yield (name if isinstance(name, str) and name else f"{number:03}"), frame


def _tags(meta: Any, count: int) -> dict[int, str]:
    """Frame number → the last tag that covers it: tags inside tags come later and say more."""
    listed = meta.get("frameTags") if isinstance(meta, dict) else None
    found: dict[int, str] = {}
    for tag in (listed if isinstance(listed, list) else [])[:MAX_TAGS]:
        name, first, last = (tag.get(key) for key in ("name", "from", "to")) if isinstance(tag, dict) else (None,) * 3
        if isinstance(name, str) and type(first) is int and type(last) is int and 0 <= first <= last:
            found.update((number, name) for number in range(first, min(last + 1, count)))
    return found


def _place(number: int, name: str, frame: Any, size: tuple[int, int], tag: str | None) -> Place:
    if not isinstance(frame, dict):
        raise DocumentError("frame", "be an object", _kind(frame))
    rotated = frame.get("rotated") is True
    x, y, width, height = _rectangle(frame.get("frame"), "frame", ("x", "y", "w", "h"))
    wide, tall = (height, width) if rotated else (width, height)
    if not (width and height and x + wide <= size[0] and y + tall <= size[1]):
        raise DocumentError("frame", f"lie within the sheet of {size[0]} × {size[1]}", (x, y, wide, tall))
    stem, tag = _ENDING.sub("", name[:MAX_NAME]), tag and tag[:MAX_NAME]
    group = tag or _FRAME_NUMBER.sub("", stem)
    label = f"{tag}-{number:03}" if tag else stem
    return Place(
        y, x, tall, wide, 0, number, label, group if group != stem else "", _trimmed(frame, width, height), rotated
    )


def _trimmed(frame: dict[str, Any], width: int, height: int) -> tuple[int, int, int, int]:
    """What was trimmed above, left, below and right."""
    if frame.get("trimmed") is not True:
        return 0, 0, 0, 0
    left, top, *_ = _rectangle(frame.get("spriteSourceSize"), "spriteSourceSize", ("x", "y", "w", "h"))
    wide, tall = _rectangle(frame.get("sourceSize"), "sourceSize", ("w", "h"))
    below, right = tall - top - height, wide - left - width
    if below < 0 or right < 0:
        raise DocumentError("spriteSourceSize", f"lie within sourceSize {wide} × {tall}", (left, top, width, height))
    return top, left, below, right


def _rectangle(value: Any, what: str, keys: tuple[str, ...]) -> tuple[int, ...]:
    found = [value.get(key) for key in keys] if isinstance(value, dict) else []
    numbers = [one for one in found if type(one) is int and 0 <= one <= 2**24]
    if len(numbers) != len(keys):
        raise DocumentError(what, f"have whole numbers {', '.join(keys)}", value)
    if keys == ("w", "h") and max(numbers) > MAX_SIDE:
        raise DocumentError(what, f"be at most {MAX_SIDE} × {MAX_SIDE}", tuple(numbers))
    return tuple(numbers)


def _kind(value: Any) -> str:
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else "a plain value"
