"""The table of formats, and writing an export whole: every file is made before the first is written, all or none."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from pixelreef.core.files import inside, replacing
from pixelreef.core.sprite import Sprite
from pixelreef.errors import FileError, InputError
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
    return export_all(sprites, {format: out}, name, scale)[format]


def export_all(
    sprites: Iterable[Sprite | Labelled],
    folders: Mapping[str, str | os.PathLike[str]],
    name: str = "",
    scale: int = 1,
    kept: Iterable[str | os.PathLike[str]] = (),
) -> dict[str, list[Path]]:
    """Write sprites in several formats, each into its folder, all of the files or none; `kept` are not written over."""
    for format in folders:
        if format not in FORMATS:
            raise _unknown(format)
    order = order_from_sprites(sprites, name, scale)
    files = {format: FORMATS[format](order) for format in folders}
    targets = {
        inside(folder, path): content for format, folder in folders.items() for path, content in files[format].items()
    }
    _check(targets, {Path(path).resolve() for path in kept})
    with ExitStack() as parts:  # which are renamed when all have been written, and removed if one can't be
        for target, content in targets.items():
            parts.enter_context(replacing(target)).write_bytes(content)
    return {format: [Path(folder) / path for path in files[format]] for format, folder in folders.items()}


def _check(targets: Iterable[Path], kept: Collection[Path]) -> None:
    """Refuse what would stop the writing half way, and what would write over its own sprites."""
    for target in targets:
        if target in kept:
            todo = "Give another folder."
            raise FileError("--out", "keep what is exported", f"{target.name!r} written over", todo, verbatim=True)
        if target.is_dir():
            raise FileError(f"file {str(target)!r}", "be writable", "a folder of that name", verbatim=True)
    for folder in dict.fromkeys(target.parent for target in targets):
        there = next(one for one in (folder, *folder.parents) if one.exists())
        if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
            reason = "one that is not" if there.is_dir() else f"a file, {there.name!r}"
            raise FileError(f"folder {str(folder)!r}", "be writable", reason, verbatim=True)


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
