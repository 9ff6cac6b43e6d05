"""Right regions, wrong colours: what a mask would score if its own colours were known.

The mask's main colours are found without looking at the classes: flat pixels are sorted into boxes of 8 bytes a side;
the fullest box founds a colour and takes every box within `SAME` of it in OKLab, then the fullest of the rest, and so
on. Every pixel goes to its nearest main colour. These are matched with the classes by the Hungarian method, by IoU.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.masks.classes import Classes
from pixelreef.masks.diagnosis.naming import assigned
from pixelreef.masks.diagnosis.points import Table, overlaps, points
from pixelreef.masks.mend import flat_pixels
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels

SAME = 0.06  # in OKLab: shades of one colour
CLOSE = 0.06  # in OKLab: this near to a class's colour it is that colour
FLARE = 0.005
LEAST = 0.0003  # of all pixels that a main colour must have
SIDE = 256
_FLAT = 12  # bytes
_BITS = 3  # a box is 2³ bytes a side


@dataclass(frozen=True, eq=False)
class OwnColours:
    """The main colours of a mask, and the classes they stand for."""

    colours: Rgb
    """(k, 3), the largest area first."""
    names: tuple[int, ...]
    """(k,): the label each stands for; unknown where none is left for it."""
    points: float
    foreign: float
    """The share of pixels whose main colour is no class's."""

    def labels(self, rgb: Rgb, dtype: np.dtype[np.generic]) -> Labels:
        """A mask in the classes that its colours stand for."""
        return np.asarray(np.array(self.names).astype(dtype)[nearest_colour(rgb, self.colours)])


def most_colours(classes: Classes) -> int:
    """So many main colours at most are asked for."""
    return 2 * len(classes) + 8


def main_colours(rgb: Rgb, most: int) -> Rgb:
    """(k, 3): the main colours of a picture, the largest area first; none where nothing is flat."""
    opaque = np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])
    steady = rgb[flat_pixels(opaque, _FLAT)]
    boxes = np.zeros(len(steady), np.intp)
    for channel in range(3):
        boxes = boxes << (8 - _BITS) | steady[:, channel] >> _BITS
    sizes = np.bincount(boxes)
    names = np.flatnonzero(sizes)
    if not len(names):
        return np.zeros((0, 3), np.uint8)
    counts = sizes[names]
    means = np.stack([np.bincount(boxes, steady[:, channel])[names] / counts for channel in range(3)], axis=1)
    lab = oklab_from_rgb(np.rint(means).astype(np.uint8), flare=FLARE)
    found: list[NDArray[np.uint8]] = []
    left = counts.astype(np.float64)
    while len(found) < most:
        founder = int(left.argmax())
        near = (np.sqrt(((lab - lab[founder]) ** 2).sum(axis=1)) <= SAME) & (left > 0)
        if left[near].sum() < LEAST * rgb.shape[0] * rgb.shape[1] or left[founder] <= 0:
            break
        found.append(np.rint(means[founder]).astype(np.uint8))
        left[near] = 0
    return np.array(found, np.uint8).reshape(-1, 3)


def own_colours(rgb: Rgb, truth: Labels, classes: Classes, colours: Rgb | None = None) -> OwnColours:
    """The best that the regions of a mask of the truth's size can score, whatever their colours.

    Looked at on a grid of 256 pixels; `colours` are its main colours there, if they are known.
    """
    step = -(-max(truth.shape) // SIDE)
    rgb, truth = rgb[::step, ::step], truth[::step, ::step]
    areas = np.bincount(truth.ravel(), minlength=classes.void + 1)[: len(classes)]
    colours = (main_colours(rgb, most_colours(classes)) if colours is None else colours)[: 2 * (areas > 0).sum() + 8]
    if not len(colours):
        return OwnColours(colours, (), 0.0, 0.0)
    nearest = nearest_colour(rgb, colours)
    table = _table(truth, nearest, len(colours), classes)
    size = max(len(classes), len(colours))
    gains = np.zeros((size, size))
    gains[: len(classes), : len(colours)] = overlaps(table)
    names = [classes.unknown] * len(colours)
    for row, column in enumerate(assigned(gains)):
        if row < len(classes) and column < len(colours) and gains[row, column] > 0:
            names[column] = row
    renamed = np.zeros((len(classes), len(classes) + 1), np.int64)
    for column, name in enumerate(names):
        renamed[:, name] += table[:, column]
    lab, palette = oklab_from_rgb(colours, flare=FLARE), oklab_from_rgb(classes.rgb, flare=FLARE)
    foreign = np.sqrt(((lab[:, None] - palette) ** 2).sum(axis=2)).min(axis=1) > CLOSE
    area = np.bincount(nearest.ravel(), minlength=len(colours)) / nearest.size
    return OwnColours(colours, tuple(names), points(renamed), float(area[foreign].sum()))


def nearest_colour(rgb: Rgb, colours: Rgb) -> NDArray[np.intp]:
    """(H, W): the nearest of the colours, in sRGB bytes."""
    pixels = rgb.reshape(-1, 3).astype(np.float32)
    nearest, least = np.zeros(len(pixels), np.intp), np.full(len(pixels), np.inf, np.float32)
    for place, colour in enumerate(colours.astype(np.float32)):
        apart = pixels @ (-2 * colour) + (colour**2).sum()
        nearest[apart < least] = place
        np.minimum(least, apart, out=least)
    return nearest.reshape(rgb.shape[:2])


def _table(truth: Labels, nearest: NDArray[np.intp], colours: int, classes: Classes) -> Table:
    codes = truth.astype(np.intp) * colours + nearest
    table = np.bincount(codes.ravel(), minlength=(classes.void + 1) * colours)
    return table[: (classes.void + 1) * colours].reshape(-1, colours)[: len(classes)].astype(np.int64)
