"""The report as plain JSON values: missing is null, and nothing is NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pixelreef import __version__
from pixelreef.masks.measures import MEASURES_VERSION, PRIMARY
from pixelreef.masks.report.analysis import Analysis, Entrant
from pixelreef.masks.report.boards import PRIMARY_WORDS
from pixelreef.metrics.summary import Summary
from pixelreef.report import Board

VERSION = 1


def document(found: Analysis, board: Board) -> dict[str, Any]:
    """Everything but single images, which are in images.csv."""
    scores = found.scores
    return {
        "version": VERSION,
        "pixelreef": __version__,
        "measures": MEASURES_VERSION,
        "seed": found.seed,
        "primary": {"measure": PRIMARY, "words": PRIMARY_WORDS},
        "decoders": [decoder.record() for decoder in scores.settings.decoders],
        "classes": [{"name": one.name, "colour": bytes(one.colour or ()).hex()} for one in scores.classes.scored],
        "images": len(scores.items),
        "board": board.records(),
        "entrants": [entrant_fields(one) for one in found.everyone],
        "differences": [
            {"first": first, "second": second, **_plain(vars(gap))}
            for (first, second), gap in found.differences.items()
        ],
        "unmatched": [{"path": str(one.path), "reason": one.reason} for one in scores.pairing.unmatched],
        "unscored": dict(scores.unscored),
        "notes": {item: list(notes) for item, notes in scores.notes.items()},
    }


def entrant_fields(one: Entrant) -> dict[str, Any]:
    """One entrant."""
    verdicts = one.verdicts
    return {
        "entrant": one.name,
        "control": one.is_control,
        "attempts": len(one.standing.attempts),
        "measures": _summaries(one.measures),
        "valid": _summaries(one.valid),
        "decoders": _summaries(one.sensitivity),
        "failures": _summaries(one.failures),
        "ceiling": _summary(one.ceiling),
        "share_of_ceiling": _summary(one.share_of_ceiling),
        "best_of": {str(k): _summary(best) for k, best in one.best_of.items()},
        "vote": _summary(one.voted),
        "whole": _plain(one.whole),
        "classes": {name: _plain(values) for name, values in one.per_class.items()},
        "verdicts": verdicts
        and {
            "masks": verdicts.masks,
            "counts": dict(verdicts.counts),
            "lost": dict(verdicts.split),
            "repairs": dict(verdicts.points),
        },
        "confusion": _confusion(one),
    }


def _confusion(one: Entrant) -> dict[str, dict[str, int]]:
    """Truth class → predicted class → pixels, where there are any; `unknown` is no class."""
    names = [*one.standing.classes.names, "unknown"]
    matrix = one.standing.confusion.matrix
    return {
        names[row]: {names[int(column)]: int(matrix[row, column]) for column in matrix[row].nonzero()[0]}
        for row in range(len(matrix))
        if matrix[row].any()
    }


def _summaries(each: Mapping[str, Summary]) -> dict[str, Any]:
    return {name: _summary(one) for name, one in each.items()}


def _summary(one: Summary | None) -> dict[str, Any] | None:
    return None if one is None else _plain(vars(one))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in values.items()
    }
