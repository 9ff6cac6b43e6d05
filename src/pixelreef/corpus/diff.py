"""What changed between two corpora: sprites added, removed, relabelled, reweighted, as a table and as sheets.

Sprites are matched by the hash of what is seen. Where one picture stands several times, those that kept their cell are
matched first, then the others count as relabelled as far as there are pairs; what is left was added or removed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef.core.files import write_bytes
from pixelreef.core.render import png_from_rgba
from pixelreef.core.seeds import derive
from pixelreef.corpus.census import aligned
from pixelreef.corpus.contact import sheet_of
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.opened import Corpus

KINDS = ("added", "removed", "relabelled", "reweighted")
SHOWN = 96  # sprites on a sheet


@dataclass(frozen=True)
class Change:
    """One sprite that is not as it was."""

    kind: str
    hash: str
    before: str
    """Its cell before; empty for one that was added."""
    after: str
    """Its cell now; empty for one that was removed."""
    weights: tuple[float, float] | None = None
    """Before and after, for one that was reweighted."""


@dataclass(frozen=True)
class Difference:
    """Two corpora, compared."""

    hashes: tuple[str, str]
    counts: tuple[int, int]
    cells: dict[str, tuple[int, int]]
    """Cell → sprites before and after."""
    changes: list[Change]

    def by_kind(self) -> dict[str, int]:
        """Kind → number, every kind named."""
        counted = Counter(change.kind for change in self.changes)
        return {kind: counted[kind] for kind in KINDS}

    def document(self) -> dict[str, Any]:
        """As JSON values; the changes themselves are in the sheets."""
        return {
            "before": {"hash": self.hashes[0], "count": self.counts[0]},
            "after": {"hash": self.hashes[1], "count": self.counts[1]},
            **self.by_kind(),
            "by_cell": {cell: dict(zip(_COLUMNS, row, strict=True)) for cell, row in self._rows().items()},
        }

    def text(self) -> str:
        """The table for a terminal: only cells in which something changed."""
        rows = {cell: row for cell, row in self._rows().items() if any(row[2:])}
        unchanged = len(self.cells) - len(rows)
        lines = [[cell, *(f"{number:,}" if number else "·" for number in row), ""] for cell, row in rows.items()]
        lines.append(["in all", *(f"{number:,}" for number in self._total()), ""])
        note = f"{unchanged:,} cells are as they were.\n" if unchanged else ""
        return aligned([["cell", *(name.replace("_", " ") for name in _COLUMNS), ""], *lines]) + note

    def _rows(self) -> dict[str, list[int]]:
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        for change in self.changes:
            if change.kind == "relabelled":
                counted[change.before]["relabelled_out"] += 1
                counted[change.after]["relabelled_in"] += 1
            else:
                counted[change.after or change.before][change.kind] += 1
        return {
            cell: [before, after, *(counted[cell][name] for name in _COLUMNS[2:])]
            for cell, (before, after) in self.cells.items()
        }

    def _total(self) -> list[int]:
        return [sum(column) for column in zip(*self._rows().values(), strict=True)] or [0] * len(_COLUMNS)


_COLUMNS = ("before", "after", "added", "removed", "relabelled_in", "relabelled_out", "reweighted")


def diff(before: Corpus, after: Corpus) -> Difference:
    """Compare two corpora, in the memory of their hashes."""
    old, new = _found(before), _found(after)
    changes = [change for name in dict.fromkeys([*old, *new]) for change in _changes(name, old[name], new[name])]
    counts = [Counter(cell for found in one.values() for cell, _ in found) for one in (old, new)]
    order = dict.fromkeys([*before.cells(), *after.cells()])
    cells = {cell: (counts[0][cell], counts[1][cell]) for cell in order}
    return Difference((before.hash, after.hash), (before.count, after.count), cells, changes)


def write_diff_sheets(found: Difference, before: Corpus, after: Corpus, out: Path, seed: int = 0) -> list[Path]:
    """`added.png`, `removed.png`, `relabelled.png`, `reweighted.png`: those that have something to show."""
    written = []
    for kind in KINDS:
        changes = {change.hash: change for change in found.changes if change.kind == kind}
        shown = sorted(changes, key=lambda name: derive(seed, "diff", name))[:SHOWN]
        entries = _entries(before if kind == "removed" else after, set(shown))
        if entries:
            entries.sort(key=lambda entry: _label(changes[entry.hash]))
            title = f"{kind}: {len(entries)} of {len(changes):,}"
            labels = [_label(changes[entry.hash]) for entry in entries]
            written.append(write_bytes(out / f"{kind}.png", png_from_rgba(sheet_of(entries, title, labels))))
    return written


def _found(corpus: Corpus) -> defaultdict[str, list[tuple[str, float]]]:
    found: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for entry in corpus:
        found[entry.hash].append((entry.cell, entry.weight))
    return found


def _changes(name: str, old: list[tuple[str, float]], new: list[tuple[str, float]]) -> Iterable[Change]:
    was, now = Counter(old), Counter(new)
    gone, come = sorted((was - now).elements()), sorted((now - was).elements())
    for cell in sorted({cell for cell, _ in gone} & {cell for cell, _ in come}):
        pairs = zip([one for one in gone if one[0] == cell], [one for one in come if one[0] == cell], strict=False)
        for before, after in list(pairs):
            gone.remove(before)
            come.remove(after)
            yield Change("reweighted", name, cell, cell, (before[1], after[1]))
    for before, after in zip(gone, come, strict=False):
        weights = None if before[1] == after[1] else (before[1], after[1])
        yield Change("relabelled", name, before[0], after[0], weights)
    yield from (Change("removed", name, cell, "") for cell, _ in gone[len(come) :])
    yield from (Change("added", name, "", cell) for cell, _ in come[len(gone) :])


def _entries(corpus: Corpus, hashes: set[str]) -> list[Entry]:
    found: dict[str, Entry] = {}
    if hashes:
        for entry in corpus:
            if entry.hash in hashes:
                found.setdefault(entry.hash, entry)
    return list(found.values())


def _label(change: Change) -> str:
    if change.kind == "relabelled":
        return f"{change.before} > {change.after}"
    weights = f" {change.weights[0]:g} > {change.weights[1]:g}" if change.weights else ""
    return (change.after or change.before) + weights
