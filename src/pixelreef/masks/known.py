"""The items of a known dataset that predictions are for, as folders of truth and photographs.

    out/truth/<id>.png          class indices
    out/photographs/<id>.png    or .jpg, where the dataset is read from files

Of a dataset that is made, item ids hold seed and number, and the names of the predictions say which are wanted. Any
other lies in a folder in the layout of its makers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

import numpy as np

from pixelreef.core.files import inside, write_bytes
from pixelreef.core.render import png_from_rgba
from pixelreef.errors import FileError, InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.dataset import Dataset, Item, MadeDataset
from pixelreef.masks.pairs import MAX_FILES, match_files
from pixelreef.masks.soften import Jpeg, jpeg_from_rgb
from pixelreef.masks.truth import png_from_labels
from pixelreef.metrics.overlap import Labels

MOST_MADE = 10_000  # the largest number of an item of a made dataset that is looked for
_PHOTOGRAPH = Jpeg(92, "4:4:4")


def write_items(
    known: Dataset,
    predictions: Path,
    root: Path | None,
    match: str | None,
    out: Path,
    progress: Callable[[int, int], None],
) -> dict[str, str]:
    """Write what the predictions are for into `out`; the items that can't be read, and why, are returned."""
    files = list(_files(predictions))
    if isinstance(known, MadeDataset):
        if root is not None:
            raise InputError("TRUTH_DIR", f"not be given with --dataset {known.name}", str(root), known.origin)
        items = _made(known, files)
    else:
        items = list(known.items(root).items)
    wanted = match_files(files, [item.id for item in items], match, [])
    chosen = [item for item in items if item.id in wanted]
    if not chosen:
        rule = f"hold a prediction for an item of {known.name}"
        raise FileError(f"folder {str(predictions)!r}", rule, "none", verbatim=True)
    return write_chosen(known, chosen, out, progress)


def write_chosen(
    known: Dataset, chosen: Sequence[Item], out: Path, progress: Callable[[int, int], None]
) -> dict[str, str]:
    """Write these items into `out`, and no others; those that can't be read, and why, are returned."""
    _forget(out / "truth", {item.id for item in chosen})
    unread: dict[str, str] = {}
    for done, item in enumerate(chosen):
        progress(done, len(chosen))
        try:
            _write(item, known, out)
        except InputError as error:
            unread[item.id] = str(error)
    if len(unread) == len(chosen):
        raise InputError(f"items of {known.name}", "be readable", "none that is", next(iter(unread.values())))
    return unread


def _forget(folder: Path, wanted: Collection[str]) -> None:
    """Take away the truth of items that an earlier run wrote and this one does not ask for: they are not missing."""
    for path in folder.glob("*.png") if folder.is_dir() else ():
        if path.stem not in wanted:
            path.unlink()


def _write(item: Item, known: Dataset, out: Path) -> None:
    photograph, truth = item.read()
    write_bytes(inside(out, f"truth/{item.id}.png"), png_from_labels(indices_from_labels(truth, known.classes)))
    if isinstance(known, MadeDataset):
        write_bytes(inside(out, f"photographs/{item.id}.png"), png_from_rgba(photograph))
    else:
        write_bytes(inside(out, f"photographs/{item.id}.jpg"), jpeg_from_rgb(photograph, _PHOTOGRAPH))


def indices_from_labels(labels: Labels, classes: Classes) -> Labels:
    """Labels as the class indices of a dataset's own truth; needs a class to be ignored where there is void."""
    ignored = [one.index for one in classes.classes if one.ignore]
    if not ignored and (labels == classes.void).any():
        raise InputError("classes", "have one that is ignored, for void pixels", "none")
    return np.array([*(one.index for one in classes.scored), 0, *(ignored or [0])[:1]], np.uint16)[labels]


def _made(known: MadeDataset, files: Iterable[Path]) -> list[Item]:
    """The items that names of files speak of, as `<name>-<seed>-<number>`."""
    name = re.compile(rf"{re.escape(known.name)}-([0-9]{{1,10}})-([0-9]{{4,5}})")
    asked: dict[int, int] = {}
    for path in files:
        if (found := name.search(path.name)) and int(found[2]) < MOST_MADE:
            asked[int(found[1])] = max(asked.get(int(found[1]), 0), int(found[2]) + 1)
    return [item for seed, count in sorted(asked.items()) for item in known.items(n=count, seed=seed).items]


def _files(folder: Path) -> list[Path]:
    """All files of a folder and of the folders in it, at most so many."""
    try:
        found = [
            Path(where) / name
            for where, _, names in os.walk(folder)
            if Path(where) == folder or Path(where).parent == folder
            for name in sorted(names)
        ]
    except OSError as error:
        raise FileError(f"folder {str(folder)!r}", "be a readable folder", error.strerror, verbatim=True) from None
    return found[:MAX_FILES]
