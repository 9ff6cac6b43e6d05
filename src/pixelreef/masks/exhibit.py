"""One item to be answered: its truth, its classes and the photograph that a model sees."""

from __future__ import annotations

from dataclasses import dataclass

from pixelreef.errors import ImageError
from pixelreef.masks.classes import Classes
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels


@dataclass(frozen=True, eq=False)
class Exhibit:
    """Truth labels (H, W), with `classes.void` where ignored, and the photograph (H, W, 3) of the same size, if any."""

    truth: Labels
    classes: Classes
    photograph: Rgb | None = None

    def __post_init__(self) -> None:
        if self.photograph is not None and self.photograph.shape != (*self.truth.shape, 3):
            raise ImageError("photograph", "be (H, W, 3) of the truth's size", self.photograph.shape)
