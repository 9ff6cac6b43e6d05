"""Everything that a report says, worked out once: page, document and tables all read it from here.

    found = analyse(with_baselines(attempts, seed), seed)

Each idea has a file of its own (`correlation`, `hierarchy`, `diversity`, `direction`, `axes`, `pairs`, `controls`);
this one only runs them over the entrants that are no baselines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pixelreef.draw.axes import Shape, dominance, shape
from pixelreef.draw.baselines import REFERENCE
from pixelreef.draw.boards import HEADLINE, SCORES, Standing, by_entrant, standings
from pixelreef.draw.controls import control_of, flags, is_baseline
from pixelreef.draw.correlation import Coefficient, correlations
from pixelreef.draw.direction import Directions, EncodingGap, RowErrors, directions, encoding_gaps, row_errors
from pixelreef.draw.diversity import Diversity, diversity
from pixelreef.draw.hierarchy import Ladder, ladder
from pixelreef.draw.pairs import Pair, pairs
from pixelreef.draw.provenance import Settings, settings, suite_of, versions
from pixelreef.draw.score import Attempt
from pixelreef.draw.sizes import parameters
from pixelreef.draw.theirs import METRICS, coefficient
from pixelreef.metrics.measure import MEASURES

_BESIDE = (REFERENCE, "uniform-noise")  # the ceiling and a floor, beside the entrants' shapes
OUTCOMES = ("strict", "repaired", "failed")


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found. Baselines are among `standings` and `shapes`; `entrants` leaves them out."""

    attempts: Sequence[Attempt]
    seed: int
    entrants: Mapping[str, Sequence[Attempt]]
    standings: Sequence[Standing]
    flags: Mapping[str, str]
    published: Sequence[Coefficient]
    profile: Sequence[Coefficient]
    shapes: Sequence[Shape]
    dominance: str
    ladders: Sequence[Ladder]
    directions: Sequence[Directions]
    row_errors: Sequence[RowErrors]
    encodings: Sequence[EncodingGap]
    diversity: Sequence[Diversity]
    pairs: Sequence[Pair]
    settings: Sequence[Settings]
    failures: Mapping[str, Mapping[str, int]]
    unreadable: int
    suite: str

    @property
    def models(self) -> list[Standing]:
        return [one for one in self.standings if not one.baseline]

    @property
    def given(self) -> list[Attempt]:
        """The attempts of entrants that are no baselines."""
        return [attempt for mine in self.entrants.values() for attempt in mine]

    def control(self, name: str) -> list[Attempt]:
        """The attempts of one baseline."""
        return [one for one in self.attempts if is_baseline(one) and control_of(one) == name]


def analyse(attempts: Sequence[Attempt], seed: int = 0) -> Analysis:
    """Work everything out."""
    given = [attempt for attempt in attempts if not is_baseline(attempt)]
    entrants = by_entrant(given)
    readable = [attempt for mine in entrants.values() for attempt in mine]
    controls = {name: [one for one in attempts if is_baseline(one) and control_of(one) == name] for name in _BESIDE}
    references = controls[REFERENCE]
    shapes = [shape(name, mine, seed) for name, mine in entrants.items()]
    return Analysis(
        attempts=attempts,
        seed=seed,
        entrants=entrants,
        standings=standings(attempts, seed),
        flags=flags(attempts),
        published=correlations(*_published_columns(readable), seed=seed),
        profile=correlations(*_profile_columns(readable), seed=seed),
        shapes=[
            *shapes,
            *(shape(mine[0].entrant, mine, seed) for mine in controls.values() if mine),
        ],
        dominance=dominance(entrants, seed, shapes),
        ladders=[
            *(ladder(name, mine, references, seed) for name, mine in entrants.items()),
            *([ladder(references[0].entrant, references, (), seed)] if references else []),
        ],
        directions=[
            *(directions(name, mine, seed) for name, mine in entrants.items()),
            *([directions(references[0].entrant, references, seed)] if references else []),
        ],
        row_errors=[row_errors(name, mine) for name, mine in entrants.items()],
        encodings=encoding_gaps(readable, seed),
        diversity=[diversity(name, mine, seed) for name, mine in entrants.items()],
        pairs=pairs(entrants, seed=seed),
        settings=[settings(name, mine) for name, mine in entrants.items()],
        failures={name: failure_counts(mine) for name, mine in entrants.items()},
        unreadable=sum(attempt.reply.failure == "unreadable" for attempt in given),
        suite=suite_of(given),
    )


def outcome(attempt: Attempt) -> str:
    """`strict`, `repaired` or `failed`; `not asked` where no reply was asked for."""
    if not attempt.asked:
        return "not asked"
    if attempt.reading.strict is not None:
        return "strict"
    return "repaired" if attempt.reading.repaired is not None else "failed"


def primary_failure(attempt: Attempt) -> str:
    """Why an attempt is not strict, in one code: the call's own failure, or the first of its reading."""
    if attempt.reply.failure is not None:
        return {"error": "call failed", "limit": "limit reached"}.get(attempt.reply.failure, "not asked")
    return attempt.reading.failures[0] if attempt.reading.failures else "strict"


def failure_counts(attempts: Sequence[Attempt]) -> dict[str, int]:
    """How many attempts have each primary failure, `strict` for none; those not asked for are left out."""
    return dict(Counter(primary_failure(attempt) for attempt in attempts if attempt.asked))


def _published_columns(attempts: Sequence[Attempt]) -> tuple[dict[str, list[float | None]], list[str]]:
    there = [attempt for attempt in attempts if attempt.reading.published is not None]
    return {name: [one.published.get(name) for one in there] for name in METRICS}, [one.reply.item for one in there]


def _profile_columns(attempts: Sequence[Attempt]) -> tuple[dict[str, list[float | None]], list[str]]:
    there = [attempt for attempt in attempts if attempt.repaired]
    return {name: [one.repaired.get(name) for one in there] for name in MEASURES}, [one.reply.item for one in there]


def document(found: Analysis) -> dict[str, Any]:
    """The analysis as plain JSON values: missing is null, and nothing is NaN."""
    return {
        "version": 1,
        "seed": found.seed,
        "suite": found.suite,
        "versions": versions(),
        "headline": HEADLINE,
        "flags": dict(found.flags),
        "entrants": [_standing(one, found) for one in found.standings],
        "pairs": [
            {"first": one.first, "second": one.second, **_summary(one.gap), "p_holm": one.p} for one in found.pairs
        ],
        "correlations": {
            "published": [_coefficient(one) for one in found.published],
            "pixelreef": [_coefficient(one) for one in found.profile],
        },
        "dominance": found.dominance,
        "hierarchy": [
            {
                "entrant": one.entrant,
                "constrained": one.constrained,
                "steps": [
                    {"first": step.first, "second": step.second, "verdict": step.verdict}
                    | {"means": list(step.means), **_summary(step.gap)}
                    for step in one.steps
                ],
            }
            for one in found.ladders
        ],
        "directions": [
            {"entrant": one.entrant, "rows": one.rows.mean, "columns": one.columns.mean, **_summary(one.gap)}
            for one in found.directions
        ],
        "row_errors": {one.entrant: list(one.shares) for one in found.row_errors},
        "diversity": [
            {"entrant": one.entrant, "near_copies": one.near_copies, "drawings": one.drawings}
            | {"subjects": one.subjects, "distinct": _summary(one.distinct)}
            for one in found.diversity
        ],
        "failures": {name: dict(counts) for name, counts in found.failures.items()},
        "unreadable": found.unreadable,
        "settings": [one.record() for one in found.settings],
    }


def _standing(one: Standing, found: Analysis) -> dict[str, Any]:
    return {
        "entrant": one.entrant,
        "baseline": one.baseline,
        "attempts": one.attempts,
        "asked": one.asked,
        "subjects": one.subjects,
        "cost": one.cost,
        "cost_per_usable": one.cost_per_usable,
        "parameters": None if one.baseline else parameters(one.entrant),
        "scores": {name: _summary(one.scores[name]) for name in SCORES},
    }


def _summary(one: Any) -> dict[str, Any]:
    return {key: value for key, value in vars(one).items() if key != "confidence"}


def _coefficient(one: Coefficient) -> dict[str, Any]:
    return {**vars(one), "theirs": coefficient(one.first, one.second)}
