"""Nulls, damaged references and references as attempts, and what they say of the scores themselves.

A baseline's drawing is written out as the reply of a perfect model and read like any other reply: nothing about it is
special but its metadata. What a score makes of them is its own test. A score that a null ties, or that does not fall
with the dose of damage, is *flagged*: one plain sentence, shown at the head of its column.

The drawings themselves are `baselines`; this module draws nothing and ranks nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pixelreef.draw.baselines import DAMAGES, DOSES, NULLS, REFERENCE, baselines
from pixelreef.draw.boards import SCORES, Value
from pixelreef.draw.encodings import encoding
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.subject import Subject
from pixelreef.draw.subjects import canonical
from pixelreef.runs.replies import Reply

ENOUGH = 60
"""Drawings of each baseline that are aimed at: a share of so many moves by 0.017 at least, not by a seventh."""
MOST_ATTEMPTS = 12
MOST_SUBJECTS = 60
_EQUAL = 1e-9  # means nearer than this are equal

Means = Mapping[tuple[str, int], float]
"""(subject, attempt) → value."""


def is_baseline(attempt: Attempt) -> bool:
    """Whether an attempt is a null's, a damaged reference's or a reference's."""
    return attempt.reply.metadata.get("baseline") is True


def control_of(attempt: Attempt) -> str:
    """Which baseline an attempt is of: `blank`, `flipped-05`, `reference`, …"""
    return str(attempt.reply.metadata.get("control", attempt.reply.entrant))


def with_baselines(attempts: Sequence[Attempt], seed: int) -> list[Attempt]:
    """The attempts, and those of every baseline at the same subjects; none are added where there are some."""
    if any(is_baseline(attempt) for attempt in attempts):
        return list(attempts)
    return [*attempts, *baseline_attempts(attempts, seed)]


def baseline_attempts(attempts: Sequence[Attempt], seed: int) -> list[Attempt]:
    """Every baseline at the first 60 subjects of these attempts (at the canonical ones where they have none)."""
    found = {attempt.subject.id: attempt.subject for attempt in attempts if attempt.subject is not None}
    subjects = dict(list((found or canonical()).items())[:MOST_SUBJECTS])
    taken = {attempt.entrant for attempt in attempts}
    return score_replies(_replies(subjects, seed, taken), subjects)


def flags(
    attempts: Sequence[Attempt], scores: Mapping[str, Value] = SCORES, lower: frozenset[str] = frozenset()
) -> dict[str, str]:
    """A sentence for every score that the baselines among the attempts expose; `lower` names those better when low.

    Exposed is a score by which the references do not stand above every null in the mean; and one that, for some kind of
    damage, rises from one dose to the next by more than the standard error of that step, or is no lower at the highest
    dose than without damage. Without baselines nothing is exposed.
    """
    controls: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        if is_baseline(attempt):
            controls.setdefault(control_of(attempt), []).append(attempt)
    found = {name: _flag(controls, value, -1 if name in lower else 1) for name, value in scores.items()}
    return {name: sentence for name, sentence in found.items() if sentence}


def _replies(subjects: Mapping[str, Subject], seed: int, taken: set[str]) -> Iterator[Reply]:
    attempts = min(MOST_ATTEMPTS, max(1, math.ceil(ENOUGH / len(subjects))))
    rows = encoding("rows")
    for entry in baselines(subjects.values(), seed, attempts):
        name = f"{entry.entrant} (baseline)" if entry.entrant in taken else entry.entrant
        yield Reply(
            name,
            entry.subject,
            rows.encode(entry.drawing),
            attempt=entry.attempt + 1,
            metadata={"baseline": True, "control": entry.entrant},
        )


def _flag(controls: Mapping[str, Sequence[Attempt]], value: Value, sign: int) -> str:
    values = {name: _values(mine, value, sign) for name, mine in controls.items()}
    reference = values.get(REFERENCE, {})
    if not reference:
        return ""
    return _null_above(values, reference, sign) or _not_falling(values, reference, sign)


def _values(attempts: Sequence[Attempt], value: Value, sign: int) -> Means:
    given = {(attempt.reply.item, attempt.reply.attempt): value(attempt) for attempt in attempts}
    return {key: sign * one for key, one in given.items() if one is not None and math.isfinite(one)}


def _null_above(values: Mapping[str, Means], reference: Means, sign: int) -> str:
    ceiling = _mean(reference)
    nulls = {name: _mean(values[name]) for name in NULLS if values.get(name)}
    if not nulls:
        return ""
    best = max(nulls, key=lambda name: nulls[name])
    if nulls[best] < ceiling - _EQUAL:
        return ""
    does = "does as well as" if nulls[best] <= ceiling + _EQUAL else "beats"
    return (
        f"The null “{best}” {does} the references ({_figure(sign * nulls[best])} against {_figure(sign * ceiling)}): "
        "this alone says nothing of quality."
    )


def _not_falling(values: Mapping[str, Means], reference: Means, sign: int) -> str:
    for damage in DAMAGES:
        steps = [(0, reference), *((dose, values.get(f"{damage}-{dose:02}", {})) for dose in DOSES)]
        if not all(step for _, step in steps):
            continue
        for (dose, before), (more, after) in pairwise(steps):
            if _rises(before, after):
                low, high = _figure(sign * _mean(before)), _figure(sign * _mean(after))
                return f"Does not fall with damage: {low} with {dose} % of cells {damage}, {high} with {more} %."
        if _mean(steps[-1][1]) >= _mean(reference) - _EQUAL:
            return f"Does not fall with damage: as high with {DOSES[-1]} % of cells {damage} as with none."
    return ""


def _rises(before: Means, after: Means) -> bool:
    """Whether the mean rises by more than its standard error; equal attempts are compared with one another."""
    both = [key for key in before if key in after]
    if not both:
        return False
    gaps = [after[key] - before[key] for key in both]
    middle = math.fsum(gaps) / len(gaps)
    variance = math.fsum((gap - middle) ** 2 for gap in gaps) / max(len(gaps) - 1, 1)
    return middle > max(math.sqrt(variance / len(gaps)), _EQUAL)


def _mean(values: Means) -> float:
    return math.fsum(values.values()) / len(values)


def _figure(value: float) -> str:
    return f"{value:.3f}".replace("-0.000", "0.000").replace("-", "−")
