"""What became better: each cell against the last time that it was told, and where loss falls while no cell improves.

A verdict is better the further it is from a fault: learned, then weak, then the faults, which are all alike. A cell is
held against the last iteration before that told something of it, since corpora between may have other cells. Where now
it is too few to tell, or there was nothing before, nothing is said of the cell.

A *ceiling* is a row of iterations with one shape of model in which mean loss fell several times running, while no cell
rose above the best verdict that it had had in them, though some were never learned. Then more of the same will not
help: change the model's shape. Iterations without loss or verdicts are passed over; data may change between the others,
because other data are what is usually tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pixelreef.taste.samples import COLLAPSED, COPIED, EMPTY, LEARNED, NOISE, WEAK
from pixelreef.trail.iterations import Iteration

RANKS = {LEARNED: 2, WEAK: 1, NOISE: 0, COLLAPSED: 0, COPIED: 0, EMPTY: 0}
FALLS = 3
WORDS = "ceiling: change the model's shape"
_LISTED = 8  # cells in a sentence

Change: TypeAlias = Literal["better", "same", "worse", "not told"]


@dataclass(frozen=True, slots=True)
class CellChange:
    """One cell against the last iteration that told of it."""

    change: Change
    against: int
    """The number of that iteration; where none told, of the one judged before."""
    before: str
    """The verdict, or empty where there was none."""
    now: str
    loss: float | None
    """By how much its loss rose; None where one is missing, or where the corpus is another."""

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "change": self.change,
            "against": self.against,
            "before": self.before,
            "now": self.now,
            "loss": self.loss,
        }


@dataclass(frozen=True)
class Comparison:
    """An iteration against those judged before it."""

    iteration: int
    against: int
    """The one judged before, whose mean loss it is held against."""
    cells: Mapping[str, CellChange]
    loss: float | None
    """By how much mean loss rose; None where one is missing."""
    notes: tuple[str, ...] = ()
    """What makes the two hard to compare."""

    def count(self, change: Change) -> int:
        """How many cells changed so."""
        return sum(one.change == change for one in self.cells.values())

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        changes: tuple[Change, ...] = ("better", "same", "worse", "not told")
        return {
            "iteration": self.iteration,
            "against": self.against,
            "counts": {change: self.count(change) for change in changes},
            "loss": self.loss,
            "cells": {cell: one.document() for cell, one in self.cells.items()},
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Ceiling:
    """Iterations in which loss fell and nothing improved; the first is the one from which it fell."""

    iterations: tuple[int, ...]
    losses: tuple[float, ...]
    stuck: tuple[str, ...]
    """The cells that were never learned in them."""
    now: bool
    """Whether it holds still: no iteration that could be compared came after it."""

    @property
    def words(self) -> str:
        """All of it in a sentence or two."""
        fell, losses = self.iterations[1:], " → ".join(f"{loss:.3f}" for loss in self.losses)
        some = ", ".join(self.stuck[:_LISTED]) + (", …" if len(self.stuck) > _LISTED else ".")
        cells = f"{len(self.stuck):,} {'cell was' if len(self.stuck) == 1 else 'cells were'}"
        return (
            f"Mean loss fell in {named(fell)}, from iteration {self.iterations[0]} on ({losses} bits per pixel), and "
            f"no cell rose above the best verdict that it had had in them; {cells} never learned: {some}"
        )

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "say": WORDS,
            "iterations": list(self.iterations),
            "losses": list(self.losses),
            "stuck": list(self.stuck),
            "now": self.now,
            "words": self.words,
        }


def rank(verdict: str) -> int | None:
    """2 learned, 1 weak, 0 a fault; None for what tells nothing.

    >>> rank("weak"), rank("collapsed"), rank("too few to tell")
    (1, 0, None)
    """
    return RANKS.get(verdict)


def learned(iteration: Iteration) -> int | None:
    """How many cells are learned; None where nobody judged."""
    words = iteration.verdicts.values()
    return sum(word == LEARNED for word in words) if words else None


def comparisons(iterations: Sequence[Iteration]) -> list[Comparison]:
    """Every iteration that was judged against those judged before it."""
    judged = [one for one in iterations if one.verdicts]
    return [compare(judged[:place], judged[place]) for place in range(1, len(judged))]


def compare(earlier: Sequence[Iteration], now: Iteration) -> Comparison:
    """Cell by cell, in the order of the later one; of the earlier ones, at least one, the last is the one before."""
    before = earlier[-1]
    held = {cell: _told(earlier, cell) for cell in {**now.verdicts, **before.verdicts}}
    cells = {cell: _cell(one, now, cell) for cell, one in held.items()}
    loss = None if before.loss is None or now.loss is None else now.loss - before.loss
    others = {one.number: one for one in (before, *held.values())}
    notes = [note for number in sorted(others) for note in _notes(others[number], now)]
    return Comparison(now.number, before.number, cells, loss, tuple(notes))


def _told(earlier: Sequence[Iteration], cell: str) -> Iteration:
    """The last that told something of a cell, or else the last one."""
    return next((one for one in reversed(earlier) if rank(one.verdicts.get(cell, "")) is not None), earlier[-1])


def _cell(before: Iteration, now: Iteration, cell: str) -> CellChange:
    was, word = before.verdicts.get(cell, ""), now.verdicts.get(cell, "")
    losses = (before.losses.get(cell), now.losses.get(cell))
    same_corpus = before.corpus_hash == now.corpus_hash
    rise = losses[1] - losses[0] if same_corpus and losses[0] is not None and losses[1] is not None else None
    return CellChange(_change(rank(was), rank(word)), before.number, was, word, rise)


def _change(before: int | None, now: int | None) -> Change:
    if before is None or now is None:
        return "not told"
    return "better" if now > before else "worse" if now < before else "same"


def _notes(before: Iteration, now: Iteration) -> list[str]:
    notes = []
    if before.corpus_hash != now.corpus_hash:
        notes.append(
            f"Iterations {before.number} and {now.number} have other corpora: their losses are of other sprites."
        )
    one, two = before.judged, now.judged
    if one and two and one.calibration != two.calibration:
        notes.append(f"Iterations {before.number} and {now.number} were judged by other limits.")
    return notes


def ceilings(iterations: Sequence[Iteration], falls: int = FALLS) -> list[Ceiling]:
    """Every row of iterations, as long as can be, in which loss fell at least so many times and no cell improved."""
    told = [one for one in iterations if one.loss is not None and one.verdicts]
    rows: list[_Row] = []
    for one in told:
        if not rows or not rows[-1].goes_on(one):
            rows.append(_Row(one))
    stuck = [(row, row.stuck()) for row in rows]
    return [
        Ceiling(
            tuple(one.number for one in row.iterations),
            tuple(one.loss for one in row.iterations if one.loss is not None),
            tuple(cells),
            row.iterations[-1] is told[-1],
        )
        for row, cells in stuck
        if len(row.iterations) > falls and cells
    ]


class _Row:
    """Iterations in which loss falls and no cell improves, as long as they go on so."""

    def __init__(self, first: Iteration) -> None:
        self.iterations = [first]
        self.best = _ranks(first)

    def goes_on(self, one: Iteration) -> bool:
        """Take the next iteration in, or say that it ends the row."""
        before, ranks = self.iterations[-1], _ranks(one)
        shared = ranks.keys() & self.best.keys()
        assert one.loss is not None
        assert before.loss is not None
        improved = any(ranks[cell] > self.best[cell] for cell in shared)
        if one.shape != before.shape or one.loss >= before.loss or improved or not shared:
            return False
        self.iterations.append(one)
        self.best = {**ranks, **{cell: max(best, ranks.get(cell, best)) for cell, best in self.best.items()}}
        return True

    def stuck(self) -> list[str]:
        """The cells that had a verdict at the end, and were never learned."""
        return [cell for cell in _ranks(self.iterations[-1]) if self.best[cell] < RANKS[LEARNED]]


def _ranks(iteration: Iteration) -> dict[str, int]:
    return {cell: place for cell, word in iteration.verdicts.items() if (place := rank(word)) is not None}


def named(numbers: Sequence[int]) -> str:
    """Iterations by number, in words.

    >>> named([2]), named([2, 3, 4])
    ('iteration 2', 'iterations 2, 3 and 4')
    """
    if len(numbers) == 1:
        return f"iteration {numbers[0]}"
    return f"iterations {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
