"""Any two folders as a dataset: photographs and truth masks of the same names, and a class file.

    PHOTOGRAPHS/<id>.jpg    TRUTH/<id>.png

Endings are those of any picture; what a file is is told from its content. The truth is read as `truth` says.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from pixelreef.errors import FileError
from pixelreef.masks.classes import Classes
from pixelreef.masks.dataset import Dataset, Found, Item, Task, chosen
from pixelreef.masks.distributed import files_in, paired, photograph_from_file
from pixelreef.masks.pairs import ENDINGS
from pixelreef.masks.truth import read_truth
from pixelreef.metrics.overlap import Labels

TASK = Task(1, "Paint every pixel of the photograph in the colour of the class of what it shows.")
SIDES = " Left and right are those of whoever or whatever is shown, not of the picture."


class FolderPair(Dataset):
    """Photographs in one folder, truth in another; `items` needs no root."""

    version = 1
    title = "folder pair"
    origin = "Both folders and the class file are yours."

    def __init__(
        self,
        photographs: str | os.PathLike[str],
        truth: str | os.PathLike[str],
        classes: Classes,
        name: str | None = None,
        task: Task | None = None,
    ) -> None:
        self.photographs, self.truth, self.classes = Path(photographs), Path(truth), classes
        self.name = name or classes.name or self.photographs.resolve().name
        sides = SIDES if any(one.partner for one in classes.classes) else ""
        self.task = task or Task(TASK.version, TASK.text + sides)

    def items(self, root: str | os.PathLike[str] | None = None, n: int | None = None, seed: int = 0) -> Found:
        """`n` of the pairs, or all; a root stands before both folders."""
        below = Path(root or "")
        photographs, masks = (files_in(below / folder, *ENDINGS) for folder in (self.photographs, self.truth))
        names, left_out = paired(photographs, masks)
        if not names:
            what, got = f"folder {str(below / self.truth)!r}", f"{len(masks)} masks of other names"
            rule = f"hold a mask for one of the {len(photographs)} photographs in {str(below / self.photographs)!r}"
            raise FileError(what, rule, got, "A photograph and its mask have one name.", verbatim=True)
        items = [
            Item(name, partial(photograph_from_file, photographs[name]), partial(_labels, masks[name], self.classes))
            for name in names
        ]
        return Found(tuple(chosen(items, n, seed, self.name)), len(items), tuple(left_out))


def _labels(path: Path, classes: Classes) -> Labels:
    return read_truth(path, classes).labels
