"""What is wrong with an entrant: the diagnoses of its masks, counted and averaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pixelreef.errors import InputError


class Diagnosed(Protocol):
    """What is counted of a `Diagnosis`, and of anything of that shape."""

    @property
    def verdict(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def split(self) -> Mapping[str, float]: ...
    @property
    def points(self) -> Mapping[str, float]: ...


@dataclass(frozen=True)
class Verdicts:
    """The diagnoses of one entrant."""

    masks: int
    counts: Mapping[str, int]
    """Verdict → masks, the commonest first."""
    score: float
    """Points, the mean over masks."""
    split: Mapping[str, float]
    """Family → lost points, the mean over masks, largest first; adds up to 100 − score."""
    points: Mapping[str, float]
    """Repair → points that it alone would bring back, the mean over masks; 0 where it was not asked for."""

    @property
    def words(self) -> str:
        """For people: the commonest verdicts with their shares.

        >>> Verdicts(4, {"shifted": 3, "region": 1}, 60.0, {}, {}).words
        'shifted 75%, region 25%'
        """
        return ", ".join(f"{name} {count / self.masks:.0%}" for name, count in list(self.counts.items())[:3])


def verdicts(diagnoses: Sequence[Diagnosed]) -> Verdicts:
    """Count and average."""
    if not diagnoses:
        raise InputError("diagnoses", "be at least one", 0)
    counts = Counter(one.verdict for one in diagnoses)
    score = sum(one.score for one in diagnoses) / len(diagnoses)
    return Verdicts(
        len(diagnoses),
        dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))),
        score,
        _means([one.split for one in diagnoses]),
        _means([one.points for one in diagnoses]),
    )


def _means(each: Sequence[Mapping[str, float]]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for one in each:
        for name, value in one.items():
            sums[name] = sums.get(name, 0.0) + value
    return {name: total / len(each) for name, total in sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))}
