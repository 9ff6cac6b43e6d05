"""A corpus is one parquet file: `write_corpus` streams entries into it, `open_corpus` streams them out again.

    facts = write_corpus("reef.parquet", entries, {"category": CATEGORIES, "zone": ZONES}, {"by": "make", "seed": 7})
    corpus = open_corpus("reef.parquet")
    corpus.count, corpus.hash, corpus.factors
    for entry in corpus: ...
    batch = corpus.arrays()          # (N, H, W) for training, without one object per sprite

Memory is bounded by one row group. The file is written beside its target and renamed over it, so an interrupted import
leaves the old corpus or the new one. The same entries give the same bytes: nothing in the file knows the time.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pixelreef.core.files import replacing
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.layout import (
    KEY,
    MAX_VALUES,
    REPEATED,
    ContentHash,
    Factors,
    Footer,
    Row,
    check_factor_names,
    place_of,
    row_from_entry,
    schema,
)
from pixelreef.corpus.opened import Corpus, open_corpus
from pixelreef.corpus.parquet import is_parquet
from pixelreef.corpus.rows import Batch
from pixelreef.errors import InputError

__all__ = ["Batch", "Corpus", "CorpusFacts", "is_parquet", "open_corpus", "write_corpus"]

GROUP_ROWS = 2048
GROUP_BYTES = 2**23  # of grids; large sprites make smaller row groups
_SUMMED = (
    "width",
    "height",
    "cell",
    "split",
    "weight",
    "source",
    "licence",
    "hash",
)  # columns with minimum and maximum


@dataclass(frozen=True)
class CorpusFacts:
    """What was written."""

    path: Path
    count: int
    hash: str
    """Over the content, not the file's bytes; `layout.ContentHash` says over what."""
    factors: Factors
    cells: Mapping[str, int]
    """Cell → sprites, in the order of the factors' values."""
    bytes: int
    history: Mapping[str, Any] = field(default_factory=dict)
    """How it came to be."""

    def record(self) -> dict[str, Any]:
        """What a record of iterations keeps of it, as JSON values: its hash, how it was made, and of what."""
        apart = ("by", "parents", "before", "intake", "record")
        return {
            "corpus": self.hash,
            "recipe": str(self.history.get("by", "")),
            "fields": {name: value for name, value in self.history.items() if name not in apart},
            "made": {
                "path": str(self.path),
                "count": self.count,
                "cells": len(self.cells),
                "parents": [one["hash"] for one in self.history.get("parents", ())],
            },
        }

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "path": str(self.path),
            "count": self.count,
            "hash": self.hash,
            "factors": {name: list(values) for name, values in self.factors.items()},
            "cells": dict(self.cells),
            "bytes": self.bytes,
        }


def write_corpus(
    path: str | os.PathLike[str],
    entries: Iterable[Entry],
    factors: Factors | None = None,
    history: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
    progress: Callable[[int], None] | None = None,
) -> CorpusFacts:
    """Write entries as they come; `progress` hears the number written after every row group.

    `factors` declares the factor columns and the order of their values; values not in it come after, as they appear.
    Without it the columns are the factors of the first row group's entries, and a later entry with another is refused.
    `history` may be a function, which is asked when the last entry has passed: an import knows only then what it did.
    """
    with replacing(path) as part:
        facts = _stream(part, iter(entries), factors, history or {}, progress or (lambda _: None))
        size = part.stat().st_size
    return replace(facts, path=Path(path), bytes=size)


def _stream(
    part: Path,
    entries: Iterator[Entry],
    declared: Factors | None,
    history: Mapping[str, Any] | Callable[[], Mapping[str, Any]],
    progress: Callable[[int], None],
) -> CorpusFacts:
    import pyarrow.parquet as parquet

    first = next(_groups(entries), [])
    names = (
        list(declared) if declared is not None else list(dict.fromkeys(name for one in first for name in one.factors))
    )
    check_factor_names(names)
    tally = _Tally({name: list((declared or {}).get(name, ())) for name in names})
    columns = schema(names)
    with parquet.ParquetWriter(
        part,
        columns,
        compression="zstd",
        use_dictionary=[*REPEATED, *names],
        write_statistics=[*_SUMMED, *names],
        write_page_checksum=True,
    ) as writer:
        for group in chain([first] if first else [], _groups(entries)):
            writer.write_table(_table(tally.rows(group), columns))
            progress(tally.count)
        if not tally.count:
            raise InputError("corpus", "have at least one sprite", 0)
        footer = tally.footer(history() if callable(history) else history)
        writer.add_key_value_metadata({KEY: footer.to_bytes()})
    return CorpusFacts(part, footer.count, footer.hash, footer.factors, tally.by_cell(), 0, footer.history)


def _groups(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    """Entries in lists of at most `GROUP_ROWS`, and about `GROUP_BYTES` of cells."""
    group: list[Entry] = []
    size = 0
    for entry in entries:
        group.append(entry)
        size += entry.cells.size
        if len(group) >= GROUP_ROWS or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _table(rows: list[Row], columns: Any) -> Any:
    import pyarrow

    return pyarrow.Table.from_pylist(rows, schema=columns)


class _Tally:
    """What the footer needs, gathered while rows pass by."""

    def __init__(self, factors: dict[str, list[str]]) -> None:
        self.count = 0
        self._values = {name: dict.fromkeys(values) for name, values in factors.items()}
        self._cells: Counter[tuple[str | None, ...]] = Counter()
        self._keys: dict[tuple[str | None, ...], str] = {}
        self._generators: dict[str, None] = {}
        self._hash = ContentHash(list(factors))

    def rows(self, entries: list[Entry]) -> list[Row]:
        rows = [row_from_entry(entry, list(self._values)) for entry in entries]
        for row in rows:
            self._add(row)
        return rows

    def _add(self, row: Row) -> None:
        self.count += 1
        self._hash.add(row)
        combination = tuple(row[name] for name in self._values)
        self._cells[combination] += 1
        self._keys[combination] = row["cell"]
        if row["generator"]:
            self._generators[row["generator"]] = None
        for (name, values), value in zip(self._values.items(), combination, strict=True):
            if value is not None and value not in values:
                if len(values) >= MAX_VALUES:
                    raise InputError(f"factor {name!r}", f"have at most {MAX_VALUES} values", "more", verbatim=True)
                values[value] = None

    def by_cell(self) -> dict[str, int]:
        """Cell → count, in the order of the values; a missing value comes last."""
        counts: Counter[str] = Counter()
        factors = {name: tuple(values) for name, values in self._values.items()}
        for combination in sorted(self._cells, key=lambda values: place_of(values, factors)):
            counts[self._keys[combination]] += self._cells[combination]
        return dict(counts)

    def footer(self, history: Mapping[str, Any]) -> Footer:
        factors = {name: tuple(values) for name, values in self._values.items()}
        return Footer(self.count, self._hash.hexdigest(factors), factors, tuple(self._generators), history)
