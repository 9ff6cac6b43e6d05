"""The first reading of a mix: a roll of all sprites, with what is needed to choose among them and none of their pixels.

Of a sprite stay its hash, its facts (`metrics.signatures`: 400 bytes for one of 32×32), and what it is and where from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.corpus.colours import coloured
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.fit import fitted
from pixelreef.corpus.layout import Factors
from pixelreef.corpus.licences import is_known
from pixelreef.corpus.opened import Corpus
from pixelreef.errors import InputError
from pixelreef.metrics.signatures import BLOCK, Signatures, signatures

Progress = Callable[[str, int, int], None]
"""Hears what is being done, how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sprite of the roll."""

    hash: str
    source: str
    cell: str
    group: str
    """As its source named it; empty for none."""
    has_licence: bool
    labels: int
    """How many factors it has."""
    weight: float


@dataclass(frozen=True)
class Roll:
    """All sprites, in the order of the corpora and of their rows."""

    lines: list[Line]
    first: dict[str, int]
    """Hash → the number of the first sprite that has it."""
    facts: Signatures
    """Of these first ones, in their order."""
    refused: list[tuple[str, str]]
    """What could not be brought to the size or palette that was asked for, and why."""


def entries_of(
    corpora: Sequence[Corpus],
    palette: Palette | None,
    size: tuple[int, int] | None,
    refused: list[tuple[str, str]] | None = None,
) -> Iterator[tuple[int, Entry]]:
    """The number of the corpus and the entry, brought to the palette and the size that were asked for."""
    names = list(joined_factors(corpora))
    for number, corpus in enumerate(corpora):
        for entry in corpus:
            ordered = {name: value for name in names if (value := entry.factors.get(name))}
            try:
                yield number, _brought(replace(entry, factors=ordered), palette, size)
            except InputError as error:
                if refused is not None:
                    refused.append((f"{corpus.path.name}: {entry.name or entry.hash}", str(error)))


def _brought(entry: Entry, palette: Palette | None, size: tuple[int, int] | None) -> Entry:
    if palette is not None and entry.palette != palette:
        made = coloured(entry.palette.rgba[entry.cells], palette)
        if made.palette != palette:
            raise InputError("palette", "have a transparent entry for a sprite that needs one", "none", verbatim=True)
        entry = replace(entry, cells=made.cells, palette=palette)
    if size is not None and entry.cells.shape != size[::-1]:
        # Part labels are of the pixels that were drawn, and have no meaning for reduced ones.
        entry = replace(entry, cells=fitted(entry.cells, size, entry.palette.transparent), parts=None)
    return entry


def read_roll(
    corpora: Sequence[Corpus], palette: Palette | None, size: tuple[int, int] | None, progress: Progress
) -> Roll:
    """Read every sprite once. All must have one palette and one size in the end."""
    lines: list[Line] = []
    first: dict[str, int] = {}
    refused: list[tuple[str, str]] = []
    waiting: list[Cells] = []
    parts: list[Signatures] = []
    total = sum(corpus.count for corpus in corpora)
    like: Entry | None = None
    for number, entry in entries_of(corpora, palette, size, refused):
        like = like or entry
        _check_alike(like, entry, corpora[number])
        if first.setdefault(entry.hash, len(lines)) == len(lines):
            waiting.append(entry.cells)
        lines.append(_line(entry))
        if len(waiting) == BLOCK:
            parts.append(_signed(waiting, like))
            waiting = []
            progress("reading", len(lines), total)
    if like is None:
        raise InputError("corpora to mix", "have at least one sprite that can be read", "none", verbatim=True)
    if waiting:
        parts.append(_signed(waiting, like))
    return Roll(lines, first, Signatures.joined(parts), refused)


def joined_factors(corpora: Sequence[Corpus]) -> Factors:
    """The factors of all, in order of appearance, each with the values of all."""
    joined: dict[str, dict[str, None]] = {}
    for corpus in corpora:
        for name, values in corpus.factors.items():
            joined.setdefault(name, {}).update(dict.fromkeys(values))
    return {name: tuple(values) for name, values in joined.items()}


def _signed(waiting: list[Cells], like: Entry) -> Signatures:
    return signatures(np.stack(waiting), like.palette.transparent)


def _line(entry: Entry) -> Line:
    return Line(
        entry.hash,
        entry.origin.source,
        entry.cell,
        entry.group,
        is_known(entry.origin.licence),
        len(entry.factors),
        entry.weight,
    )


def _check_alike(like: Entry, entry: Entry, corpus: Corpus) -> None:
    what = f"corpus {str(corpus.path)!r}"
    if entry.cells.shape != like.cells.shape:
        sizes = ["{1} × {0}".format(*one.cells.shape) for one in (like, entry)]
        raise InputError(what, f"have sprites of {sizes[0]}, as before it", sizes[1], "Give --size.", verbatim=True)
    if entry.palette is not like.palette and entry.palette != like.palette:
        rule = "have the palette of the sprites before it"
        raise InputError(what, rule, repr(entry.palette), "Give --palette.", verbatim=True)
