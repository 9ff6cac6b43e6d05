"""From a corpus to `Sprites`: one size, one palette, bounded memory.

Sprites that already share both are taken as they are. Others are brought together: one palette of all their colours (of
the 255 commonest, where there are more, each other colour going to its nearest), and the largest of their sizes, up to
64 pixels a side, on which smaller ones are centred and larger ones reduced by whole factors. Of more sprites than fit,
each cell gives an equal number, by seed. `Sprites.notes` says what was done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import MAX_COLOURS, Palette
from pixelreef.core.quantise import quantise
from pixelreef.core.seeds import rng
from pixelreef.corpus.colours import with_transparent
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.fit import fitted
from pixelreef.corpus.layout import Factors
from pixelreef.corpus.opened import Corpus
from pixelreef.errors import InputError
from pixelreef.taste.sprites import Places, Sprites, sprites_from_arrays

LARGEST = 64  # pixels a side that stages look at
MOST_PIXELS = 2**26  # of all sprites together: 65,536 of 32×32


def sprites_from_entries(entries: Sequence[Entry], factors: Factors) -> Sprites:
    """Entries of one size, one palette and one source, such as a generator gives."""
    first = entries[0]
    return sprites_from_arrays(
        np.stack([entry.cells for entry in entries]),
        first.palette,
        [entry.cell for entry in entries],
        factors,
        first.origin.source,
    )


def sprites_from_corpus(corpus: Corpus, seed: int = 0, most_pixels: int = MOST_PIXELS) -> Sprites:
    """The sprites of an open corpus, or of a selection of one."""
    sizes, cells = corpus.sizes(), corpus.cells()
    width, height = (min(LARGEST, max((size[axis] for size in sizes), default=1)) for axis in (0, 1))
    chosen = chosen_rows(cells, max(1, most_pixels // (width * height)), seed)
    entries = dict(_entries(corpus, {int(row) for rows in chosen.values() for row in rows}))
    if not entries:
        raise InputError(f"corpus {str(corpus.path)!r}", "have a sprite that can be read", "none", verbatim=True)
    notes: list[str] = []
    resized = len(sizes) > 1 or max(sizes[0]) > LARGEST
    palette = common_palette(list(entries.values()), padded=resized)
    if len(entries) + len(corpus.refused) < corpus.count:
        notes.append(f"{len(entries):,} of {corpus.count:,} sprites were looked at, chosen by seed.")
    if corpus.refused:
        notes.append(f"{len(corpus.refused):,} rows could not be read.")
    if resized:
        notes.append(f"Sprites of {len(sizes)} sizes were brought to {width} × {height}.")
    pixels = _Pixels(palette, (width, height))
    cell_of = {int(row): place for place, rows in enumerate(chosen.values()) for row in rows}
    sources, source = numbered([entry.origin.source for entry in entries.values()])
    groups = [entry.group or f"\0{row}" for row, entry in entries.items()]
    return Sprites(
        np.stack([pixels.of(entry) for entry in entries.values()]),
        palette,
        tuple(cells),
        np.array([cell_of[row] for row in entries], np.intp),
        dict(corpus.factors),
        sources,
        source,
        np.array(list(entries), np.int64),
        numbered(groups)[1],
        tuple(notes),
    )


def chosen_rows(cells: Mapping[str, NDArray[np.int64]], most: int, seed: int) -> dict[str, NDArray[np.int64]]:
    """The rows of each cell: all of them, or at most so many of each that they are about `most` in all."""
    share = max(map(len, cells.values()), default=0)
    while share > 1 and sum(min(len(rows), share) for rows in cells.values()) > most:
        share = share * 7 // 8
    return {
        cell: rows if len(rows) <= share else np.sort(rng(seed, "gather", cell).permutation(rows)[:share])
        for cell, rows in cells.items()
    }


def _entries(corpus: Corpus, wanted: set[int]) -> Iterator[tuple[int, Entry]]:
    """Row and entry of the wanted rows, in order; those that can't be read stand in `corpus.refused`."""
    rows = sorted(int(row) for of in corpus.cells().values() for row in of)
    place = 0
    for entry in corpus:
        while rows[place] in corpus.refused:
            place += 1
        if rows[place] in wanted:
            yield rows[place], entry
        place += 1


def common_palette(entries: Sequence[Entry], *, padded: bool) -> Palette:
    """The palette that all entries share, or one of their colours, the commonest first, after a transparent one.

    `padded` sprites stand on transparency, so theirs always has it.
    """
    first = entries[0].palette
    if all(entry.palette is first or entry.palette == first for entry in entries):
        if not padded or first.transparent is not None or len(first) == MAX_COLOURS:
            return first
        return with_transparent(first)
    seen: Counter[int] = Counter()
    for entry in entries:
        counts = np.bincount(entry.cells.ravel(), minlength=len(entry.palette))
        for index in entry.palette.opaque[counts[entry.palette.opaque] > 0].tolist():
            seen[int.from_bytes(entry.palette.rgb[index].tobytes(), "big")] += int(counts[index])
    kept = [colour for colour, _ in sorted(seen.items(), key=lambda item: (-item[1], item[0]))][: MAX_COLOURS - 1]
    rgb = np.array([[0, 0, 0], *([colour >> 16, colour >> 8 & 255, colour & 255] for colour in kept)], np.uint8)
    return Palette(rgb, 0)


class _Pixels:
    """Brings cells to one palette and one size; the table from a palette to the common one is made once."""

    def __init__(self, palette: Palette, size: tuple[int, int]) -> None:
        self.palette = palette
        self.size = size
        self._tables: dict[Palette, Cells] = {}

    def of(self, entry: Entry) -> Cells:
        cells = entry.cells
        if entry.palette is not self.palette and entry.palette != self.palette:
            if entry.palette not in self._tables:
                self._tables[entry.palette] = quantise(entry.palette.rgba[None], self.palette)[0]
            cells = self._tables[entry.palette][cells]
        return fitted(cells, self.size, self.palette.transparent)


def numbered(texts: Sequence[str]) -> tuple[tuple[str, ...], Places]:
    """The distinct texts in order of appearance, and the place of each among them.

    >>> numbered(["b", "a", "b"])[0], numbered(["b", "a", "b"])[1].tolist()
    (('b', 'a'), [0, 1, 0])
    """
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return tuple(places), np.array([places[text] for text in texts], np.intp)
