"""A corpus from wherever it comes → `Sprites`: a corpus file, a folder of pictures, or one sprite sheet.

A folder comes in as `corpus folder` brings it in, its folders being categories, and a sheet as `corpus sheet` does.
What could not come in is counted in `Sprites.notes`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.folders import FolderOptions, folder_entries
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.store import is_parquet, open_corpus, write_corpus
from pixelreef.corpus.walk import has_folders, kind_of
from pixelreef.taste.gather import sprites_from_corpus
from pixelreef.taste.sprites import Sprites


def open_sprites(path: str | os.PathLike[str], seed: int = 0) -> Sprites:
    """The sprites at a path; one clear error where there are none."""
    place = Path(path)
    if place.is_dir() or (place.is_file() and not is_parquet(place) and kind_of(place) == "picture"):
        return _imported(place, seed)
    return sprites_from_corpus(open_corpus(place), seed)


def _imported(place: Path, seed: int) -> Sprites:
    """By way of a corpus file that is gone afterwards, so that pictures of any number take bounded memory."""
    intake = Intake()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "imported.parquet")
        write_corpus(file, _entries(place, intake))
        sprites = sprites_from_corpus(open_corpus(file), seed)
    if not intake.refused:
        return sprites
    return replace(sprites, notes=(*sprites.notes, f"{len(intake.refused):,} pictures could not come in."))


def _entries(place: Path, intake: Intake) -> Iterator[Entry]:
    from pixelreef.corpus.sheets import SheetOptions, sheet_entries

    if place.is_file():
        return sheet_entries([place], SheetOptions(), intake)
    labels = Labels(folders=("category",) if has_folders(place) else ())
    return folder_entries(place, FolderOptions(Origin(place.resolve().name), labels), intake)
