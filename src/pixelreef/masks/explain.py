"""What is said of one attempt beside its score: the ceiling of the way it came, and why it is wrong.

Both cost more than the score itself and are worked out only where they are asked for. All attempts at one item share an
`Explainer`, so that predictions which came the same way (size, kind of file) have their ceiling worked out once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pixelreef.core.images import Picture
from pixelreef.masks.ceiling import Way, ceiling, way_from_file
from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import LARGE, thinned
from pixelreef.masks.decoder import Decoder
from pixelreef.masks.diagnosis.diagnose import diagnose
from pixelreef.masks.diagnosis.findings import Diagnosis, Finding
from pixelreef.masks.measures import measures_from_counts
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels


@dataclass(frozen=True)
class Why:
    """A diagnosis without its arrays, small enough to be kept for every mask and sent between processes."""

    verdict: str
    words: str
    score: float
    """Points: 100 · mean IoU over the union of what was decoded, whether or not it counts as failed."""
    points: Mapping[str, float]
    """Repair → points that it alone would bring back."""
    split: Mapping[str, float]
    """Lost points by family; adds up to 100 − score."""
    findings: tuple[Finding, ...] = ()

    def with_labels(self, labels: Labels) -> Diagnosis:
        """The diagnosis as it was; `labels` are those decoded, at the truth's size."""
        return Diagnosis(self.verdict, self.words, self.score, self.findings, self.points, self.split, labels)


@dataclass(eq=False)
class Explainer:
    """One item's truth, its photograph if there is one, and the ceilings worked out so far."""

    truth: Labels
    classes: Classes
    decoder: Decoder
    photograph: Rgb | None = None

    def __post_init__(self) -> None:
        self._ceilings: dict[Way, Mapping[str, float]] = {}

    def way(self, data: bytes) -> Way:
        """How a prediction came; that of a picture too large to be worth painting is of the truth's size."""
        found = way_from_file(data)
        large = found.size is not None and found.size[0] * found.size[1] > LARGE
        return Way(None, found.soft, found.jpeg) if large else found

    def ceiling(self, way: Way) -> Mapping[str, float]:
        """The overlap measures of the truth that came this way."""
        if way not in self._ceilings:
            self._ceilings[way] = measures_from_counts(ceiling(self.truth, self.classes, way, self.decoder))
        return self._ceilings[way]

    def why(self, picture: Picture, way: Way) -> Why:
        """Why a mask is wrong."""
        pixels, _ = thinned(picture.rgba, (self.truth.shape[0], self.truth.shape[1]))
        found = diagnose(pixels, self.truth, self.classes, self.photograph, self.decoder, way)
        return Why(found.verdict, found.words, found.score, found.points, found.split, found.findings)
