"""Sprites to be exported, from files: documents, pictures, Aseprite files, and corpora with their part labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pixelreef.core.grid import Grid
from pixelreef.core.images import MAX_PIXELS
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
    pixels: int = 0
    """Of all frames."""
    full: bool = False
    """Whether there were more than an export can hold."""

    def add(self, one: Labelled) -> None:
        """Keep a sprite, unless an export could not hold it with the others."""
        self.pixels += len(one.sprite.frames) * one.sprite.grid.cells.size
        self.full = self.pixels > MAX_PIXELS or len(self.sprites) == MAX_SPRITES
        if self.full:
            rule = f"be at most {MAX_SPRITES:,}, of {MAX_PIXELS:,} pixels in all frames"
            raise InputError("sprites", rule, "more", "Export fewer at once.", verbatim=True)
        self.sprites.append(one)


def gather(paths: Sequence[Path]) -> Gathered:
    """Read every file; one that can't be read is recorded, unless none can."""
    gathered = Gathered()
    for path in paths:
        try:
            for one in _sprites(path):
                gathered.add(one)
        except InputError as error:
            if len(paths) == 1 or gathered.full:
                raise
            gathered.refused[str(path)] = str(error)
    if not gathered.sprites:
        first = next(iter(gathered.refused.values()), "an empty corpus.")
        raise InputError("files", "hold at least one sprite", f"none; {first[:-1]}", verbatim=True)
    return gathered


def _sprites(path: Path) -> Iterator[Labelled]:
    if not is_parquet(path):
        yield Labelled(sprite_from_file(path))
        return
    for number, entry in enumerate(open_corpus(path)):
        yield labelled_from_entry(entry, number)


def labelled_from_entry(entry: Entry, number: int) -> Labelled:
    """A sprite of a corpus, named by itself or by its cell and number."""
    told = {"cell": entry.cell, "number": number, **({"species": entry.species} if entry.species else {})}
    sprite = Sprite(
        entry.palette, (Frame(Grid(entry.cells)),), entry.name or f"{entry.cell} {number}", {**told, **entry.parameters}
    )
    return Labelled(sprite, () if entry.parts is None else (entry.parts,))
