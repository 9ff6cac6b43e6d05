"""One dimension against two: does an entrant draw along rows better than along columns, and where does it slip?

A grid is written row by row, so a model that only continues text agrees along rows and loses its columns; and it may
drift as rows go by. Three looks at that: coherence along rows against columns, errors by row number, and encodings
compared on the same subjects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from pixelreef.draw.boards import SCORES, Value, paired, paired_scores, summary_of
from pixelreef.draw.drawing import SIDE
from pixelreef.draw.score import Attempt
from pixelreef.metrics.summary import Difference, Summary, difference

COMPARED = ("usable", "valid", "render_success")


@dataclass(frozen=True)
class Directions:
    """Coherence of one entrant's drawings along rows and along columns, repaired ones included."""

    entrant: str
    rows: Summary
    columns: Summary
    gap: Difference
    """Rows − columns, paired by subject."""


@dataclass(frozen=True)
class RowErrors:
    """By row number: the share of replies whose row has not 24 cells, is not there, or holds an index out of range."""

    entrant: str
    shares: tuple[float, ...]
    """24 shares; empty where no reply has rows."""
    replies: int


@dataclass(frozen=True)
class EncodingGap:
    """One model in two encodings on the same subjects: first − second."""

    model: str
    decoding: str
    first: str
    second: str
    gaps: dict[str, Difference]


def directions(entrant: str, attempts: Sequence[Attempt], seed: int = 0) -> Directions:
    """Row against column coherence."""
    rows, columns = _repaired("row_coherence"), _repaired("column_coherence")
    own = paired_scores(attempts, rows, columns)
    gap = difference(own, dict.fromkeys(own, 0.0), seed=seed)
    return Directions(entrant, summary_of(attempts, rows, seed), summary_of(attempts, columns, seed), gap)


def row_errors(entrant: str, attempts: Sequence[Attempt]) -> RowErrors:
    """Errors by row number, over the replies that hold rows of whole numbers."""
    grids = [attempt.reading.published for attempt in attempts if attempt.reading.published is not None]
    if not grids:
        return RowErrors(entrant, (), 0)
    wrong = [0] * SIDE
    for grid in grids:
        for number in range(SIDE):
            row = grid.rows[number] if number < len(grid.rows) else ()
            wrong[number] += len(row) != SIDE or not 0 <= min(row) <= max(row) < len(grid.palette)
    return RowErrors(entrant, tuple(count / len(grids) for count in wrong), len(grids))


def encoding_gaps(attempts: Sequence[Attempt], seed: int = 0) -> list[EncodingGap]:
    """Every two encodings of one model with one way of decoding, on the subjects that both were asked for."""
    found: dict[tuple[str, str], dict[str, list[Attempt]]] = {}
    for attempt in attempts:
        metadata = attempt.reply.metadata
        key = attempt.reply.entrant, str(metadata.get("decoding", "free"))
        found.setdefault(key, {}).setdefault(str(metadata.get("encoding", "rows")), []).append(attempt)
    return [
        EncodingGap(
            model,
            decoding,
            first,
            second,
            {name: paired(mine[first], mine[second], SCORES[name], seed) for name in COMPARED},
        )
        for (model, decoding), mine in found.items()
        for first, second in combinations(mine, 2)
    ]


def _repaired(name: str) -> Value:
    return lambda attempt: attempt.measure(name, repairs=True)
