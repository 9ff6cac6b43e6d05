"""The words of a diagnosis: faults, findings, and what is said of one mask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pixelreef.masks.diagnosis.drawn import Box
from pixelreef.masks.diagnosis.geometry import Move
from pixelreef.metrics.overlap import Labels

FAMILIES = {
    "swapped": "left and right",
    "shifted": "geometry",
    "flipped": "geometry",
    "scaled": "geometry",
    "own colours": "colours",
    "permuted": "naming",
    "legend": "picture",
    "missing": "missing classes",
    "photograph": "picture",
    "outlines": "picture",
    "blank": "picture",
    "painted over": "picture",
    "noise": "picture",
}
"""Every fault with a name, and what its points are counted as. Of repairs the plainest stands first."""

CLEAN, REGION = "clean", "region"


@dataclass(frozen=True)
class Finding:
    """A fault with a name."""

    fault: str
    words: str
    evidence: float
    """For a repair the share of the lost points that it brings back, for `missing` the share of classes gone."""
    threshold: float
    points: float | None = None
    """That come back; None for a fault that can't be repaired."""
    move: Move | None = None
    box: Box | None = None


@dataclass(frozen=True, eq=False)
class Repair:
    """A finding that may be named, with the labels as they would then be."""

    finding: Finding
    labels: Labels

    @property
    def gain(self) -> float:
        """Points that come back, 0 where that can't be said."""
        return max(0.0, self.finding.points or 0.0)


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What is wrong with one mask."""

    verdict: str
    """A fault of `FAMILIES`, `clean` or `region`."""
    words: str
    score: float
    """Points: 100 · mean IoU over the union, under the decoder."""
    findings: tuple[Finding, ...]
    """The first is the verdict; the others were found after it was repaired."""
    points: Mapping[str, float]
    """Repair → points that it alone would bring back, named or not; empty where what came back can't be repaired."""
    split: Mapping[str, float]
    """Lost points by family, `edges` and `region` last; adds up to 100 − score."""
    labels: Labels = field(repr=False)
    """As decoded, at the truth's size."""
