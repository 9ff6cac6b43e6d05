"""Mix corpora: weighted, capped, copies merged, and split so that no near-copy is on both sides.

    entries, report = mix([open_corpus("reef.parquet"), open_corpus("photos.parquet")], MixOptions(seed=7))

Two readings: the first (`roll`) keeps a few hundred bytes of each sprite, on which everything is decided; the second
yields the sprites that stay. In between, copies are merged and caps applied (`choose`), and the rest is split
(`split`). The same sprites in another order give the same splits.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.corpus.curate import steps_of
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.licences import check_licences
from pixelreef.corpus.mix.amounts import Amount, Resolved, amount_from_text, resolved
from pixelreef.corpus.mix.choose import relabelled_copies, stand_ins, within_caps, without_copies
from pixelreef.corpus.mix.roll import Line, Progress, Roll, entries_of, joined_factors, read_roll
from pixelreef.corpus.mix.split import SPLITS, joined_groups, shares_from_text, split_of
from pixelreef.corpus.opened import Corpus
from pixelreef.errors import InputError
from pixelreef.metrics.near_copies import groups

__all__ = ["Amount", "MixOptions", "MixReport", "amount_from_text", "mix", "shares_from_text", "write_mix"]


@dataclass(frozen=True)
class MixOptions:
    """What is asked of a mix."""

    weights: Sequence[Amount] = ()
    """Multiply the weight of the sprites of a source or a cell."""
    caps: Sequence[Amount] = ()
    """The most sprites of a source or a cell."""
    cap_cell: int | None = None
    """The most sprites of every cell that has no cap of its own."""
    keep_near: bool = False
    """Merge only sprites that are alike pixel for pixel."""
    palette: Palette | None = None
    size: tuple[int, int] | None = None
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    seed: int = 0
    allow_unknown_licence: bool = False


@dataclass(frozen=True)
class MixReport:
    """What became of the sprites."""

    counts: dict[str, int]
    """`read`, then why sprites were left out, then `kept`; and `kept` ones in `groups` that must stay together."""
    sources: dict[str, tuple[int, int]]
    """Source → sprites read, sprites kept."""
    splits: dict[str, dict[str, int]]
    """Cell → split → sprites."""
    refused: tuple[tuple[str, str], ...]
    history: dict[str, Any]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "counts": self.counts,
            "sources": {name: {"read": read, "kept": kept} for name, (read, kept) in self.sources.items()},
            "splits": self.splits,
            "refused": [{"item": item, "reason": reason} for item, reason in self.refused],
        }


def mix(
    corpora: Sequence[Corpus], options: MixOptions, progress: Progress | None = None
) -> tuple[Iterator[Entry], MixReport]:
    """The sprites of the mix, to be read once, and what became of all of them."""
    if not corpora:
        raise InputError("corpora to mix", "be at least one", 0)
    check_licences((origin for corpus in corpora for origin in corpus.origins()), options.allow_unknown_licence)
    tell = progress or (lambda words, done, total: None)
    roll = read_roll(corpora, options.palette, options.size, tell)
    lines = roll.lines
    weights = _weights(lines, options)
    kept, near, counts = _chosen(roll, weights, options, tell)
    group_of = joined_groups(lines, near)
    chosen, cells = [group_of[number] for number in kept], [lines[number].cell for number in kept]
    splits = split_of(chosen, cells, options.shares, options.seed)
    of_split = [splits[group] for group in chosen]
    size = Counter(chosen)
    counts |= {"groups": len(size), "largest group": max(size.values())}
    report = MixReport(
        counts,
        _sources(lines, kept),
        _by_cell(cells, of_split),
        tuple(roll.refused),
        _history(corpora, options, counts),
    )
    changes = {
        number: {"weight": weights[number], "split": split, "group": group if size[group] > 1 else ""}
        for number, split, group in zip(kept, of_split, chosen, strict=True)
    }
    return _entries(corpora, options, changes), report


def write_mix(
    path: str | os.PathLike[str], corpora: Sequence[Corpus], options: MixOptions, progress: Progress | None = None
) -> tuple[Any, MixReport]:
    """Mix and write: the facts of the new corpus, and what became of the sprites."""
    from pixelreef.corpus.store import write_corpus

    entries, report = mix(corpora, options, progress)
    total = report.counts["kept"]
    tell = (lambda done: progress("writing", done, total)) if progress else None
    return write_corpus(path, entries, joined_factors(corpora), report.history, tell), report


def _entries(corpora: Sequence[Corpus], options: MixOptions, changes: dict[int, dict[str, Any]]) -> Iterator[Entry]:
    for number, (_, entry) in enumerate(entries_of(corpora, options.palette, options.size)):
        if number in changes:
            yield replace(entry, **changes[number])


def _weights(lines: Sequence[Line], options: MixOptions) -> list[float]:
    given = _resolved(lines, options.weights, "--weight")
    return [line.weight * given.sources.get(line.source, 1.0) * given.cells.get(line.cell, 1.0) for line in lines]


def _resolved(lines: Sequence[Line], amounts: Sequence[Amount], what: str) -> Resolved:
    sources, cells = ({getattr(line, kind): None for line in lines} for kind in ("source", "cell"))
    return resolved(amounts, list(sources), list(cells), what)


def _chosen(
    roll: Roll, weights: Sequence[float], options: MixOptions, tell: Progress
) -> tuple[list[int], NDArray[np.intp], dict[str, int]]:
    """The sprites that stay; (N,) for all a number that near-copies share; and how many went, and why."""
    lines = roll.lines
    caps = _resolved(lines, options.caps, "--cap")
    single = without_copies(lines, weights)
    stand_in = (
        {number: number for number in single}
        if options.keep_near
        else stand_ins(roll, single, weights, lambda done, total: tell("merging", done, total))
    )
    distinct = sorted(set(stand_in.values()))
    near = _near_copies(roll, single, stand_in, distinct, tell)
    kept = within_caps(lines, distinct, weights, caps, options.cap_cell, options.seed)
    if not kept:
        raise InputError("the mix", "keep at least one sprite", 0, "Raise the caps.")
    counts = {
        "read": len(lines),
        "refused": len(roll.refused),
        "copies": len(lines) - len(single),
        "copies with another label": relabelled_copies(lines, single),
        "near-copies": len(single) - len(distinct),
        "over a cap": len(distinct) - len(kept),
        "kept": len(kept),
    }
    return kept, near, counts


def _near_copies(
    roll: Roll, single: Sequence[int], stand_in: dict[int, int], distinct: Sequence[int], tell: Progress
) -> NDArray[np.intp]:
    """(N,): a number for each sprite; those share it whose stand-ins are near-copies, of whatever cell."""
    place = {hash: number for number, hash in enumerate(roll.first)}
    facts = roll.facts[np.array([place[roll.lines[number].hash] for number in distinct])]
    found = groups(facts, progress=lambda done, total: tell("comparing", done, total))
    label = dict(zip(distinct, found.tolist(), strict=True))
    of_hash = {roll.lines[number].hash: label[stand_in[number]] for number in single}
    return np.array([of_hash[line.hash] for line in roll.lines], np.intp)


def _sources(lines: Sequence[Line], kept: Sequence[int]) -> dict[str, tuple[int, int]]:
    read, stay = Counter(line.source for line in lines), Counter(lines[number].source for number in kept)
    return {source: (number, stay[source]) for source, number in read.items()}


def _by_cell(cells: Sequence[str], splits: Sequence[str]) -> dict[str, dict[str, int]]:
    counted = Counter(zip(cells, splits, strict=True))
    return {cell: {split: counted[cell, split] for split in SPLITS} for cell in dict.fromkeys(cells)}


def _history(corpora: Sequence[Corpus], options: MixOptions, counts: dict[str, int]) -> dict[str, Any]:
    return {
        "by": "mix",
        "parents": [
            {"hash": one.hash, "count": one.count, "file": one.path.name, "before": steps_of(one.history)}
            for one in corpora
        ],
        "weights": [str(amount) for amount in options.weights],
        "caps": [str(amount) for amount in options.caps],
        "cap_cell": options.cap_cell,
        "merged": "copies" if options.keep_near else "copies and near-copies",
        "palette": options.palette.hex() if options.palette else None,
        "size": list(options.size) if options.size else None,
        "split": {"shares": dict(zip(SPLITS, options.shares, strict=True)), "seed": options.seed},
        "counts": counts,
    }
