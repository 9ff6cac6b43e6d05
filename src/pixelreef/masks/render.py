"""From labels to a picture in the colours of the classes: what a perfect model would have painted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.masks.classes import Classes
from pixelreef.metrics.overlap import Labels

Rgb = NDArray[np.uint8]

NO_CLASS = (128, 128, 128)


def rgb_from_labels(labels: Labels, classes: Classes, no_class: tuple[int, int, int] = NO_CLASS) -> Rgb:
    """(H, W) labels → (H, W, 3) bytes; `unknown` and `void` are painted in `no_class`.

    >>> from pixelreef.core.palette import Palette
    >>> from pixelreef.masks.classes import classes_from_palette
    >>> two = classes_from_palette(Palette.from_hex(["000000", "ff8800"]))
    >>> rgb_from_labels(np.array([[1, two.void]]), two).tolist()
    [[[255, 136, 0], [128, 128, 128]]]
    """
    colours = np.concatenate([classes.rgb, np.array([no_class, no_class], np.uint8)])
    return np.asarray(colours[labels])
