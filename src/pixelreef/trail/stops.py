"""An iteration as a stop of the timeline: corpus, forecast, run, verdict, each with what matters of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pixelreef.report import Step, Stop
from pixelreef.trail.comparison import RANKS
from pixelreef.trail.iterations import BY_CORPUS, Iteration
from pixelreef.trail.record import Record

NAMES = ("corpus", "forecast", "run", "verdict")
_SHORT = 8  # hex digits of a hash that are shown
_CHANGED = 5  # fields of a recipe that are shown
_LONG = 48  # characters of a value
LEVELS = ("pass", "warn", "fail", "too few to tell")  # of a forecast, the best first


def stop_of(one: Iteration, before: Iteration | None) -> Stop:
    """The stop of an iteration; `before` is the one whose recipe its own is held against."""
    steps = [_corpus(one), _forecast(one), _run(one, before), _verdict(one)]
    return Stop(f"Iteration {one.number}", time_words(one.last), steps, one.notes)


def time_words(record: Record) -> str:
    """The time of a record, to the minute.

    >>> time_words(Record("run", "2026-11-16T15:30:12.104512Z"))
    '2026-11-16 15:30 UTC'
    """
    return record.time[:16].replace("T", " ") + (" UTC" if record.time.endswith("Z") else "")


def short(hash: str) -> str:
    """As much of a hash as tells it from others."""
    return hash[:_SHORT]


def corpus_words(record: Record) -> str:
    """How many sprites of how many cells, made how.

    >>> corpus_words(Record("corpus", "", recipe="make", made={"count": 6000, "cells": 30}))
    '6,000 sprites of 30 cells, by make'
    """
    count, cells = record.made.get("count"), record.made.get("cells")
    number = f"{count:,} sprites" if isinstance(count, int) else "sprites"
    of = f" of {cells:,} cells" if isinstance(cells, int) else ""
    return f"{number}{of}" + (f", by {record.recipe}" if record.recipe else "")


def _corpus(one: Iteration) -> Step | None:
    record = one.corpus
    if record is None:
        return Step("made elsewhere", (), short(one.corpus_hash)) if one.corpus_hash else None
    path = record.made.get("path")
    lines = [_cut(path)] if isinstance(path, str) else []
    return Step(corpus_words(record), [*lines, *_minutes(record)], short(record.corpus))


def _forecast(one: Iteration) -> Step | None:
    record = one.forecast
    if record is None:
        return None
    stages = record.made.get("stages")
    by = [f"by {', '.join(str(stage) for stage in stages)}"] if isinstance(stages, list) and stages else []
    loss = [f"{_mean(record.losses):.3f} bits per pixel by the proxy"] if record.losses else []
    return Step(counted(record.verdicts.values(), LEVELS), [*loss, *map(_cut, by), *_minutes(record)])


def _run(one: Iteration, before: Iteration | None) -> Step | None:
    record = one.run
    if record is None:
        return Step("of no run in this trail", (), short(one.last.weights)) if one.verdict else None
    loss = f"{one.loss:.3f} bits per pixel" if one.loss is not None else "no loss"
    changed = _changed(before.run.fields, record.fields) if before and before.run else []
    return Step(f"{record.recipe or 'run'}: {loss}", [*changed, *_minutes(record)], short(record.weights))


def _verdict(one: Iteration) -> Step | None:
    judged = one.judged
    if judged is None:
        return None
    by = {"run": "at the end of the run", "verdict": "of samples judged afterwards"}[judged.kind]
    guessed = ["joined by the corpus: the samples name no weights"] if one.joined == BY_CORPUS else []
    return Step(counted(judged.verdicts.values(), RANKS), [by, *guessed, *_minutes(one.verdict)], "")


def counted(words: Iterable[str], order: Iterable[str]) -> str:
    """How many of each word, those of the order first.

    >>> counted(["noise", "learned", "noise", "odd"], ["learned", "weak", "noise"])
    '1 learned, 2 noise, 1 odd'
    """
    found = Counter(words)
    names = [word for word in order if word in found] + [word for word in found if word not in order]
    return ", ".join(f"{found[word]:,} {word}" for word in names[:6]) or "no verdicts"


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What of the recipe is another than before."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    lines = [f"{name}: {_cut(before.get(name))} → {_cut(now.get(name))}" for name in names[:_CHANGED]]
    return lines + ([f"and {len(names) - _CHANGED} more fields"] if len(names) > _CHANGED else [])


def _minutes(record: Record | None) -> list[str]:
    if record is None or record.minutes is None:
        return []
    return [f"{record.minutes:.1f} min" if record.minutes >= 1 else f"{60 * record.minutes:.0f} s"]


def _mean(losses: Mapping[str, float]) -> float:
    return sum(losses.values()) / len(losses)


def _cut(value: object) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
