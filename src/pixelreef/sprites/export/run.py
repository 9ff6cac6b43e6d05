"""The table of formats, and writing an export whole: every file is made before the first is written."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from pixelreef.core.files import inside, write_bytes
from pixelreef.core.sprite import Sprite
from pixelreef.errors import InputError
from pixelreef.sprites.export.aseprite import aseprite
from pixelreef.sprites.export.gif import gif
from pixelreef.sprites.export.godot import godot
from pixelreef.sprites.export.indexed import indexed
from pixelreef.sprites.export.order import Format, Labelled, order_from_sprites
from pixelreef.sprites.export.png import png
from pixelreef.sprites.export.sheet import sheet
from pixelreef.sprites.export.tiled import tiled

FORMATS: dict[str, Format] = {
    "png": png,
    "indexed": indexed,
    "gif": gif,
    "sheet": sheet,
    "aseprite": aseprite,
    "tiled": tiled,
    "godot": godot,
}
ALL = "all"


def export(
    sprites: Iterable[Sprite | Labelled],
    format: str,
    out: str | os.PathLike[str],
    name: str = "",
    scale: int = 1,
) -> list[Path]:
    """Write sprites in one of `FORMATS` into a folder, and return the files written.

    `name` is for what holds all of them (a sheet, a tileset, a project); `scale` is a whole factor.
    """
    if format not in FORMATS:
        raise _unknown(format)
    files = FORMATS[format](order_from_sprites(sprites, name, scale))
    folder = Path(out)
    for path, content in files.items():
        write_bytes(inside(folder, path), content)
    return [folder / path for path in files]


def formats_from_text(text: str) -> list[str]:
    """Formats as they are typed, between commas.

    >>> formats_from_text("gif, png"), formats_from_text("all") == list(FORMATS)
    (['gif', 'png'], True)
    """
    names = list(dict.fromkeys(part.strip().lower() for part in text.split(",")))
    if ALL in names:
        return list(FORMATS)
    for name in names:
        if name not in FORMATS:
            raise _unknown(name)
    return names


def _unknown(name: str) -> InputError:
    return InputError("format", f"be one of {', '.join(FORMATS)}", name)
