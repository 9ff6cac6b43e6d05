"""Finding a dataset by what was typed: a name, or a folder in the layout that `masks inputs` writes."""

from __future__ import annotations

from pathlib import Path

from pixelreef.errors import InputError
from pixelreef.masks.classes import read_classes
from pixelreef.masks.dataset import Dataset, MadeDataset
from pixelreef.masks.datasets import dataset, datasets
from pixelreef.masks.folder_pair import FolderPair


def find_dataset(name: str, size: int | None = None) -> Dataset:
    """A dataset that we know by name, or a folder with `images/`, `truth/` and `classes.json`.

    >>> find_dataset("reef-parts", 256).size
    256
    """
    folder = Path(name)
    if name not in datasets() and folder.is_dir():
        found: Dataset = FolderPair(folder / "images", folder / "truth", read_classes(folder / "classes.json"))
    else:
        found = dataset(name)
    if size is None:
        return found
    if not isinstance(found, MadeDataset):
        raise InputError("--size", f"be left out for {found.name!r}, whose photographs have their size", size)
    return found.sized(size)
