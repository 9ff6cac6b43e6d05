"""One mask under examination: everything at the truth's size, and what several questions need of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.images import MAX_PIXELS
from pixelreef.errors import ImageError
from pixelreef.masks.ceiling import Way, labels_of_ceiling
from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import decode, labels_at
from pixelreef.masks.decoder import ROBUST, Decoder
from pixelreef.masks.diagnosis.own_colours import SIDE, main_colours, most_colours
from pixelreef.masks.diagnosis.points import points, table_of
from pixelreef.masks.render import Rgb
from pixelreef.metrics.boundary import CONTOUR_SHARE, width_from_share
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes


class Case:
    """A prediction, its truth and its photograph. `way` is how the prediction came, for its ceiling."""

    def __init__(
        self,
        prediction: Rgb,
        truth: Labels,
        classes: Classes,
        photograph: Rgb | None = None,
        decoder: Decoder = ROBUST,
        way: Way | None = None,
    ) -> None:
        if truth.ndim != 2 or not 0 < truth.size <= MAX_PIXELS:
            raise ImageError("truth", f"be (H, W) of 1 to {MAX_PIXELS:,} pixels", truth.shape)
        self.truth, self.classes, self.decoder, self.way = truth, classes, decoder, way or Way()
        self.labels = self.decoded(prediction)
        self.rgb = fitted(prediction, truth)
        self.photograph = None if photograph is None else fitted(photograph, truth)
        self.score = points(table_of(truth, self.labels, classes))

    def decoded(self, picture: Rgb) -> Labels:
        """A picture's labels at the truth's size."""
        labels = decode(picture, self.classes, self.decoder).labels
        return labels_at(labels, (self.truth.shape[0], self.truth.shape[1]))[0]

    def points(self, labels: Labels) -> float:
        """100 · mean IoU over the union."""
        return self.score if labels is self.labels else points(table_of(self.truth, labels, self.classes))

    @cached_property
    def ceiling(self) -> Labels:
        """What is decoded of the truth that came the same way."""
        return labels_of_ceiling(self.truth, self.classes, self.way, self.decoder)

    @cached_property
    def areas(self) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """(classes,): pixels of each in the truth."""
        return np.bincount(self.truth.ravel(), minlength=self.classes.void + 1)[: len(self.classes)]

    @cached_property
    def colours(self) -> Rgb:
        """(k, 3): the main colours of the picture, on the grid on which colours are looked at."""
        step = -(-max(self.truth.shape) // SIDE)
        return main_colours(self.rgb[::step, ::step], most_colours(self.classes))

    def edges(self, labels: Labels) -> float:
        """Points that come back if everything near a border of the truth were right."""
        mended = labels.copy()
        mended[self._band] = self.truth[self._band]
        return max(0.0, self.points(mended) - self.points(labels))

    @cached_property
    def _band(self) -> NDArray[np.bool_]:
        """Pixels near a border of the truth that are not ignored."""
        least, largest = window_extremes(self.truth, width_from_share(self.truth.shape, CONTOUR_SHARE))
        return np.asarray((least != largest) & (self.truth != self.classes.void))


def fitted(picture: Rgb, truth: Labels) -> Rgb:
    """(H, W, 3) at the truth's size, by the nearest pixel."""
    if picture.ndim != 3 or picture.shape[2] not in (3, 4):
        raise ImageError("picture", "be a (H, W, 3 or 4) array", picture.shape)
    if picture.shape[:2] == truth.shape:
        return picture[..., :3]
    places = np.arange(picture.shape[0] * picture.shape[1], dtype=np.int64).reshape(picture.shape[:2])
    chosen = labels_at(places, (truth.shape[0], truth.shape[1]))[0]
    return np.asarray(picture.reshape(-1, picture.shape[2])[chosen][..., :3])
