"""Validity → render → quality → subject check: does an entrant fall from step to step?

The article says that performance degrades from syntax to structure to meaning. Here that is a test: for each entrant,
paired differences of consecutive steps over subjects. The claim is that *every* step falls, which needs no correction
for several tests: it fails where one of them fails. Nothing is claimed at the floor: where both steps are 0 throughout,
or there is one subject only, the step is undecidable.

Two warnings go with every verdict. Under constrained decoding a reply is valid by construction, so its validity is no
evidence. And the steps are measured on different scales: the references fall too, and only a fall beyond theirs says
something of a model. `Step.beyond` has that comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pixelreef.draw.boards import SCORES, paired_scores, subject_means
from pixelreef.draw.score import Attempt
from pixelreef.metrics.summary import Difference, difference, mean

STEPS = ("json_validity", "render_success", "pixel_art_quality", "usable")
FALLS, RISES, NOTHING, UNDECIDABLE = "falls", "rises", "no difference shown", "undecidable"
BY_CONSTRUCTION = "no evidence: valid by construction"
LEVEL = 0.05


@dataclass(frozen=True)
class Step:
    """One step of the ladder: second − first, over the subjects that have both."""

    first: str
    second: str
    means: tuple[float | None, float | None]
    gap: Difference
    verdict: str
    beyond: Difference | None = None
    """How much further than the references it moves on the same subjects, where references are at hand."""


@dataclass(frozen=True)
class Ladder:
    """All steps of one entrant."""

    entrant: str
    constrained: bool
    steps: tuple[Step, ...]


def ladder(entrant: str, attempts: Sequence[Attempt], references: Sequence[Attempt] = (), seed: int = 0) -> Ladder:
    """The three steps of one entrant, each with a verdict."""
    constrained = any(attempt.reply.metadata.get("decoding") == "constrained" for attempt in attempts)
    steps = [_step(attempts, references, first, second, seed) for first, second in pairwise(STEPS)]
    if constrained:
        steps[0] = replace(steps[0], verdict=BY_CONSTRUCTION)
    return Ladder(entrant, constrained, tuple(steps))


def _step(attempts: Sequence[Attempt], references: Sequence[Attempt], first: str, second: str, seed: int) -> Step:
    before, after = subject_means(attempts, SCORES[first]), subject_means(attempts, SCORES[second])
    both = [item for item in before if before[item] is not None and after.get(item) is not None]
    means = (mean([before[item] for item in both]).mean, mean([after[item] for item in both]).mean)
    gap = difference({item: after[item] for item in both}, {item: before[item] for item in both}, seed=seed)
    floor = len(both) < 2 or means == (0.0, 0.0)
    beyond = None
    if references and not floor:
        own = paired_scores(attempts, SCORES[second], SCORES[first])
        beyond = difference(own, paired_scores(references, SCORES[second], SCORES[first]), seed=seed)
    return Step(first, second, means, gap, UNDECIDABLE if floor else _verdict(gap), beyond)


def _verdict(gap: Difference) -> str:
    if gap.p is None or gap.mean is None:
        return UNDECIDABLE
    if gap.p >= LEVEL:
        return NOTHING
    return FALLS if gap.mean < 0 else RISES
