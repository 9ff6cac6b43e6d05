"""A dataset of masks: what is to be painted, in which classes, and photographs with their truth.

    for item in dataset("suim").items("/path/to/SUIM", n=50, seed=0).items:
        item.id, item.photograph(), item.truth()

There are two kinds. A `FolderDataset` is read from the folders in which its makers distribute it; it is never
downloaded. A `MadeDataset` is drawn, fresh for every seed. Each is one file in `datasets/`, and has versions: of what
it gives (another truth for the same files is a new one) and of the task in words.

Photograph and truth of an item are of one size. They are read when asked for, so that a broken file is the fault of one
item; items can be sent to other processes.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.render import enlarged
from pixelreef.core.seeds import derive
from pixelreef.errors import FileError, ImageError, InputError
from pixelreef.masks.classes import Classes
from pixelreef.metrics.overlap import Labels

Rgb = NDArray[np.uint8]

MADE = 50  # items of a made dataset when no number is given
MAX_SIZE = 4096


@dataclass(frozen=True)
class Task:
    """What is to be painted, in words, for people and models; changed words are a new version."""

    version: int
    text: str


@dataclass(frozen=True)
class Item:
    """A photograph and its truth."""

    id: str
    photograph: Callable[[], Rgb]
    """(height, width, 3) sRGB bytes, read now."""
    truth: Callable[[], Labels]
    """(height, width) labels of the dataset's classes, void where ignored, read now."""

    def read(self) -> tuple[Rgb, Labels]:
        """Both, of one size."""
        photograph, truth = self.photograph(), self.truth()
        if photograph.shape[:2] != truth.shape:
            size, own = (f"{shape[1]} × {shape[0]}" for shape in (photograph.shape, truth.shape))
            raise ImageError(f"truth of {self.id!r}", f"be as large as its photograph, {size}", own, verbatim=True)
        return photograph, truth


@dataclass(frozen=True)
class Found:
    """The items asked for, in the order of their ids."""

    items: tuple[Item, ...]
    total: int
    """How many there are to choose from."""
    left_out: tuple[str, ...] = ()
    """Photographs without truth and truth without photograph, one line each."""


class Dataset(ABC):
    """A dataset. Same seed, same items; the first n of a seed are among the first n + 1."""

    name: str
    version: int
    title: str
    classes: Classes
    task: Task
    origin: str
    """Where to get it, as a sentence; that there is nothing to get, for one that is made."""

    @abstractmethod
    def items(self, root: str | os.PathLike[str] | None = None, n: int | None = None, seed: int = 0) -> Found:
        """`n` items of a seed; without `n` all there are. `root` is the folder that a distributed dataset lies in."""


class FolderDataset(Dataset):
    """A dataset in the layout of its makers."""

    @abstractmethod
    def listed(self, root: Path) -> tuple[list[Item], list[str]]:
        """All items of a folder, and what is left out."""

    def items(self, root: str | os.PathLike[str] | None = None, n: int | None = None, seed: int = 0) -> Found:
        """`n` items, or all, of those in the folder `root`, chosen by the seed."""
        if root is None:
            rule = "be given the folder that it lies in"
            raise InputError(f"dataset {self.name!r}", rule, "none", self.origin, verbatim=True)
        items, left_out = self.listed(Path(root))
        if not items:
            got = f"none ({left_out[0]})" if left_out else "none"
            rule = f"hold photographs of {self.title} with their truth"
            raise FileError(f"folder {os.fspath(root)!r}", rule, got, self.origin, verbatim=True)
        return Found(tuple(chosen(items, n, seed, self.name)), len(items), tuple(left_out))


class MadeDataset(Dataset):
    """A dataset that is drawn `side` pixels wide and high and enlarged by a whole factor: its truth is exact."""

    side: int
    origin = "It is made from a seed: there is nothing to download."

    def __init__(self, size: int = 512) -> None:
        if size % self.side or not self.side <= size <= MAX_SIZE:
            raise InputError("--size", f"be a multiple of {self.side} up to {MAX_SIZE}", size)
        self.size = size

    @abstractmethod
    def drawn(self, seed: int, number: int) -> tuple[Rgb, Labels]:
        """Picture (side, side, 3) and labels (side, side) of item `number`."""

    def sized(self, size: int) -> Self:
        """The same pictures at another size."""
        return type(self)(size)

    def items(self, root: str | os.PathLike[str] | None = None, n: int | None = None, seed: int = 0) -> Found:
        """The first `n` of a seed, 50 if it is not said."""
        if root is not None:
            raise InputError(f"dataset {self.name!r}", "be given no folder", os.fspath(root), self.origin)
        count = MADE if n is None else n
        if count < 1:
            raise InputError("--n", "be at least 1", n)
        return Found(tuple(self._item(seed, number) for number in range(count)), count)

    def _item(self, seed: int, number: int) -> Item:
        name = f"{self.name}-{seed}-{number:04d}"
        return Item(name, partial(self._enlarged, seed, number, 0), partial(self._enlarged, seed, number, 1))

    def _enlarged(self, seed: int, number: int, which: int) -> Rgb:
        array = np.asarray(enlarged(np.asarray(self.drawn(seed, number)[which]), self.size // self.side))
        array.flags.writeable = False
        return array


def chosen(items: Sequence[Item], n: int | None, seed: int, name: str) -> list[Item]:
    """`n` of the items, in their order. Each has a number drawn from seed and id, and the lowest are taken: so a file
    that is added or taken away changes the choice by at most one.
    """
    if n is None:
        return list(items)
    if not 1 <= n <= len(items):
        raise InputError("--n", f"be from 1 to {len(items)}, the items there are", n)
    lots = {item.id: derive(seed, "masks", name, item.id) for item in items}
    taken = set(sorted(lots, key=lambda one: (lots[one], one))[:n])
    return [item for item in items if item.id in taken]
