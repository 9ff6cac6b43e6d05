"""One item to be answered: its truth, its classes and the photograph that a model sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pixelreef.core.render import enlarged
from pixelreef.errors import ImageError
from pixelreef.masks.classes import Classes
from pixelreef.masks.dataset import Item, MadeDataset
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


def exhibit_from_item(item: Item, classes: Classes) -> Exhibit:
    """An item of a dataset, read now."""
    photograph, truth = item.read()
    return Exhibit(truth, classes, photograph)


def exhibit_of(made: MadeDataset, seed: int, number: int) -> Exhibit:
    """Item `number` of a seed of a made dataset."""
    photograph, truth = (enlarged(np.asarray(one), made.size // made.side) for one in made.drawn(seed, number))
    return Exhibit(truth, made.classes, photograph)
