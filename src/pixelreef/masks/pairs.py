"""Which prediction belongs to which truth, told from file names.

    TRUTH/<id>.png      PRED/<id>.<k>.png            one entrant, attempts k
                        PRED/<id>.png                one attempt
                        PRED/<entrant>/<id>.<k>.png  several entrants

A pattern says how names are built: `<id>` once, `<k>` (a whole number) if there are several attempts. Its ending is not
compared: any picture ending will do, and what a file is is told from its content. A file `<id>.<k>.refused`, or
`<id>.refused`, says that the model declined, `.error` that the call failed and `.timeout` that no answer came in time;
their text is kept. What fits nothing is listed, with the reason.

An entrant that was given other colours for the same classes has them in a class file `classes.json` beside its masks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pixelreef.errors import FileError, InputError

PATTERN = "<id>.<k>.png"
ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".pnm")
SAID = {".refused": "refused", ".error": "error", ".timeout": "timeout"}
"""Endings of files that say in words why there is no picture → the failure."""
OWN_CLASSES = "classes.json"
MAX_FILES = 200_000
MAX_ENTRANTS = 200

Path_ = str | os.PathLike[str]
Attempts = Mapping[str, Mapping[int, Path]]


@dataclass(frozen=True)
class Unmatched:
    """A file that was not used, and why."""

    path: Path
    reason: str


@dataclass(frozen=True)
class Pairing:
    """Truth and predictions by id, everything in sorted order."""

    truth: Mapping[str, Path]
    entrants: Mapping[str, Attempts]
    """Entrant → id → attempt → file; the ending of a file may say that there is no picture (`SAID`)."""
    unmatched: tuple[Unmatched, ...]
    classes: Mapping[str, Path] = field(default_factory=dict)
    """Entrant → its own class file, where it has one."""


def pair(predictions: Path_, truth: Path_, match: str | None = None) -> Pairing:
    """Match a folder of predictions, or of entrants, against a folder of truth masks."""
    unmatched: list[Unmatched] = []
    masks = _truth(truth, unmatched)
    root = Path(predictions)
    folders = [path for path in _listed(root) if path.is_dir()]
    if len(folders) > MAX_ENTRANTS:
        raise FileError(f"folder {str(root)!r}", f"hold at most {MAX_ENTRANTS} entrants", len(folders))
    entrants, classes = {}, {}
    for name, folder in [(root.resolve().name, root), *((folder.name, folder) for folder in folders)]:
        found = match_files(_files(folder, unmatched, deeper=folder is not root), masks, match, unmatched)
        if found:
            entrants[name] = found
            if (folder / OWN_CLASSES).is_file():
                classes[name] = folder / OWN_CLASSES
    if not entrants:
        todo = f"Names are read as {match or PATTERN}; give another pattern, or look at the names."
        raise FileError(f"folder {str(root)!r}", "hold a prediction for one of the truth masks", "none", todo)
    in_order = tuple(sorted(unmatched, key=lambda one: str(one.path)))
    return Pairing(masks, dict(sorted(entrants.items())), in_order, classes)


def match_files(
    files: Iterable[Path], ids: Iterable[str], match: str | None, unmatched: list[Unmatched]
) -> dict[str, dict[int, Path]]:
    """Files → id → attempt → file; what fits none of the ids is added to `unmatched`."""
    known, found = set(ids), dict[str, dict[int, Path]]()
    name_of = expression(match or PATTERN)
    for path in files:
        if path.name == OWN_CLASSES:
            continue
        stem, ending = path.name.removesuffix(path.suffix), path.suffix.lower()
        if ending not in (*ENDINGS, *SAID):
            unmatched.append(Unmatched(path, "not the ending of a picture"))
            continue
        read = name_of.fullmatch(stem)
        if match is None and stem in known:
            item, attempt = stem, 1
        elif read and read["id"] in known:
            item, attempt = read["id"], int(read.groupdict().get("k") or 1)
        else:
            unmatched.append(Unmatched(path, "no truth of that name"))
            continue
        if attempt in found.setdefault(item, {}):
            unmatched.append(Unmatched(path, f"a second file for attempt {attempt} of {item!r}"))
        else:
            found[item][attempt] = path
    return {item: dict(sorted(found[item].items())) for item in sorted(found)}


def expression(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression for names without their ending.

    >>> expression("mask_<id>-<k>.png").fullmatch("mask_reef-12")["id"]
    'reef'
    """
    if pattern.count("<id>") != 1 or pattern.count("<k>") > 1 or len(pattern) > 200:
        raise InputError("--match", "hold <id> once and <k> at most once, such as <id>.<k>.png", pattern)
    stem = next((pattern.removesuffix(ending) for ending in ENDINGS if pattern.lower().endswith(ending)), pattern)
    parts = re.split(r"(<id>|<k>)", stem)
    groups = {"<id>": "(?P<id>.+)", "<k>": "(?P<k>[0-9]{1,6})"}
    return re.compile("".join(groups.get(part, re.escape(part)) for part in parts), re.DOTALL)


def _truth(folder: Path_, unmatched: list[Unmatched]) -> dict[str, Path]:
    masks: dict[str, Path] = {}
    for path in _files(Path(folder), unmatched, deeper=True):
        if path.suffix.lower() not in ENDINGS:
            unmatched.append(Unmatched(path, "not the ending of a picture"))
        elif path.name.removesuffix(path.suffix) in masks:
            unmatched.append(Unmatched(path, "a second truth of that name"))
        else:
            masks[path.name.removesuffix(path.suffix)] = path
    if not masks:
        raise FileError(f"folder {os.fspath(folder)!r}", "hold truth masks", "none", verbatim=True)
    return masks


def _files(folder: Path, unmatched: list[Unmatched], *, deeper: bool) -> list[Path]:
    """The files of a folder; with `deeper`, folders in it are said to be unused."""
    files = []
    for path in _listed(folder):
        if path.is_file():
            files.append(path)
        elif deeper or not path.is_dir():
            unmatched.append(Unmatched(path, "a folder too deep" if path.is_dir() else "not a regular file"))
    return files


def _listed(folder: Path) -> list[Path]:
    """What a folder holds, hidden files left out, sorted by name."""
    what = f"folder {str(folder)!r}"
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for _, entry in zip(range(MAX_FILES + 1), entries, strict=False)]
    except OSError as error:
        raise FileError(what, "be a readable folder", error.strerror, verbatim=True) from None
    if len(names) > MAX_FILES:
        raise FileError(what, f"hold at most {MAX_FILES:,} files", "more", verbatim=True)
    return [folder / name for name in sorted(names) if not name.startswith(".")]
