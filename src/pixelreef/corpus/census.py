"""The census of a corpus: per cell and per source, how many sprites, how many different ones, of what kinds.

One pass over the entries, in the memory of their hashes. The numbers judge nothing; that is `taste`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pixelreef.corpus.entry import Entry
from pixelreef.corpus.layout import Factors, place_of
from pixelreef.corpus.licences import is_known
from pixelreef.corpus.opened import Corpus


@dataclass
class Group:
    """What one cell, one source or the whole corpus holds."""

    count: int = 0
    hashes: set[bytes] = field(default_factory=set, repr=False)
    species: Counter[str] = field(default_factory=Counter)
    """Species → sprites; empty names are not counted."""
    sizes: Counter[tuple[int, int]] = field(default_factory=Counter)
    """(width, height) → sprites."""
    colours: set[int] = field(default_factory=set, repr=False)
    """The colours that are seen, as 0xRRGGBB."""
    colours_of_sprites: int = 0
    """The sum over sprites of the colours seen in each."""
    sources: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    weight: float = 0.0
    with_parts: int = 0

    @property
    def unique(self) -> int:
        """Sprites that look different from one another."""
        return len(self.hashes)

    def shares(self) -> dict[str, float]:
        """Species → its share of the sprites, the largest first."""
        return {name: count / self.count for name, count in _ranked(self.species)}

    def add(self, entry: Entry, seen: Sequence[int]) -> None:
        height, width = entry.cells.shape
        self.count += 1
        self.hashes.add(bytes.fromhex(entry.hash))
        self.species.update([entry.species] if entry.species else [])
        self.sizes[width, height] += 1
        self.colours.update(seen)
        self.colours_of_sprites += len(seen)
        self.sources[entry.origin.source] += 1
        self.licences[entry.origin.licence if is_known(entry.origin.licence) else ""] += 1
        self.splits[entry.split] += 1
        self.weight += entry.weight
        self.with_parts += entry.parts is not None

    def document(self) -> dict[str, Any]:
        """As JSON values; a licence, split or species that is not known has the name ``."""
        return {
            "count": self.count,
            "unique": self.unique,
            "weight": round(self.weight, 6),
            "with_parts": self.with_parts,
            "colours": len(self.colours),
            "colours_per_sprite": round(self.colours_of_sprites / self.count, 2) if self.count else None,
            "sizes": {f"{width}x{height}": count for (width, height), count in _ranked(self.sizes)},
            "species": dict(_ranked(self.species)),
            "sources": dict(_ranked(self.sources)),
            "licences": dict(_ranked(self.licences)),
            "splits": dict(_ranked(self.splits)),
        }


@dataclass(frozen=True)
class Census:
    """The groups of a corpus."""

    whole: Group
    cells: Mapping[str, Group]
    sources: Mapping[str, Group]
    refused: int
    """Rows that could not be read."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            **self.whole.document(),
            "refused": self.refused,
            "by_cell": {name: group.document() for name, group in self.cells.items()},
            "by_source": {name: group.document() for name, group in self.sources.items()},
        }

    def text(self) -> str:
        """The two tables for a terminal."""
        cells = [["cell", *_HEAD, "split"], *([name, *_line(g), _splits(g)] for name, g in self.cells.items())]
        cells.append(["in all", *_line(self.whole), _splits(self.whole)])
        sources = [["source", *_HEAD, "licences"]]
        sources += [[name or "?", *_line(group), _licences(group)] for name, group in self.sources.items()]
        refused = f"\n{self.refused:,} rows could not be read.\n" if self.refused else ""
        return f"{aligned(cells)}\n{aligned(sources)}{refused}"


_HEAD = ["sprites", "unique", "species", "largest", "sizes", "colours"]


def take_census(corpus: Corpus) -> Census:
    """Count everything, in one pass."""
    groups = census_of(corpus, corpus.factors)
    return Census(groups.whole, groups.cells, groups.sources, len(corpus.refused))


def census_of(entries: Iterable[Entry], factors: Factors) -> Census:
    """The census of any entries; cells stand in the order of the factors' values."""
    whole = Group()
    sources: dict[str, Group] = {}
    cells: dict[str, Group] = {}
    places: dict[str, tuple[int, ...]] = {}
    for entry in entries:
        seen = _colours_seen(entry)
        if entry.cell not in cells:
            cells[entry.cell] = Group()
            places[entry.cell] = place_of((entry.factors.get(name) for name in factors), factors)
        for group in (whole, cells[entry.cell], sources.setdefault(entry.origin.source, Group())):
            group.add(entry, seen)
    ordered = {name: cells[name] for name in sorted(cells, key=lambda name: (places[name], name))}
    return Census(whole, ordered, dict(sorted(sources.items())), 0)


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text in columns; the first and the last column to the left, figures to the right.

    >>> print(aligned([["a", "n", "b"], ["xyz", "10", "q"]]), end="")
    a     n  b
    xyz  10  q
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        middle = [cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *middle, row[-1]]).rstrip())
    return "\n".join(lines) + "\n"


def _colours_seen(entry: Entry) -> list[int]:
    used = np.bincount(entry.cells.ravel(), minlength=len(entry.palette)) > 0
    if entry.palette.transparent is not None:
        used[entry.palette.transparent] = False
    rgb = entry.palette.rgb[used].astype(np.uint32)
    return list(dict.fromkeys((rgb[:, 0] << 16 | rgb[:, 1] << 8 | rgb[:, 2]).tolist()))


def _ranked(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """Items by count, the most first; equals by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _line(group: Group) -> list[str]:
    largest = next(iter(group.shares().values()), None)
    sizes = [f"{width}×{height}" for (width, height), _ in _ranked(group.sizes)]
    shown = sizes[0] if len(sizes) == 1 else f"{len(sizes)} sizes"
    share = "–" if largest is None else f"{largest:.0%}"
    return [f"{group.count:,}", f"{group.unique:,}", f"{len(group.species):,}", share, shown, f"{len(group.colours):,}"]


def _splits(group: Group) -> str:
    return (
        ", ".join(f"{name or 'none'} {count:,}" for name, count in _ranked(group.splits)) if any(group.splits) else "–"
    )


def _licences(group: Group) -> str:
    return ", ".join(f"{name or 'no licence'} {count:,}" for name, count in _ranked(group.licences))
