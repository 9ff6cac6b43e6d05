"""Everything that a report of masks says in figures, worked out once: page, document and tables all read it from here.

found = analyse(scores, controls=["truth", "noise"], seed=0)
found.entrants[0].measures["mean_iou_union"]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pixelreef.masks.diagnosis.verdicts import Verdicts
from pixelreef.masks.measures import EDGES, PRIMARY, QUALITY, SIGNS
from pixelreef.masks.score import Scores
from pixelreef.masks.standings import Standing, differences, standings
from pixelreef.metrics.summary import Difference, Summary

MOST_PAIRED = 8
"""Entrants of which every two are compared; of more, each with the best only."""
ACCURACY = "pixel_accuracy"


@dataclass(frozen=True, eq=False)
class Entrant:
    """One entrant, and every figure about it."""

    standing: Standing
    is_control: bool
    seed: int

    @property
    def name(self) -> str:
        return self.standing.entrant

    @cached_property
    def measures(self) -> Mapping[str, Summary]:
        """Every measure under the primary decoder, failures 0."""
        return {name: self.standing.mean(name, seed=self.seed) for name in self._measured}

    @cached_property
    def valid(self) -> Mapping[str, Summary]:
        """The leading measures over the attempts that did not fail."""
        return {name: self.standing.mean(name, valid=True, seed=self.seed) for name in (ACCURACY, PRIMARY)}

    @cached_property
    def sensitivity(self) -> Mapping[str, Summary]:
        """Decoder → the primary measure."""
        return self.standing.sensitivity(seed=self.seed)

    @cached_property
    def failures(self) -> Mapping[str, Summary]:
        """`any` and every kind of failure → its rate."""
        return self.standing.failure_rates(seed=self.seed)

    @cached_property
    def ceiling(self) -> Summary | None:
        return self.standing.ceiling(seed=self.seed)

    @cached_property
    def share_of_ceiling(self) -> Summary | None:
        return self.standing.share_of_ceiling(seed=self.seed)

    @cached_property
    def best_of(self) -> Mapping[int, Summary]:
        """k → the expected best of k attempts; the last k is all of them, an oracle."""
        most = self.standing.most_attempts
        return {
            k: self.standing.best_of(k, seed=self.seed) for k in sorted({k for k in (2, 3, 5, most) if 1 < k <= most})
        }

    @cached_property
    def voted(self) -> Summary | None:
        return self.standing.voted(seed=self.seed)

    @cached_property
    def whole(self) -> Mapping[str, float]:
        """The measures of the data set as one picture."""
        return self.standing.whole()

    @cached_property
    def per_class(self) -> Mapping[str, Mapping[str, float]]:
        return self.standing.per_class()

    @cached_property
    def verdicts(self) -> Verdicts | None:
        return self.standing.verdicts()

    @property
    def _measured(self) -> list[str]:
        there = self.standing.scores()[0][1].measures
        return [name for name in (*QUALITY, *EDGES, *SIGNS) if name in there]


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found, the best entrant first."""

    scores: Scores
    everyone: Sequence[Entrant]
    """Entrants and controls."""
    seed: int

    @cached_property
    def entrants(self) -> Sequence[Entrant]:
        """Those that are no controls."""
        return [one for one in self.everyone if not one.is_control]

    @cached_property
    def controls(self) -> Sequence[Entrant]:
        return [one for one in self.everyone if one.is_control]

    @property
    def decoders(self) -> tuple[str, ...]:
        return tuple(decoder.name for decoder in self.scores.settings.decoders)

    @cached_property
    def differences(self) -> Mapping[tuple[str, str], Difference]:
        """(first, second) → first − second on the same images, by the primary measure; controls are left out."""
        board = [one.standing for one in self.entrants]
        if len(board) <= MOST_PAIRED:
            return differences(board, seed=self.seed)
        return {
            pair: gap for other in board[1:] for pair, gap in differences([board[0], other], seed=self.seed).items()
        }


def analyse(scores: Scores, controls: Collection[str] = (), seed: int = 0) -> Analysis:
    """Everything, worked out when it is first asked for."""
    made = [Entrant(one, one.entrant in controls, seed) for one in standings(scores)]
    return Analysis(scores, made, seed)
