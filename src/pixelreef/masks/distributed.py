"""Reading datasets in the layout of their makers: finding the folders, pairing the files, reading the pictures.

Files are known by where they lie, pictures by their content. Whatever is missing is one line that says which folder,
and where the dataset can be got.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pixelreef.core.files import read_bytes
from pixelreef.core.images import image_from_bytes
from pixelreef.errors import FileError
from pixelreef.masks.dataset import Rgb
from pixelreef.metrics.overlap import Labels

MAX_FILES = 500_000


def home(root: Path, archive: str, needed: tuple[str, ...], title: str, origin: str) -> Path:
    """The folder that holds what is needed: `root`, or what its archive unpacks to there."""
    for folder in (root, root / archive):
        if all((folder / name).exists() for name in needed):
            return folder
    if not root.is_dir():
        got = "a file" if root.exists() else "nothing there"
        raise FileError(f"folder {str(root)!r}", "be a folder", got, origin, verbatim=True)
    lacking = min(([name for name in needed if not (root / below / name).exists()] for below in ("", archive)), key=len)
    rule = f"hold {title} as it is distributed: {', '.join(needed)}"
    raise FileError(f"folder {str(root)!r}", rule, f"no {', no '.join(lacking)}", origin, verbatim=True)


def files_in(folder: Path, *endings: str) -> dict[str, Path]:
    """Name without its ending → path of the files with one of these endings, by name; hidden ones are passed over."""
    what = f"folder {str(folder)!r}"
    found: dict[str, Path] = {}
    try:
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries):
                if count >= MAX_FILES:
                    raise FileError(what, f"hold at most {MAX_FILES:,} files", "more", verbatim=True)
                ending = next((one for one in endings if entry.name.lower().endswith(one)), None)
                if ending is None or entry.name.startswith("."):
                    continue
                name = entry.name[: -len(ending)]
                if name in found:
                    raise FileError(what, "hold one picture of each name", f"two of {name!r}", verbatim=True)
                found[name] = Path(entry.path)
    except OSError as error:
        raise FileError(what, "be a readable folder", error.strerror, verbatim=True) from None
    return dict(sorted(found.items()))


def folders_in(folder: Path) -> list[Path]:
    """The folders in a folder, by name."""
    try:
        return sorted(Path(entry.path) for entry in os.scandir(folder) if entry.is_dir())
    except OSError as error:
        raise FileError(f"folder {str(folder)!r}", "be a readable folder", error.strerror, verbatim=True) from None


def paired(photographs: Mapping[str, Path], masks: Mapping[str, Path]) -> tuple[list[str], list[str]]:
    """The names that both have, and a line for each that one lacks.

    >>> paired({"a": Path("a.jpg"), "b": Path("b.jpg")}, {"b": Path("b.png"), "c": Path("c.png")})
    (['b'], ['a: no truth', 'c: no photograph'])
    """
    left_out = {name: "no truth" for name in photographs if name not in masks}
    left_out |= {name: "no photograph" for name in masks if name not in photographs}
    return [name for name in photographs if name in masks], [f"{name}: {why}" for name, why in sorted(left_out.items())]


def photograph_from_file(path: Path) -> Rgb:
    """(height, width, 3) bytes, read-only; transparent pixels keep their colour."""
    return _rgb(path, "photograph")


def mask_from_file(path: Path) -> Rgb:
    """(height, width, 3) bytes of a mask that is no plain picture of indices."""
    return _rgb(path, "truth")


def frozen(labels: Labels) -> Labels:
    """The same array, read-only."""
    labels.flags.writeable = False
    return labels


def _rgb(path: Path, what: str) -> Rgb:
    rgb = image_from_bytes(read_bytes(path), f"{what} {str(path)!r}").rgba[..., :3]
    rgb.flags.writeable = False
    return rgb
