"""The ceiling: what the truth itself would score, had it come the way that a prediction came.

    truth → at the prediction's size → painted in class colours → soft edges → JPEG as the prediction's → decoded

A JPEG prediction lends its own quantisation tables and subsampling. Any other kind of file gets the soft edges of
`soften` alone. A score is shown as it is and as a share of this ceiling; a prediction with harder edges than those
assumed here may have a share above 1, which is shown and not cut.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock

import numpy as np

from pixelreef.core.images import MAX_PIXELS, opened
from pixelreef.errors import InputError
from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import decode, labels_at
from pixelreef.masks.decoder import ROBUST, Decoder
from pixelreef.masks.render import Rgb, rgb_from_labels
from pixelreef.masks.soften import Jpeg, jpeg_from_file, softened, through_jpeg
from pixelreef.metrics.overlap import Counts, Labels, count

_CLEAR = 1e-9  # a ceiling below this has no shares
_MOST, _MOST_BYTES = 64, 2**24  # ceilings remembered, and their bytes: 64 masks of 512 × 512
_REMEMBERED: OrderedDict[Hashable, Labels] = OrderedDict()
_LOCK = Lock()


@dataclass(frozen=True)
class Way:
    """How a prediction came: its size and how it was saved."""

    size: tuple[int, int] | None = None
    """(width, height); None: the truth's."""
    soft: bool = True
    jpeg: Jpeg | None = None

    @property
    def words(self) -> str:
        """For people.

        >>> Way((640, 480), jpeg=Jpeg(75)).words
        '640 × 480, soft edges, JPEG 4:2:0, quality 75'
        """
        size = f"{self.size[0]} × {self.size[1]}" if self.size else "size of the truth"
        return ", ".join([size, *["soft edges"] * self.soft, *([self.jpeg.words] if self.jpeg else [])])


def way_from_file(data: bytes, what: str = "image", max_pixels: int = MAX_PIXELS) -> Way:
    """The way of a prediction, told from the head of its file."""
    with opened(data, what, max_pixels) as image:
        size = (image.width, image.height)
        turned = image.getexif().get(0x0112, 1) in (5, 6, 7, 8)  # on its side
    return Way(size[::-1] if turned else size, True, jpeg_from_file(data, what, max_pixels))


def sent(truth: Labels, classes: Classes, way: Way) -> Rgb:
    """The truth as a picture that came this way, (height, width, 3) bytes."""
    shape = way.size[::-1] if way.size else (truth.shape[0], truth.shape[1])
    rgb = rgb_from_labels(labels_at(truth, shape)[0], classes)
    if way.soft:
        rgb = softened(rgb)
    return through_jpeg(rgb, way.jpeg) if way.jpeg else rgb


def ceiling(truth: Labels, classes: Classes, way: Way | None = None, decoder: Decoder = ROBUST) -> Counts:
    """The counts of the truth that came this way against itself; every overlap measure can be had of them."""
    labels = labels_of_ceiling(truth, classes, way or Way(), decoder)
    return count(truth, labels, len(classes), [classes.void])


def labels_of_ceiling(truth: Labels, classes: Classes, way: Way, decoder: Decoder) -> Labels:
    """What is decoded of the truth that came this way, at the truth's size, not to be written to.

    The last ones are remembered: the entrants of a board come one after another with the same truth, and are asked for
    their ceiling and for their faults.
    """
    key = (hashlib.sha256(truth.tobytes()).digest(), truth.shape, str(truth.dtype), classes, way, decoder)
    with _LOCK:
        if key in _REMEMBERED:
            return _REMEMBERED[key]
    labels = decode(sent(truth, classes, way), classes, decoder).labels
    fitted = labels_at(labels, (truth.shape[0], truth.shape[1]))[0]
    fitted.flags.writeable = False
    with _LOCK:
        _REMEMBERED[key] = fitted
        while len(_REMEMBERED) > _MOST or sum(one.nbytes for one in _REMEMBERED.values()) > _MOST_BYTES:
            _REMEMBERED.popitem(last=False)
    return fitted


def share_of_ceiling(score: float, top: float) -> float:
    """A score as a share of its ceiling, not cut at 1; NaN where the ceiling is 0 or unknown.

    Range: from 0. Direction: higher is better. Empty: NaN without a ceiling.

    >>> share_of_ceiling(0.45, 0.9), share_of_ceiling(1.0, 0.8)
    (0.5, 1.25)
    """
    if not (np.isnan(top) or 0 <= top <= 1):
        raise InputError("ceiling", "be from 0 to 1", top)
    return float("nan") if np.isnan(top) or top < _CLEAR else score / top
