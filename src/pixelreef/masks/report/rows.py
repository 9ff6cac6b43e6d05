"""The long tables of a report: one row per attempt, and one per entrant and class."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pixelreef.masks.item import AttemptScore
from pixelreef.masks.measures import PRIMARY
from pixelreef.masks.report.analysis import Analysis, Entrant
from pixelreef.report.tables import csv_table

Cell = str | int | float | None
_CLASS_COLUMNS = ("iou", "f1", "precision", "recall", "share")


def images_csv(found: Analysis) -> str:
    """Every attempt of everyone. Measures under another decoder than the primary one have its name before theirs."""
    measures = _measures(found)
    head = [
        *("entrant", "control", "image", "attempt", "width", "height", "failure", "reason"),
        *(name if decoder == found.decoders[0] else f"{decoder}_{name}" for decoder, name in measures),
        *("ceiling", "verdict", "why", "notes"),
    ]
    rows = (
        [one.name, int(one.is_control), *_cells(attempt, found, measures)]
        for one in found.everyone
        for attempt in one.standing.attempts
    )
    return csv_table(head, rows)


def classes_csv(found: Analysis) -> str:
    """Every class of everyone, all images as one picture."""
    rows = (
        [one.name, int(one.is_control), name, *(_finite(one.per_class[name][column]) for column in _CLASS_COLUMNS)]
        for one in found.everyone
        for name in found.scores.classes.names
    )
    return csv_table(["entrant", "control", "class", *_CLASS_COLUMNS], rows)


def _measures(found: Analysis) -> list[tuple[str, str]]:
    """(decoder, measure): all that the first attempt of anyone has."""
    first: Entrant = found.everyone[0]
    return [(decoder, name) for decoder in found.decoders for name in first.standing.scores(decoder)[0][1].measures]


def _cells(attempt: AttemptScore, found: Analysis, measures: list[tuple[str, str]]) -> Iterator[Cell]:
    primary = attempt.scores[found.decoders[0]]
    yield from (attempt.item, attempt.attempt, *(attempt.size or (None, None)), primary.failure, primary.reason)
    yield from (_finite(attempt.scores[decoder].measures[name]) for decoder, name in measures)
    yield None if attempt.ceiling is None else _finite(attempt.ceiling[PRIMARY])
    yield from (attempt.why.verdict, attempt.why.words) if attempt.why else (None, None)
    yield "; ".join(primary.notes)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
