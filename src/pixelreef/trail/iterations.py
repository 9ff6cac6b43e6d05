"""Iterations: a corpus, what was forecast of it, the run that learned from it, and the verdict on what that drew.

Records are joined by hashes. A run opens an iteration; its corpus and forecast are those of the corpus that it was
taught. A verdict belongs to the run whose weights drew its samples; where these are not known, to the last run before
it on the same corpus, and the iteration says so. A verdict on samples of no run that is known is an iteration of its
own. Corpora and forecasts that no run has followed yet are kept apart.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pixelreef.trail.record import Record, Sheet

BY_WEIGHTS, BY_CORPUS = "weights", "corpus"


@dataclass(frozen=True)
class Iteration:
    """One turn, with those of its records that there are."""

    number: int
    """From 1, in the order of the trail."""
    corpus: Record | None = None
    forecast: Record | None = None
    run: Record | None = None
    verdict: Record | None = None
    joined: str = ""
    """By what the verdict is joined to the run: `weights`, `corpus`, or empty where there is no pair."""
    notes: tuple[str, ...] = ()
    """Of the user."""

    @property
    def records(self) -> tuple[Record, ...]:
        """Those that there are, in the order of the work."""
        return tuple(one for one in (self.corpus, self.forecast, self.run, self.verdict) if one is not None)

    @property
    def last(self) -> Record:
        """The record that the iteration stands for: of its run, or of its verdict."""
        found = self.run or self.verdict
        assert found is not None
        return found

    @property
    def corpus_hash(self) -> str:
        return self.last.corpus

    @property
    def loss(self) -> float | None:
        """Of the run, in bits per pixel on sprites held back; the mean of its cells where it does not say."""
        if self.run is None:
            return None
        if self.run.loss is not None or not self.run.losses:
            return self.run.loss
        return math.fsum(self.run.losses.values()) / len(self.run.losses)

    @property
    def losses(self) -> Mapping[str, float]:
        return self.run.losses if self.run else {}

    @property
    def judged(self) -> Record | None:
        """The record whose verdicts count: the verdict's, else those that the run was given at its end."""
        if self.verdict is not None and self.verdict.verdicts:
            return self.verdict
        return self.run if self.run is not None and self.run.verdicts else None

    @property
    def verdicts(self) -> Mapping[str, str]:
        return self.judged.verdicts if self.judged else {}

    @property
    def shape(self) -> str:
        """What the model's shape is, so that equal ones are equal; empty where the run does not say."""
        fields = self.run.fields if self.run else {}
        told = {name: fields[name] for name in ("shape", "model", "scaled") if fields.get(name)}
        return json.dumps(told, sort_keys=True) if told else ""

    @property
    def sheets(self) -> tuple[tuple[str, Sheet], ...]:
        """What there is to look at: of a run its last sheet, of the others their first."""
        return tuple(
            (one.kind, one.sheets[-1] if one.kind == "run" else one.sheets[0]) for one in self.records if one.sheets
        )


@dataclass
class _Open:
    """An iteration while records come in."""

    run: Record | None = None
    verdict: Record | None = None
    joined: str = ""
    place: int = 0
    """Of its first record in the trail."""
    every: list[Record] = field(default_factory=list)
    """All its runs and verdicts, those too that later ones took the place of."""


@dataclass(frozen=True)
class Joined:
    """The iterations of a trail, and what belongs to none."""

    iterations: tuple[Iteration, ...]
    unused: tuple[Record, ...]
    """Corpora and forecasts that no run followed, each corpus once."""
    notes: tuple[str, ...] = ()
    """Of the user, on no record that is known."""


def iterations_from_records(records: Sequence[Record]) -> Joined:
    """Join the records of a trail."""
    joining = _Joining(records)
    made = tuple(joining.closed(number, one) for number, one in enumerate(joining.found, start=1))
    ancestors = _ancestors(records, [one.corpus_hash for one in made if one.corpus_hash])
    rest = [one for one in records if one.kind in ("corpus", "forecast") and one.corpus not in ancestors]
    known = {one.id for one in records}
    loose = [one.note for one in records if one.kind == "note" and one.about not in known and one.note]
    return Joined(made, tuple(_once(rest)), tuple(loose))


class _Joining:
    """Runs and verdicts, joined in the order of the trail, and what else is known of their corpora."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.found: list[_Open] = []
        self.by_weights: dict[str, _Open] = {}
        self.by_corpus: dict[str, _Open] = {}
        """The last run on a corpus."""
        self.about: dict[tuple[str, str], list[tuple[int, Record]]] = {}
        """Kind and corpus → records with their places."""
        self.remarks = _remarks(records)
        for place, record in enumerate(records):
            if record.kind == "run":
                self._take_run(record, place)
            elif record.kind == "verdict":
                self._take_verdict(record, place)
            elif record.corpus:
                self.about.setdefault((record.kind, record.corpus), []).append((place, record))

    def _take_run(self, record: Record, place: int) -> None:
        """The same weights again are the same run, which was found finished, or whose samples were judged first."""
        one = self.by_weights.get(record.weights) or self._open(place)
        one.run, one.joined = record, one.joined or (BY_WEIGHTS if one.verdict else "")
        one.every.append(record)
        self._index(one, record)
        if record.corpus:
            self.by_corpus[record.corpus] = one

    def _take_verdict(self, record: Record, place: int) -> None:
        """To the run of its weights; without these, to the last on its corpus."""
        by = BY_WEIGHTS if record.weights else BY_CORPUS
        one = self.by_weights.get(record.weights) if record.weights else self.by_corpus.get(record.corpus)
        one = one or self._open(place)
        one.verdict, one.joined = record, by if one.run else ""
        one.every.append(record)
        self._index(one, record)

    def _open(self, place: int) -> _Open:
        self.found.append(_Open(place=place))
        return self.found[-1]

    def _index(self, one: _Open, record: Record) -> None:
        if record.weights:
            self.by_weights[record.weights] = one

    def closed(self, number: int, one: _Open) -> Iteration:
        """With corpus, forecast and notes."""
        last = one.run or one.verdict
        assert last is not None
        corpus, forecast = (self._before(kind, last.corpus, one.place) for kind in ("corpus", "forecast"))
        told = [*(record for record in (corpus, forecast) if record), *one.every]
        said = [note for record in told for note in (record.note, *self.remarks.get(record.id, ())) if note]
        return Iteration(number, corpus, forecast, one.run, one.verdict, one.joined, tuple(dict.fromkeys(said)))

    def _before(self, kind: str, corpus: str, place: int) -> Record | None:
        """The last record of a kind about a corpus before a place; the first after it where there is none."""
        about = self.about.get((kind, corpus), [])
        at = bisect_left(about, place, key=lambda one: one[0])
        return about[max(0, at - 1)][1] if about else None


def _remarks(records: Sequence[Record]) -> dict[str, list[str]]:
    """Id → notes that were added afterwards."""
    found: dict[str, list[str]] = {}
    for record in records:
        if record.kind == "note" and record.note:
            found.setdefault(record.about, []).append(record.note)
    return found


def _ancestors(records: Sequence[Record], corpora: list[str]) -> set[str]:
    """Corpora, and those that they were mixed or curated from."""
    parents: dict[str, list[str]] = {}
    for record in records:
        if record.kind == "corpus":
            parents.setdefault(record.corpus, []).extend(parents_of(record))
    found, ahead = set(corpora), list(corpora)
    while ahead:
        for parent in parents.get(ahead.pop(), ()):
            if parent not in found:
                found.add(parent)
                ahead.append(parent)
    return found


def parents_of(record: Record) -> list[str]:
    """The hashes of the corpora that one was made of."""
    told: Any = record.made.get("parents")
    return [one for one in told if isinstance(one, str)] if isinstance(told, list) else []


def _once(records: Sequence[Record]) -> list[Record]:
    """The last record of each kind about each corpus."""
    return list({(one.kind, one.corpus or one.id): one for one in records}.values())
