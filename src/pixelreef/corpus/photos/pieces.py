"""The pieces of a mask: which of them is the subject, and what belongs to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.bool_]

RIVAL = 1 / 3  # of the largest piece's area, from which another may be the subject
CUT_OFF = 0.5  # what a piece that the picture's frame cuts counts, against one that is whole
SMALL, LARGE = 0.02, 0.25  # shares of the subject's area between which a nearby piece belongs to it
NEAR = 0.008  # of the picture's longer side: how near, 5 pixels of 640


def main_piece(mask: Bits) -> Bits:
    """The main piece, and the smaller ones beside it; all False for an empty mask.

    Of the largest pieces the main one has the largest circle inside, and is most filled by it: several creatures that
    touch make a large piece, but a thin one. A piece that the frame cuts counts half. A piece nearly as large as the
    subject is another subject, and is left out.

    >>> main_piece(np.array([[1, 1, 1, 1, 0, 1, 0]], bool)).tolist()
    [[True, True, True, True, False, False, False]]
    """
    from scipy import ndimage

    labels, count = ndimage.label(mask, np.ones((3, 3)))
    if count <= 1:
        return np.asarray(mask)
    areas = np.bincount(labels.ravel(), minlength=count + 1).astype(np.float64)
    numbers = np.arange(count + 1)
    circles = np.asarray(ndimage.maximum(ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1], labels, numbers))
    weights = circles**3 / np.sqrt(np.maximum(areas, 1))  # the circle's area, times how much of the piece it fills
    areas[0] = 0
    weights[areas < RIVAL * areas.max()] = 0
    framed = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    weights[framed] *= CUT_OFF
    main = int(weights.argmax())
    away = ndimage.distance_transform_edt(labels != main)
    nearest = np.asarray(ndimage.minimum(away, labels, numbers))
    shares = areas / areas[main]
    belongs = (shares >= SMALL) & (shares <= LARGE) & (nearest <= NEAR * max(mask.shape))
    belongs[0], belongs[main] = False, True
    return np.asarray(belongs[labels])


def resized(mask: Bits, size: tuple[int, int]) -> Bits:
    """The mask at another (width, height): True where at least half of what a pixel covers is."""
    from PIL import Image

    if (mask.shape[1], mask.shape[0]) == size:
        return mask
    image = Image.fromarray(mask.astype(np.uint8) * 255)
    larger = size[0] > mask.shape[1]
    return np.asarray(image.resize(size, Image.Resampling.BICUBIC if larger else Image.Resampling.BOX)) >= 128
