"""attempts.csv: one row per attempt with everything that was measured of it, for those who go on in a notebook.

Missing is an empty cell. Measures of the strict drawing begin with `strict_`, of the repaired one with `repaired_`, and
those of the published formulas with `published_`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pixelreef.draw.analysis import outcome, primary_failure
from pixelreef.draw.controls import is_baseline
from pixelreef.draw.score import Attempt
from pixelreef.metrics.measure import MEASURES
from pixelreef.metrics.published import NAMES
from pixelreef.report.tables import csv_table

Cell = str | int | float | None

_HEAD = (
    "entrant",
    "model",
    "subject",
    "attempt",
    "baseline",
    "encoding",
    "decoding",
    "outcome",
    "failure",
    "failures",
    "reason",
    "repairs",
    "cells_changed",
    "cells_dropped",
    "valid",
    "readable",
    "usable",
    "json_validity",
    "check",
    "check_repaired",
    "saw",
    "input_tokens",
    "output_tokens",
    "cost",
    "seconds",
    "seed",
)


def attempts_csv(attempts: Sequence[Attempt]) -> str:
    """The table as text."""
    head = [
        *_HEAD,
        *(f"strict_{name}" for name in MEASURES),
        *(f"repaired_{name}" for name in MEASURES),
        *(f"published_{name}" for name in NAMES),
    ]
    return csv_table(head, (_row(attempt) for attempt in attempts))


def _row(attempt: Attempt) -> list[Cell]:
    reply, reading = attempt.reply, attempt.reading
    check = attempt.check_repaired
    known: list[Cell] = [
        attempt.entrant,
        reply.entrant,
        reply.item,
        reply.attempt,
        int(is_baseline(attempt)),
        str(reply.metadata.get("encoding", "rows")),
        str(reply.metadata.get("decoding", "free")),
        outcome(attempt),
        primary_failure(attempt) if outcome(attempt) != "strict" else None,
        "; ".join(reading.failures),
        reading.reason,
        "; ".join(f"{repair.name} ({repair.count})" for repair in reading.repairs),
        reading.cells_changed,
        reading.cells_dropped,
        attempt.valid,
        attempt.readable,
        attempt.usable,
        attempt.json_validity,
        _verdict(attempt.check.passed if attempt.check else None),
        _verdict(check.passed if check else None),
        check.saw if check else None,
        reply.input_tokens,
        reply.output_tokens,
        reply.cost,
        reply.seconds,
        reply.seed,
    ]
    return [
        *known,
        *(attempt.strict.get(name) for name in MEASURES),
        *(attempt.repaired.get(name) for name in MEASURES),
        *(_finite(attempt.published.get(name)) if attempt.asked else None for name in NAMES),
    ]


def _verdict(passed: bool | None) -> str | None:
    return None if passed is None else "passed" if passed else "failed"


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
