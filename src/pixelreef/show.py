"""What a file is: a palette, a picture, an Aseprite file, a sprite document or a corpus, told from its content.

`describe` reads one file as untrusted data and returns plain facts and a small picture; printing is the command
line's business. Nothing is ever written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.aseprite import aseprite_from_bytes, looks_like_aseprite
from pixelreef.core.document import sprite_from_fields
from pixelreef.core.files import read_bytes
from pixelreef.core.frames import Animation
from pixelreef.core.images import Picture, image_from_bytes
from pixelreef.core.palette import Palette
from pixelreef.core.palette_files import palette_from_bytes, palette_kind
from pixelreef.core.ramps import Ramps
from pixelreef.core.reef import ramps_of
from pixelreef.core.render import rgba_from_grid
from pixelreef.core.sprite import Sprite
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.store import Corpus, is_parquet, open_corpus

_SHEET, _SIDE = 16, 64  # sprites in the picture of a corpus, and their largest side


@dataclass(frozen=True, eq=False)
class Description:
    """What one file is."""

    path: str
    kind: str
    """`palette`, `image`, `aseprite`, `sprite` or `corpus`."""
    facts: Mapping[str, Any]
    """Plain JSON values, in the order in which a person would ask."""
    picture: NDArray[np.uint8]
    """(H, W, 4): the first frame, the image, the ramps as rows of cells, or a few sprites of the corpus."""

    def document(self) -> dict[str, Any]:
        """The description as one JSON object, without the picture."""
        return {"path": self.path, "kind": self.kind, **self.facts}


def describe(path: str | os.PathLike[str]) -> Description:
    """Read a file and say what it is; raises one `InputError` if it is none of what we know."""
    name = os.fspath(path)
    if is_parquet(path):
        return _of_corpus(name, open_corpus(path))
    data = read_bytes(path)
    kind = palette_kind(data)
    what = f"file {name!r}"
    if looks_like_aseprite(data):
        return _of_aseprite(name, aseprite_from_bytes(data, what))
    if kind == "image":
        return _of_image(name, image_from_bytes(data, what))
    if kind == "json":
        document = json_from_bytes(data, what)
        if isinstance(document, dict) and {"grid", "frames", "version", "format"} & set(document):
            return _of_sprite(name, sprite_from_fields(document, what), int(document.get("version", 0)))
    return _of_palette(name, palette_from_bytes(data, what), kind)


def _of_corpus(path: str, corpus: Corpus) -> Description:
    cells = corpus.cells()
    rows = [row for of in cells.values() for row in of[: max(1, _SHEET // len(cells))].tolist()][:_SHEET]
    entries = list(corpus.at(rows).values())
    origins = corpus.origins()
    facts = {
        "count": corpus.count,
        "hash": corpus.hash,
        "cells": {cell: len(of) for cell, of in cells.items()},
        "factors": {name: list(values) for name, values in corpus.factors.items()},
        "sizes": [f"{width}x{height}" for width, height in corpus.sizes()],
        "palette_colours": sorted({len(entry.palette) for entry in entries}),
        "sources": sorted({origin.source for origin in origins}),
        "licences": sorted({origin.licence for origin in origins}),
        "unreadable": len(corpus.refused),
        "history": corpus.history,
    }
    return Description(path, "corpus", facts, _strip(entries))


def _strip(entries: list[Entry]) -> NDArray[np.uint8]:
    """Sprites in rows of eight, a pixel apart; large ones are thinned."""
    side = max((max(entry.cells.shape) for entry in entries), default=1)
    step = -(-side // _SIDE)
    side = -(-side // step)
    strip = np.zeros((-(-max(len(entries), 1) // 8) * (side + 1), 8 * (side + 1), 4), np.uint8)
    for number, entry in enumerate(entries):
        small = entry.palette.rgba[entry.cells][::step, ::step]
        y, x = number // 8 * (side + 1), number % 8 * (side + 1)
        strip[y : y + small.shape[0], x : x + small.shape[1]] = small
    return strip


def _of_image(path: str, picture: Picture) -> Description:
    colours, clear, semi = _pixel_counts(picture.rgba)
    facts = {
        "format": picture.format,
        "mode": picture.mode,
        "width": picture.width,
        "height": picture.height,
        "colours": colours,
        "transparent_share": round(clear / (picture.width * picture.height), 4),
        "semi_transparent_pixels": semi,
        "notes": list(picture.notes),
    }
    return Description(path, "image", facts, picture.rgba)


def _of_aseprite(path: str, animation: Animation) -> Description:
    facts = {
        "mode": animation.mode,
        "width": animation.width,
        "height": animation.height,
        "frames": len(animation.frames),
        "milliseconds": sum(frame.milliseconds for frame in animation.frames),
        "layers": list(animation.layers),
        "tags": [{"name": tag.name, "first": tag.first, "last": tag.last} for tag in animation.tags],
        "palette": animation.palette.hex() if animation.palette else None,
        "transparent": animation.palette.transparent if animation.palette else None,
        "notes": list(animation.notes),
    }
    return Description(path, "aseprite", facts, animation.frames[0].rgba)


def _pixel_counts(rgba: NDArray[np.uint8]) -> tuple[int, int, int]:
    """Different colours that can be seen, clear pixels and semi-transparent pixels of (H, W, 4).

    Row by row and by a table of all 2²⁴ colours: sorting millions of pixels is slow and takes memory.
    """
    seen = np.zeros(2**24, np.bool_)
    clear = semi = 0
    for row in rgba:
        packed = np.ascontiguousarray(row).view("<u4")[:, 0]  # alpha is the highest byte
        visible = packed > 0xFFFFFF
        seen[packed[visible] & 0xFFFFFF] = True
        clear += len(packed) - int(np.count_nonzero(visible))
        semi += int(np.count_nonzero(visible & (packed < 0xFF000000)))
    return int(np.count_nonzero(seen)), clear, semi


def _of_sprite(path: str, sprite: Sprite, version: int) -> Description:
    width, height = sprite.size
    used = np.unique(np.stack([frame.grid.cells for frame in sprite.frames]))
    facts = {
        "version": version,
        "name": sprite.name,
        "width": width,
        "height": height,
        "frames": len(sprite.frames),
        "milliseconds": sum(frame.milliseconds for frame in sprite.frames),
        "colours": len(sprite.palette),
        "colours_used": len(used),
        "transparent": sprite.palette.transparent,
        "palette": sprite.palette.hex(),
        "lineage": dict(sprite.lineage),
    }
    return Description(path, "sprite", facts, rgba_from_grid(sprite.grid, sprite.palette))


def _of_palette(path: str, palette: Palette, kind: str) -> Description:
    ramps = ramps_of(palette)
    facts = {
        "format": kind,
        "name": palette.name,
        "colours": len(palette),
        "transparent": palette.transparent,
        "ramps": [
            {"name": name, "colours": [palette.hex()[index] for index in line]}
            for name, line in zip(ramps.names, ramps.lines, strict=True)
        ],
    }
    return Description(path, "palette", facts, ramp_picture(palette, ramps))


def ramp_picture(palette: Palette, ramps: Ramps, cell: int = 2) -> NDArray[np.uint8]:
    """(ramps·cell, longest·cell, 4): one row of cells per ramp, dark to light."""
    longest = max((len(line) for line in ramps.lines), default=1)
    picture = np.zeros((max(len(ramps.lines), 1), longest, 4), np.uint8)
    for row, line in enumerate(ramps.lines):
        picture[row, : len(line)] = palette.rgba[list(line)]
    return picture.repeat(cell, axis=0).repeat(cell, axis=1)
