"""Samples from wherever they come: a parquet corpus, a folder of pictures and sprite documents, or one such file.

Each picture needs a cell of the corpus. It is read, in this order, from a table of labels, from its folders
(`jellyfish/abyss/7.png`), from a folder named for the cell (`jellyfish-abyss/7.png`) or from the start of its own name
(`jellyfish-abyss-7.png`). A corpus of one cell needs none. An empty picture is a sample, and counts as empty.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np

from pixelreef.core.files import safe_name
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.folders import FolderOptions, folder_entries
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.store import is_parquet, open_corpus, write_corpus
from pixelreef.corpus.walk import files_below
from pixelreef.errors import InputError
from pixelreef.taste.gather import sprites_from_corpus
from pixelreef.taste.sprites import Sprites

_BLANK = "show something"  # the rule by which an importer refuses an empty picture


def samples_from_path(
    path: str | os.PathLike[str],
    corpus: Sprites,
    seed: int = 0,
    labels: Mapping[str, Mapping[str, str]] | None = None,
) -> Sprites:
    """The samples of a file or a folder, each in a cell of the corpus where one can be told."""
    place = Path(path)
    if place.is_file() and is_parquet(place):
        return in_cells(sprites_from_corpus(open_corpus(place), seed), corpus)
    with tempfile.TemporaryDirectory() as folder:
        root = place
        if place.is_file():
            root = Path(folder, "one")
            root.mkdir()
            shutil.copyfile(place, root / place.name)
        intake = Intake()
        made = Path(folder, "samples.parquet")
        write_corpus(made, _entries(root, corpus, labels or {}, intake))
        sprites = sprites_from_corpus(open_corpus(made), seed)
    notes = [*sprites.notes, *_notes(intake)]
    return in_cells(replace(sprites, notes=tuple(notes)), corpus)


def in_cells(samples: Sprites, corpus: Sprites) -> Sprites:
    """Samples without a label belong to the one cell of a corpus that has but one."""
    if len(corpus.names) == 1 and len(samples.names) == 1:
        return replace(samples, names=corpus.names, factors=corpus.factors)
    return samples


def cell_from_path(path: str, cells: Mapping[str, str]) -> str | None:
    """The cell that a path names; `cells` are names as they stand in paths → cells, the longest first.

    >>> cell_from_path("fish-abyss-7.png", {"fish-abyss": "fish/abyss", "fish": "fish"})
    'fish/abyss'
    """
    parts = PurePosixPath(path).parts
    for parent in ("/".join(parts[:-1]), *reversed(parts[:-1])):
        if parent in cells.values():
            return parent
        if safe_name(parent, "") in cells:
            return cells[safe_name(parent, "")]
    stem = safe_name(PurePosixPath(path).stem, "")
    return next((cell for name, cell in cells.items() if re.match(rf"{re.escape(name)}(?![a-z0-9])", stem)), None)


def _entries(root: Path, corpus: Sprites, labels: Mapping[str, Mapping[str, str]], intake: Intake) -> Iterator[Entry]:
    names = dict(sorted(((safe_name(cell), cell) for cell in corpus.names), key=lambda item: -len(item[0])))
    table = {name: _factors(cell_from_path(name, names), corpus) for name, _ in files_below(root, Intake())}
    known = Labels(table={**table, **labels})
    options = FolderOptions(Origin(root.name), known)
    yield from folder_entries(root, options, intake)
    blank = np.full(corpus.cells.shape[1:], corpus.palette.transparent or 0, np.uint8)
    for one in [one for one in intake.refused if _BLANK in one.reason]:
        yield Entry(blank, corpus.palette, Origin(root.name, address=one.item), known.factors_of(one.item))


def _factors(cell: str | None, corpus: Sprites) -> dict[str, str]:
    return {} if cell is None else corpus.values_of(cell) or {"cell": cell}


def _notes(intake: Intake) -> list[str]:
    refused = [one for one in intake.refused if _BLANK not in one.reason]
    some = "; ".join(f"{one.item}: {one.reason}" for one in refused[:3])
    notes = [f"{len(refused):,} files could not be read: {some}"] if refused else []
    if intake.unlabelled:
        notes.append(f"{len(intake.unlabelled):,} files name no cell of the corpus, such as {intake.unlabelled[0]}.")
    return notes


def labels_match(labels: Mapping[str, Mapping[str, str]], corpus: Sprites) -> None:
    """Refuse a table of labels whose factors the corpus does not have."""
    strange = {name for row in labels.values() for name in row} - set(corpus.factors)
    if strange:
        raise InputError("--labels", f"have the factors {', '.join(corpus.factors)}", sorted(strange))
