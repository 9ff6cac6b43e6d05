"""The story of a trail: its iterations, what became better from one to the next, and its ceilings, as one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pixelreef.trail.comparison import FALLS, WORDS, Ceiling, Comparison, ceilings, comparisons, learned
from pixelreef.trail.file import Trail
from pixelreef.trail.iterations import Iteration, Joined, iterations_from_records
from pixelreef.trail.record import Record

FORMAT, VERSION = "pixelreef-trail", 1


@dataclass(frozen=True)
class Story:
    """All that a trail tells. `falls` of loss in a row make a ceiling where no cell improves."""

    trail: Trail
    joined: Joined
    falls: int = FALLS

    @property
    def iterations(self) -> Sequence[Iteration]:
        return self.joined.iterations

    @cached_property
    def comparisons(self) -> list[Comparison]:
        return comparisons(self.iterations)

    @cached_property
    def ceilings(self) -> list[Ceiling]:
        return ceilings(self.iterations, self.falls)

    @property
    def ceiling(self) -> Ceiling | None:
        """The one that holds still."""
        return next((one for one in self.ceilings if one.now), None)

    @property
    def notes(self) -> list[str]:
        """What a reader should know: lines passed over, how verdicts were joined, what is hard to compare."""
        guessed = [str(one.number) for one in self.iterations if one.joined == "corpus"]
        joined = [f"The samples judged in iteration {number} do not name their weights: they are taken to be of the "
                  "last run on the same corpus." for number in guessed]  # fmt: skip
        return [*self.trail.notes, *joined, *(note for one in self.comparisons for note in one.notes)]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "file": str(self.trail.path),
            "records": len(self.trail.records),
            "iterations": [_iteration(one) for one in self.iterations],
            "comparisons": [one.document() for one in self.comparisons],
            "falls": self.falls,
            "ceilings": [one.document() for one in self.ceilings],
            "ceiling": self.ceiling.document() if self.ceiling else None,
            "unused": [_record(one) for one in self.joined.unused],
            "notes": [*self.notes, *self.joined.notes],
        }

    def text(self) -> str:
        """For a terminal: a line for each iteration, then the ceiling."""
        from pixelreef.corpus.census import aligned

        against = {one.iteration: one for one in self.comparisons}
        rows = [["", "time", "recipe", "minutes", "loss", "learned", "than before"]]
        rows += [_row(one, against.get(one.number)) for one in self.iterations]
        said = [f"{WORDS}. {self.ceiling.words}"] if self.ceiling else []
        return "\n".join([*([aligned(rows).rstrip("\n")] if self.iterations else ["No iteration yet."]), *said])


def story_from_trail(trail: Trail, falls: int = FALLS) -> Story:
    """Join the records of a trail, and compare."""
    return Story(trail, iterations_from_records(trail.records), falls)


def share_words(iteration: Iteration) -> str:
    """How many cells are learned, of how many; a dash where nobody judged."""
    number = learned(iteration)
    return "–" if number is None else f"{number:,} of {len(iteration.verdicts):,}"


def _row(one: Iteration, than: Comparison | None) -> list[str]:
    changes = f"{than.count('better')} better, {than.count('worse')} worse" if than else "–"
    run = one.run
    return [
        str(one.number),
        one.last.time[:16].replace("T", " "),
        run.recipe if run and run.recipe else "–",
        f"{run.minutes:.1f}" if run and run.minutes is not None else "–",
        f"{one.loss:.3f}" if one.loss is not None else "–",
        share_words(one),
        changes,
    ]


def _iteration(one: Iteration) -> dict[str, Any]:
    return {
        "number": one.number,
        "time": one.last.time,
        "corpus": one.corpus_hash or None,
        "weights": one.run.weights if one.run else one.last.weights or None,
        "recipe": one.run.recipe if one.run else None,
        "minutes": one.run.minutes if one.run else None,
        "loss": one.loss,
        "losses": dict(one.losses),
        "verdicts": dict(one.verdicts),
        "learned": learned(one),
        "joined": one.joined or None,
        "sheets": [sheet.path for _, sheet in one.sheets],
        "notes": list(one.notes),
        "records": {record.kind: _record(record) for record in one.records},
    }


def _record(record: Record) -> dict[str, Any]:
    return {"id": record.id, **record.document()}
