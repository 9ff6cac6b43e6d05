"""Small corpora for tests of training, a recipe that takes seconds, and a run in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from pixelreef.core.palette import Palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.reef.make import make_reef
from pixelreef.corpus.store import open_corpus, write_corpus
from pixelreef.sprites.config import Config
from pixelreef.sprites.lecture import Lecture, lecture_from_corpus
from pixelreef.sprites.recipe import Recipe

torch.set_num_threads(1)  # models this small wait for a second thread longer than they work

CELLS = ("coral/shallows", "jellyfish/abyss", "reef-fish/twilight")
GREYS = Palette.from_hex(["000000", "444444", "888888", "cccccc", "ffffff"])
"""Of five colours, none transparent."""


def reef_corpus(path: Path, per_cell: int = 8) -> Path:
    """Three cells of 16×16."""
    write_corpus(path, make_reef(0, per_cell, 16, CELLS))
    return path


def squares(path: Path, count: int = 24, size: tuple[int, int] = (8, 8), **given: Any) -> Path:
    """A light square somewhere on grey, in a palette without transparency; (height, width)."""
    random = rng(0, "squares")
    entries = []
    for number in range(count):
        cells = np.full(size, 1, np.uint8)
        top, left = random.integers(0, size[0] - 3), random.integers(0, size[1] - 3)
        cells[top : top + 3, left : left + 3] = 3 + number % 2
        entries.append(Entry(cells, GREYS, Origin("squares"), **given))
    write_corpus(path, entries)
    return path


def tiny(**fields: Any) -> Recipe:
    return Recipe.of("tiny", **fields)


def tiny_config(**fields: Any) -> Config:
    """Of the sizes of the recipe `tiny`, unless told."""
    return Config(**{**tiny().model, **fields})


def lecture(folder: Path, recipe: Recipe | None = None, per_cell: int = 8) -> Lecture:
    path = folder / "reef.parquet"
    return lecture_from_corpus(open_corpus(path if path.exists() else reef_corpus(path, per_cell)), recipe or tiny())


def train_once(corpus: Path, out: Path, fields: dict[str, Any], told: Any = None, devices: int = 1) -> None:
    """In a process of its own: train with one thread, saving all the time, and tell of every step."""
    from pixelreef.sprites.train import train

    recipe = tiny(**fields)
    lesson = lecture_from_corpus(open_corpus(corpus), recipe)
    train(lesson, recipe, out, devices=devices, tell=told.put if told else None, save_every=0.02)


if __name__ == "__main__":
    import sys

    train_once(Path(sys.argv[1]), Path(sys.argv[2]), {"steps": int(sys.argv[3])}, devices=int(sys.argv[4]))
