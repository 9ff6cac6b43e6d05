"""Sprites to be exported, from files: documents, pictures, Aseprite files, and corpora with their part labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pixelreef.core.grid import Grid
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.core.sprite_files import sprite_from_file
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.store import is_parquet, open_corpus
from pixelreef.errors import InputError
from pixelreef.sprites.export.order import MAX_SPRITES, Labelled


@dataclass
class Gathered:
    """What was read, and why the rest was not."""

    sprites: list[Labelled] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """File → reason."""


def gather(paths: Sequence[Path]) -> Gathered:
    """Read every file; one that can't be read is recorded, unless none can."""
    gathered = Gathered()
    for path in paths:
        try:
            found = list(_sprites(path))
        except InputError as error:
            if len(paths) == 1:
                raise
            gathered.refused[str(path)] = str(error)
        else:
            gathered.sprites += found
    if not gathered.sprites:
        raise InputError(
            "files", "hold at least one sprite", next(iter(gathered.refused.values()), "none"), verbatim=True
        )
    return gathered


def _sprites(path: Path) -> Iterator[Labelled]:
    if not is_parquet(path):
        yield Labelled(sprite_from_file(path))
        return
    corpus = open_corpus(path)
    if corpus.count > MAX_SPRITES:
        todo = "Make a smaller one with: pixelreef corpus mix, or corpus make --per-cell 1."
        raise InputError(f"corpus {str(path)!r}", f"have at most {MAX_SPRITES:,} sprites", corpus.count, todo)
    for number, entry in enumerate(corpus):
        yield labelled_from_entry(entry, number)


def labelled_from_entry(entry: Entry, number: int) -> Labelled:
    """A sprite of a corpus, named by itself or by its cell and number."""
    told = {"cell": entry.cell, "number": number, **({"species": entry.species} if entry.species else {})}
    sprite = Sprite(
        entry.palette, (Frame(Grid(entry.cells)),), entry.name or f"{entry.cell} {number}", {**told, **entry.parameters}
    )
    return Labelled(sprite, () if entry.parts is None else (entry.parts,))
