"""Boards of scored attempts: one row per entrant, ranked by one headline that was fixed in advance.

The headline is the share of attempts that are strictly valid and pass their subject's check. Intervals are clustered by
subject: five attempts at one subject are not five subjects. Baselines and references stand on the board, unranked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pixelreef.draw.score import Attempt
from pixelreef.metrics.summary import Difference, Summary, clustered_share, difference, mean
from pixelreef.report import Board, Column, Row

Value = Callable[[Attempt], float | None]

HEADLINE = "usable"
SCORES: Mapping[str, Value] = {
    "usable": lambda attempt: attempt.usable,
    "valid": lambda attempt: attempt.valid,
    "readable": lambda attempt: attempt.readable,
    "json_validity": lambda attempt: attempt.json_validity,
    "render_success": lambda attempt: attempt.measure("render_success"),
    "pixel_art_quality": lambda attempt: attempt.measure("pixel_art_quality"),
    "craft": lambda attempt: attempt.measure("craft"),
    "render_success_repaired": lambda attempt: attempt.measure("render_success", repairs=True),
    "pixel_art_quality_repaired": lambda attempt: attempt.measure("pixel_art_quality", repairs=True),
    "craft_repaired": lambda attempt: attempt.measure("craft", repairs=True),
}
"""Every score that a board can show of an attempt; each from 0 to 1, higher is better, None is missing."""

SHARES = frozenset({"usable", "valid", "readable", "json_validity"})
"""Scores that are 0 or 1 for each attempt."""

_TITLES = {
    "usable": "Usable",
    "valid": "Strictly valid",
    "readable": "Readable with repairs",
    "json_validity": "JSON validity",
    "render_success": "Render success",
    "pixel_art_quality": "Pixel-art quality",
    "craft": "Craft",
}
_HINTS = {
    "usable": "strictly valid and passes its subject's check",
    "json_validity": "correct JSON with the colours that it needs",
}


@dataclass(frozen=True)
class Standing:
    """One entrant on the board."""

    entrant: str
    scores: Mapping[str, Summary]
    attempts: int
    asked: int
    subjects: int
    cost: float | None
    """Dollars in all; None where a price is not known."""
    cost_per_usable: float | None
    """Dollars per usable picture; None where nothing was usable, or the price is not known."""
    output_tokens: int | None
    baseline: bool
    control: str = ""
    """Which baseline it is, by the name of `baselines`; empty for an entrant."""


def by_entrant(attempts: Sequence[Attempt]) -> dict[str, list[Attempt]]:
    """Attempts of each entrant, in the order in which entrants first appear; unreadable records belong to none."""
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.reply.failure != "unreadable":
            found.setdefault(attempt.entrant, []).append(attempt)
    return found


def summary_of(attempts: Sequence[Attempt], value: Value, seed: int = 0, *, share: bool = False) -> Summary:
    """The mean of a score over attempts, clustered by subject."""
    values = tuple(value(attempt) for attempt in attempts)
    return _summary(values, tuple(attempt.reply.item for attempt in attempts), seed, share)


# A board asks for the same again: strict and repaired scores are often equal, and so are those of many baselines.
@lru_cache(maxsize=1024)
def _summary(values: tuple[float | None, ...], items: tuple[str, ...], seed: int, share: bool) -> Summary:
    if share:
        return clustered_share(values, items, seed=seed)
    return mean(values, clusters=items, bounds=(0, 1), seed=seed)


def standings(attempts: Sequence[Attempt], seed: int = 0) -> list[Standing]:
    """Every entrant with every score."""
    return [_standing(name, mine, seed) for name, mine in by_entrant(attempts).items()]


def paired(first: Sequence[Attempt], second: Sequence[Attempt], value: Value, seed: int = 0) -> Difference:
    """first − second on the same subjects: each subject's mean over attempts is one item."""
    return difference(subject_means(first, value), subject_means(second, value), seed=seed)


def paired_scores(attempts: Sequence[Attempt], first: Value, second: Value) -> dict[str, float | None]:
    """first − second of each subject's means; None where one is missing."""
    a, b = subject_means(attempts, first), subject_means(attempts, second)
    return {item: None if (x := a[item]) is None or (y := b[item]) is None else x - y for item in a}


def subject_means(attempts: Sequence[Attempt], value: Value) -> dict[str, float | None]:
    """The mean of each subject's attempts; None where all are missing."""
    values: dict[str, list[float]] = {}
    for attempt in attempts:
        mine, found = values.setdefault(attempt.reply.item, []), value(attempt)
        if found is not None and math.isfinite(found):
            mine.append(found)
    return {item: math.fsum(mine) / len(mine) if mine else None for item, mine in values.items()}


def draw_board(standings: Sequence[Standing], flags: Mapping[str, str], caption: str) -> Board:
    """The board of the page and the README. `flags` warns of scores that the baselines expose."""
    shown = ("usable", "valid", "json_validity", "render_success", "pixel_art_quality", "craft", "readable")
    columns = [
        Column("entrant", "Entrant"),
        *(
            Column(
                name,
                _TITLES[name],
                "interval",
                better="high",
                scale=(0, 1),
                hint=_HINTS.get(name, ""),
                flag=flags.get(name, ""),
            )
            for name in shown
        ),
        Column("attempts", "Attempts", "count"),
        Column("cost_per_usable", "$ per usable picture", "number", better="low", digits=4),
    ]
    rows = [
        Row(
            {
                "entrant": one.entrant,
                **{name: one.scores[name] for name in shown},
                "attempts": one.asked,
                "cost_per_usable": one.cost_per_usable if one.cost else None,  # free models stand apart
            },
            note="" if one.asked == one.attempts else f"{one.attempts - one.asked} attempts were not asked for",
            ranked=not one.baseline,
        )
        for one in standings
    ]
    return Board(columns, rows, caption, sort=HEADLINE, rank=True)


def _standing(name: str, attempts: Sequence[Attempt], seed: int) -> Standing:
    costs = [attempt.reply.cost for attempt in attempts]
    cost = None if any(one is None for one in costs) else sum(one for one in costs if one is not None)
    usable = sum(attempt.usable or 0 for attempt in attempts)
    tokens = [attempt.reply.output_tokens for attempt in attempts if attempt.reply.output_tokens is not None]
    return Standing(
        entrant=name,
        scores={score: summary_of(attempts, value, seed, share=score in SHARES) for score, value in SCORES.items()},
        attempts=len(attempts),
        asked=sum(attempt.asked for attempt in attempts),
        subjects=len({attempt.reply.item for attempt in attempts}),
        cost=cost,
        cost_per_usable=cost / usable if cost is not None and usable else None,
        output_tokens=sum(tokens) if tokens else None,
        baseline=(baseline := attempts[0].reply.metadata.get("baseline") is True),
        control=str(attempts[0].reply.metadata.get("control", name)) if baseline else "",
    )
