"""From the scores of single masks to how an entrant stands: means with intervals, rates of failure, differences.

Images are what varies: attempts at one image are averaged first, and intervals are bootstrapped over images. Every
figure counts failures as 0, and can also be had over the attempts that did not fail (`valid`), which is another
question and stands beside the rate of failures. Best of k is unbiased (`metrics.summary.best_of`); with k as large as
the number of attempts it is the oracle: the best attempt, chosen by someone who knows the truth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

from pixelreef.errors import InputError
from pixelreef.masks.ceiling import share_of_ceiling
from pixelreef.masks.classes import Classes
from pixelreef.masks.diagnosis.verdicts import Verdicts, verdicts
from pixelreef.masks.explain import Why
from pixelreef.masks.item import AttemptScore, ItemScores, MaskScore
from pixelreef.masks.measures import FAILURES, PRIMARY, SIGNS, measures_from_counts
from pixelreef.masks.score import Scores
from pixelreef.metrics import overlap, summary
from pixelreef.metrics.overlap import Confusion, Counts
from pixelreef.metrics.summary import Difference, Summary

NO_PICTURE = {
    "missing": "no file",
    "refused": "refused",
    "error": "call failed",
    "timeout": "no answer in time",
    "unreadable": "unreadable",
}
"""The verdict on an attempt of which there is nothing to look at."""
LOST_TO_FAILURE = "failed"


@dataclass(frozen=True, eq=False)
class Standing:
    """One entrant over all items."""

    entrant: str
    items: Sequence[ItemScores]
    classes: Classes
    decoders: tuple[str, ...]
    """By name; the first is the primary one."""
    confusion: Confusion

    @property
    def attempts(self) -> list[AttemptScore]:
        """All of them, by item."""
        return [attempt for item in self.items for attempt in item.attempts]

    @property
    def most_attempts(self) -> int:
        """At any one item."""
        return max(len(item.attempts) for item in self.items)

    def scores(self, decoder: str | None = None) -> list[tuple[str, MaskScore]]:
        """(item, score) of every attempt under a decoder, the primary one unless named."""
        name = decoder or self.decoders[0]
        if name not in self.decoders:
            raise InputError("decoder", f"be one of {', '.join(self.decoders)}", name)
        return [(attempt.item, attempt.scores[name]) for attempt in self.attempts]

    def mean(
        self, measure: str = PRIMARY, *, decoder: str | None = None, valid: bool = False, seed: int = 0
    ) -> Summary:
        """The mean over images of a measure, attempts at one image averaged; failures are 0, or left out if `valid`."""
        chosen = [(item, score) for item, score in self.scores(decoder) if not (valid and score.failure)]
        values = [_value(score.measures, measure) for _, score in chosen]
        bounds = None if measure in SIGNS else (0.0, 1.0)
        return summary.mean(values, clusters=[item for item, _ in chosen], bounds=bounds, seed=seed)

    def sensitivity(self, measure: str = PRIMARY, seed: int = 0) -> dict[str, Summary]:
        """Decoder → the mean under it: how much of a score is the decoder's doing."""
        return {name: self.mean(measure, decoder=name, seed=seed) for name in self.decoders}

    def failure_rates(self, seed: int = 0) -> dict[str, Summary]:
        """Every kind of failure, and `any`, → the share of attempts."""
        scores = self.scores()
        items = [item for item, _ in scores]
        rates = {
            kind: summary.clustered_share([float(score.failure == kind) for _, score in scores], items, seed=seed)
            for kind in FAILURES
        }
        failed = [float(score.failure is not None) for _, score in scores]
        return {"any": summary.clustered_share(failed, items, seed=seed), **rates}

    def best_of(self, k: int, measure: str = PRIMARY, seed: int = 0) -> Summary:
        """The mean over images of the expected best of k attempts, unbiased; failures are 0."""
        values = []
        for item in self.items:
            each = [_value(attempt.scores[self.decoders[0]].measures, measure) for attempt in item.attempts]
            values.append(summary.best_of(each, k).value)
        return summary.mean(values, bounds=(0, 1), seed=seed)

    def voted(self, measure: str = PRIMARY, seed: int = 0) -> Summary | None:
        """The mean over images of the majority vote; None when no item has several attempts."""
        votes = [item.vote for item in self.items if item.vote is not None]
        if not votes:
            return None
        return summary.mean([_value(vote.measures, measure) for vote in votes], bounds=(0, 1), seed=seed)

    def ceiling(self, measure: str = PRIMARY, seed: int = 0) -> Summary | None:
        """The mean over images of what the truth would score, had it come as this entrant's pictures came.

        None where ceilings were not worked out.
        """
        tops = [(one.item, one.ceiling) for one in self.attempts if one.ceiling is not None]
        if not tops:
            return None
        values = [_value(top, measure) for _, top in tops]
        return summary.mean(values, clusters=[item for item, _ in tops], bounds=(0, 1), seed=seed)

    def share_of_ceiling(self, measure: str = PRIMARY, seed: int = 0) -> Summary | None:
        """The mean over images of the score as a share of its ceiling, above 1 where it is; failures have 0.

        None where ceilings were not worked out.
        """
        if all(one.ceiling is None for one in self.attempts):
            return None
        shares = [self._share(one, measure) for one in self.attempts]
        return summary.mean(shares, clusters=[one.item for one in self.attempts], bounds=(0, math.inf), seed=seed)

    def _share(self, one: AttemptScore, measure: str) -> float | None:
        score = one.scores[self.decoders[0]]
        value = _value(score.measures, measure)
        if score.failure is not None:
            return 0.0
        if one.ceiling is None or value is None or (top := _value(one.ceiling, measure)) is None:
            return None
        share = share_of_ceiling(value, top)
        return None if math.isnan(share) else share

    def verdicts(self) -> Verdicts | None:
        """Every attempt's verdict, and where the points that the primary figure lacks went; None if none was asked for.

        What is no picture is a verdict of its own. Of a failure all points are lost: those that its pixels would have
        had are counted as lost to the failure.
        """
        if all(one.why is None for one in self.attempts):
            return None
        return verdicts([self._why(one) for one in self.attempts])

    def _why(self, one: AttemptScore) -> Why:
        failure = one.scores[self.decoders[0]].failure
        if one.why is None:
            name = NO_PICTURE.get(failure or "", "not examined")
            return Why(name, name, 0.0, {}, {LOST_TO_FAILURE: 100.0})
        if failure is None or one.why.score == 0:
            return one.why
        split = {**one.why.split, LOST_TO_FAILURE: one.why.score}
        return replace(one.why, score=0.0, split=split)

    def counts(self, *, decoder: str | None = None, valid: bool = False) -> Counts:
        """The pixels of all attempts as those of one picture; failures unknown throughout, or left out if `valid`."""
        chosen = [score.counts for _, score in self.scores(decoder) if not (valid and score.failure)]
        return sum(chosen, Counts.none(len(self.classes)))

    def whole(self, *, decoder: str | None = None, valid: bool = False) -> dict[str, float]:
        """The measures of the data set as one picture; NaN where there is none. Borders by the primary decoder."""
        chosen = [score for _, score in self.scores(decoder) if not (valid and score.failure)]
        known = [score.borders for score in chosen if score.borders is not None]
        borders = reduce(add, known) if known and len(known) == len(chosen) else None
        return measures_from_counts(self.counts(decoder=decoder, valid=valid), borders)

    def per_class(self) -> dict[str, dict[str, float]]:
        """Class → IoU, F1, precision, recall and share of the truth, over the data set; NaN where there is none."""
        counts = self.counts()
        columns = {
            "iou": overlap.iou(counts),
            "f1": overlap.f1(counts),
            "precision": overlap.precision(counts),
            "recall": overlap.recall(counts),
            "share": counts.truth / max(counts.pixels, 1),
        }
        return {
            name: {column: float(values[label]) for column, values in columns.items()}
            for label, name in enumerate(self.classes.names)
        }

    def by_item(self, measure: str = PRIMARY) -> dict[str, float | None]:
        """Item → the mean of its attempts; None where there is no value."""
        found: dict[str, float | None] = {}
        for item in self.items:
            each = [_value(attempt.scores[self.decoders[0]].measures, measure) for attempt in item.attempts]
            there = [value for value in each if value is not None]
            found[item.item] = math.fsum(there) / len(there) if there else None
        return found


def standings(scores: Scores) -> list[Standing]:
    """Every entrant, the best by the primary figure first; of equals by name."""
    names = tuple(decoder.name for decoder in scores.settings.decoders)
    made = [
        Standing(name, items, scores.classes, names, scores.confusions[name]) for name, items in scores.entrants.items()
    ]
    means = {one.entrant: one.by_item() for one in made}
    return sorted(made, key=lambda one: (-_plain_mean(means[one.entrant]), one.entrant))


def differences(board: Sequence[Standing], measure: str = PRIMARY, seed: int = 0) -> dict[tuple[str, str], Difference]:
    """(first, second) → first − second on the same images, of every two entrants in the order of the board."""
    each = [(one.entrant, one.by_item(measure)) for one in board]
    return {
        (first, second): summary.difference(ours, theirs, seed=seed)
        for place, (first, ours) in enumerate(each)
        for second, theirs in each[place + 1 :]
    }


def _value(measures: Mapping[str, float], measure: str) -> float | None:
    if measure not in measures:
        raise InputError("measure", f"be one of {', '.join(sorted(measures))}", measure)
    return None if math.isnan(measures[measure]) else measures[measure]


def _plain_mean(values: Mapping[str, float | None]) -> float:
    there = [value for value in values.values() if value is not None]
    return math.fsum(there) / len(there) if there else -1.0
