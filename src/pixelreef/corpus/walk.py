"""Which files of a folder are pictures: found in one order on every system, links not followed out.

A file counts as a picture when its name has the ending of one or its first bytes are those of one. Such a file comes in
or is refused with a reason. Everything else (text, archives, `Thumbs.db`) is passed over and counted, and so are names
that start with a dot, among them what a Mac leaves beside every file of an archive.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pixelreef.core.aseprite import looks_like_aseprite
from pixelreef.core.palette_files import looks_like_image
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import path_key
from pixelreef.errors import FileError, InputError

MAX_FILES = 1_000_000
MAX_DEPTH = 32
ASEPRITE_ENDINGS = (".ase", ".aseprite")
PICTURE_ENDINGS = (
    *(".png", ".apng", ".gif", ".jpg", ".jpeg", ".jpe", ".jfif", ".bmp", ".dib", ".webp", ".tif", ".tiff"),
    *(".pbm", ".pgm", ".ppm", ".pnm"),
    *ASEPRITE_ENDINGS,
)
_HEAD = 4096
_SHORT_SIGNS = (b"BM", b"P1", b"P2", b"P3", b"P4", b"P5", b"P6")  # text may begin so as well


def files_below(root: str | os.PathLike[str], intake: Intake) -> list[tuple[str, Path]]:
    """(name, path) of all regular files, by name: the path below the root as `path_key` gives it."""
    top = Path(root)
    if not top.is_dir():
        got = "a file" if top.exists() else "nothing there"
        raise FileError(f"folder {os.fspath(root)!r}", "be a folder", got, verbatim=True)
    found: list[tuple[str, Path]] = []
    for path in _files(top, "", 0, intake):
        if len(found) >= MAX_FILES:
            raise InputError(f"folder {os.fspath(root)!r}", f"have at most {MAX_FILES:,} files", "more", verbatim=True)
        found.append((path_key(path), top / path))
    return found


def _files(top: Path, below: str, depth: int, intake: Intake) -> Iterator[str]:
    try:
        with os.scandir(top / below) as listed:
            entries = sorted(listed, key=lambda entry: (path_key(entry.name), entry.name))
    except OSError as error:
        intake.refuse(f"{path_key(below)}/", f"the folder can't be read: {error.strerror}")
        return
    for entry in entries:
        path = f"{below}{entry.name}"
        if entry.name.startswith("."):
            intake.count("hidden, passed over")
        elif entry.is_symlink() and not _stays(top, path):
            intake.refuse(path_key(path), "the link leads out of the folder, or nowhere")
        elif entry.is_dir(follow_symlinks=False):
            if depth < MAX_DEPTH:
                yield from _files(top, f"{path}/", depth + 1, intake)
            else:
                intake.refuse(f"{path_key(path)}/", f"folders are read {MAX_DEPTH} deep")
        elif entry.is_file():
            yield path
        else:  # a pipe, a device, a link to a folder inside
            intake.count("no regular file, passed over")


def _stays(top: Path, path: str) -> bool:
    try:
        return (top / path).resolve(strict=True).is_relative_to(top.resolve())
    except (OSError, RuntimeError):  # broken, or a circle
        return False


def has_folders(root: str | os.PathLike[str]) -> bool:
    """Whether there are folders to be seen inside."""
    try:
        with os.scandir(root) as listed:
            return any(one.is_dir(follow_symlinks=False) and not one.name.startswith(".") for one in listed)
    except OSError:
        return False


def kind_of(path: Path) -> str:
    """`picture`, `aseprite`, `sprite` for a sprite document, or nothing for what is none of them.

    Where a name says picture and the bytes say nothing, it is a picture that will be refused.
    """
    ending = path.suffix.lower()
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return "picture" if ending in PICTURE_ENDINGS else ""
    if looks_like_aseprite(head):
        return "aseprite"
    if looks_like_image(head) and (ending in PICTURE_ENDINGS or not head.startswith(_SHORT_SIGNS)):
        return "picture"
    if _is_sprite(head):
        return "sprite"
    if ending in ASEPRITE_ENDINGS:
        return "" if head.startswith(b"ASEF") else "aseprite"  # Adobe's swatches have the same ending
    return "picture" if ending in PICTURE_ENDINGS else ""


def _is_sprite(head: bytes) -> bool:
    """Whether JSON begins like a sprite document: it names the format, or is a bare palette and grid."""
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"{":
        return False
    return b'"pixelreef-sprite"' in head or (b'"palette"' in head and b'"grid"' in head)
