"""An open corpus: its footer at once, its sprites as they are asked for, in bounded memory.

A file is untrusted, also when it carries our footer. What is wrong with the file as a whole is one `InputError`; a row
that is wrong is left out and stands in `refused` with its reason. A parquet file from elsewhere is a corpus too when it
has grid, width, height and palette: its other columns of text are then its factors.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.layout import (
    FIXED,
    KEY,
    MAX_FACTORS,
    MAX_VALUES,
    NEEDED,
    ContentHash,
    Factors,
    Footer,
    Row,
    cell_of,
    footer_from_bytes,
    place_of,
    row_from_entry,
)
from pixelreef.corpus.parquet import group_starts, is_parquet, known_columns, parquet_file, record_batches
from pixelreef.corpus.rows import Batch, Rules, mixed, plain_rows, plain_values
from pixelreef.errors import FileError, InputError

if TYPE_CHECKING:
    import pyarrow

MAX_REFUSED = 10_000  # rows; beyond this the file is no corpus


def open_corpus(path: str | os.PathLike[str]) -> Corpus:
    """Open a corpus file; reads its footer and no sprite."""
    what = f"corpus {os.fspath(path)!r}"
    place = Path(path)
    if not place.is_file():
        raise FileError(what, "be a file", "a folder" if place.is_dir() else "nothing there", verbatim=True)
    if not is_parquet(place):
        raise FileError(what, "be a parquet file", "something else", verbatim=True)
    return Corpus(place, what, parquet_file(place, what))


class Corpus:
    """Sprites with what is known about them, in a file. Iterating gives entries, one by one."""

    def __init__(self, path: Path, what: str, file: Any, wanted: dict[str, tuple[str, ...]] | None = None) -> None:
        self.path = path
        self.refused: dict[int, str] = {}
        """Row → why it is not among the sprites, of the rows that were read so far."""
        self._what = what
        self._file = file
        self._wanted = wanted or {}
        self._columns = known_columns(file, what)
        self._footer = self._read_footer()

    @cached_property
    def count(self) -> int:
        """The rows of the file, or of a selection, whether they can be read or not."""
        if not self._wanted:
            return int(self._file.metadata.num_rows)
        return sum(int(kept.sum()) for _, _, kept in self._read([]))

    @cached_property
    def factors(self) -> Factors:
        """Factor → its values in order; without a footer of ours, in order of appearance."""
        if self._footer:
            return self._footer.factors
        found = {name: self._distinct(name) for name in self._columns if name not in FIXED}
        few = {name: values for name, values in found.items() if values is not None}
        return dict(list(few.items())[:MAX_FACTORS])

    @cached_property
    def hash(self) -> str:
        """The hash of the content: as the footer gives it; worked out from the rows without one, or for a selection."""
        if self._footer and not self._wanted:
            return self._footer.hash
        hasher = ContentHash(list(self.factors))
        for entry in self:
            hasher.add(row_from_entry(entry, list(self.factors)))
        return hasher.hexdigest(self.factors)

    @property
    def history(self) -> dict[str, Any]:
        """How it came to be; empty for a file from elsewhere."""
        return dict(self._footer.history) if self._footer else {}

    @property
    def generators(self) -> tuple[str, ...]:
        """What drew its sprites, with versions."""
        return tuple(self._footer.generators) if self._footer else ()

    def select(self, cell: str | Iterable[str] | None = None, split: str | None = None) -> Corpus:
        """The corpus of some cells, by name or pattern (`jellyfish/*`), and of one split."""
        wanted = dict(self._wanted)
        if cell is not None:
            wanted["cell"] = (cell,) if isinstance(cell, str) else tuple(cell)
        if split is not None:
            wanted["split"] = (split,)
        return Corpus(self.path, self._what, self._file, wanted)

    def table(self, columns: Sequence[str]) -> pyarrow.Table:
        """Columns as they stand in the file, unchecked."""
        import pyarrow

        if unknown := [name for name in columns if name not in self._columns]:
            raise InputError(f"columns of {self._what}", f"be among {sorted(self._columns)}", unknown)
        batches = [batch.filter(pyarrow.array(kept)).select(columns) for _, batch, kept in self._read(columns)]
        return pyarrow.Table.from_batches(batches, pyarrow.schema([self._file.schema_arrow.field(c) for c in columns]))

    def origins(self) -> list[Origin]:
        """The sources with their licences, each pair once, in order of appearance."""
        table = self.table([name for name in ("source", "licence") if name in self._columns])
        nothing = [None] * table.num_rows
        sources, licences = (
            plain_values(table[name].combine_chunks()) if name in table.column_names else nothing
            for name in ("source", "licence")
        )
        pairs = dict.fromkeys(zip(sources, licences, strict=True))
        return [Origin(source or "", licence=licence or "") for source, licence in pairs]

    def sizes(self) -> list[tuple[int, int]]:
        """The (width, height) that sprites have, each once, the commonest first."""
        table = self.table(["width", "height"])
        counts = Counter(zip(table["width"].to_pylist(), table["height"].to_pylist(), strict=True))
        return [size for size, _ in counts.most_common() if None not in size]

    def cells(self) -> dict[str, NDArray[np.int64]]:
        """Cell → the rows of its sprites, cells in the order of the factors' values."""
        found: dict[tuple[str | None, ...], list[int]] = {}
        for start, batch, kept in self._read(list(self.factors)):
            values = [plain_values(batch.column(name)) for name in self.factors]
            combinations = list(zip(*values, strict=True)) if values else [()] * len(kept)
            for place in np.flatnonzero(kept).tolist():
                found.setdefault(combinations[place], []).append(start + place)
        rows: dict[str, list[int]] = {}
        for combination in sorted(found, key=lambda values: place_of(values, self.factors)):
            rows.setdefault(cell_of(combination), []).extend(found[combination])
        return {cell: np.array(sorted(of), np.int64) for cell, of in rows.items()}

    def at(self, rows: Iterable[int]) -> dict[int, Entry]:
        """Row → entry for some rows, in their order in the file; those that can't be read are left out."""
        wanted = sorted(set(rows))
        starts = group_starts(self._file)
        found: dict[int, Entry] = {}
        for group, (first, end) in enumerate(pairwise(starts)):
            chosen = set(wanted[bisect_left(wanted, first) : bisect_left(wanted, end)])
            for batch in record_batches(self._file, self._of_entries, self._what, [group]) if chosen else ():
                for row in sorted(chosen & set(range(first, first + batch.num_rows))):
                    entry = self._checked(next(plain_rows(batch.slice(row - first, 1))), row)
                    found.update({} if entry is None else {row: entry})
                first += batch.num_rows
        return found

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Entry]:
        for start, batch, kept in self._read(self._of_entries):
            for number, (row, wanted) in enumerate(zip(plain_rows(batch), kept, strict=True), start):
                if wanted and (entry := self._checked(row, number)) is not None:
                    yield entry

    def batches(self) -> Iterator[Batch]:
        """Sprites as arrays, about a thousand at a time; all must share one size and one palette.

        Of a row only grid, palette, parts, factors and weight are read, and only these can refuse it.
        """
        needed = [*NEEDED, *(name for name in ("transparent", "parts", "weight") if name in self._columns)]
        first: Batch | None = None
        for start, columns, kept in self._read([*needed, *self.factors]):
            batch, wrong = self._rules.batch(columns, kept)
            for number in wrong:
                self._checked(next(plain_rows(columns.slice(number, 1))), start + number)
            if batch is None:
                continue
            first = first or batch
            if batch.cells.shape[1:] != first.cells.shape[1:] or batch.palette != first.palette:
                raise mixed("size" if batch.palette == first.palette else "palette")
            yield replace(batch, rows=batch.rows + start)

    def arrays(self) -> Batch:
        """All sprites as one batch."""
        batches = [batch for batch in self.batches() if len(batch)]
        if not batches:
            raise InputError(self._what, "have a sprite that can be read", "none", verbatim=True)
        parts = [batch.parts for batch in batches if batch.parts is not None]
        return Batch(
            np.concatenate([batch.cells for batch in batches]),
            np.concatenate(parts) if len(parts) == len(batches) else None,
            batches[0].palette,
            self.factors,
            {name: np.concatenate([batch.labels[name] for batch in batches]) for name in self.factors},
            np.concatenate([batch.weights for batch in batches]),
            np.concatenate([batch.rows for batch in batches]),
        )

    @cached_property
    def _rules(self) -> Rules:
        return Rules(self.factors)

    @property
    def _of_entries(self) -> list[str]:
        return [name for name in self._columns if name not in ("cell", "hash")]  # these follow from the others

    def _read(self, columns: Sequence[str]) -> Iterator[tuple[int, pyarrow.RecordBatch, NDArray[np.bool_]]]:
        """The number of the first row, the columns (and what the selection needs), and which rows are selected."""
        choosing = [*self.factors, *(["split"] if "split" in self._columns else [])] if self._wanted else []
        names = list(dict.fromkeys([*columns, *choosing])) or ["width"]
        start = 0
        for batch in record_batches(self._file, names, self._what):
            yield start, batch, self._selected(batch)
            start += batch.num_rows

    def _selected(self, batch: pyarrow.RecordBatch) -> NDArray[np.bool_]:
        kept = np.ones(batch.num_rows, bool)
        if "cell" in self._wanted:
            values = [plain_values(batch.column(name)) for name in self.factors]
            cells = [cell_of(row) for row in zip(*values, strict=True)] if values else [cell_of(())] * len(kept)
            fits = {cell: any(fnmatchcase(cell, one) for one in self._wanted["cell"]) for cell in set(cells)}
            kept &= np.array([fits[cell] for cell in cells], bool)
        if "split" in self._wanted:
            there = "split" in batch.schema.names
            splits = plain_values(batch.column("split")) if there else [""] * len(kept)
            kept &= np.array([(split or "") in self._wanted["split"] for split in splits], bool)
        return kept

    def _checked(self, row: Row, number: int) -> Entry | None:
        try:
            return self._rules.entry(row)
        except InputError as error:
            self.refused[number] = str(error)
        if len(self.refused) > MAX_REFUSED:
            raise FileError(self._what, f"have at most {MAX_REFUSED:,} unreadable rows", "more", verbatim=True)
        return None

    def _read_footer(self) -> Footer | None:
        data = (self._file.metadata.metadata or {}).get(KEY)
        if data is None:
            return None
        footer = footer_from_bytes(data, f"footer of {self._what}")
        if missing := [name for name in footer.factors if name not in self._columns]:
            raise FileError(self._what, "have a column of text for every factor", f"none for {missing}")
        return footer

    def _distinct(self, name: str) -> tuple[str, ...] | None:
        """The values of a column of text as they appear; None when they are too many for a factor."""
        found: dict[str, None] = {}
        for batch in record_batches(self._file, [name], self._what):
            found.update(dict.fromkeys(value for value in plain_values(batch.column(0)) if value))
            if len(found) > MAX_VALUES:
                return None
        return tuple(found)
