"""What was drawn beside the point: outlines in place of areas, a legend inside the mask.

**Outlines only.** Of the area that is not the ground (the mask's commonest colour), how much lies inside a flat patch
of `THICK` pixels? A mask has about as much of it as the truth; outlines have next to none, and cover the borders of the
truth's areas.

**A legend** is a row or a column of at least three filled rectangles of about one size, each of a class of its own, of
which at least two don't belong there. Its box is theirs, grown over the wrong pixels that hang together with them (the
names, the panel); the points that come back are those of the mask with the truth in that box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import oklab_from_rgb
from pixelreef.masks.classes import Classes
from pixelreef.masks.diagnosis.own_colours import FLARE, SAME, nearest_colour
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels
from pixelreef.metrics.windows import window_extremes

Bits = NDArray[np.bool_]

THICK = 1 / 64  # of the longer side: patches wider than this are areas
COVERED = 0.4  # of the truth's borders that outlines must have ink on
MOST_INK = 0.6  # of the picture
THIN = 0.2  # of the ink at most that may lie in such patches
_INK_STEP = 40  # bytes off the ground
_ENOUGH = 10_000  # pixels to take the median of
_SIDE = 256
_LEAST_SWATCH, _MOST_SWATCH = 3, 40  # pixels a side, of 256
_FULL = 0.88  # of its bounding box that a swatch fills
_MARGIN = 2  # pixels about a colour, so that the edge of what is looked at is not its own
_OWN = 0.3  # of a swatch that may be right for it to be wrong
_OTHERS = 2  # times as many wrong ones of their size as in the row: a ragged mask has such squares everywhere
_SWATCHES, _WRONG = 3, 2  # of them at least, and of those that are not right
_MOST_BOX = 0.5  # of the picture that a legend may take


@dataclass(frozen=True)
class Box:
    """Rows and columns, ends excluded, of the truth."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def place(self) -> tuple[slice, slice]:
        """To index an array with."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def outline_evidence(rgb: Rgb, truth: Labels, classes: Classes) -> float:
    """1 − the mask's flat area as a share of the truth's, where its ink lies on the rims of those; 0 elsewhere.

    Range: 0 to 1. Direction: higher is more like outlines only. Empty: 0 where the truth has no area but its ground.
    """
    ink, radius = _ink(rgb), max(1, round(THICK * max(truth.shape) / 2))
    if ink.mean() > MOST_INK:
        return 0.0
    theirs, rim = _patches(truth, classes, radius)
    if not rim.any() or _spread(ink)[rim].mean() < COVERED:
        return 0.0
    ours = _areas(rgb, ink, radius)
    return max(0.0, 1 - ours / theirs) if ours <= THIN * ink.mean() else 0.0


def legend_box(rgb: Rgb, labels: Labels, truth: Labels, classes: Classes, colours: Rgb) -> Box | None:
    """Where a legend is drawn, if there is one; swatches are looked for in the colours, which no decoder has mended.

    `colours` are the main ones of the picture. The colours of the truth's classes are looked for too: a swatch may be
    all that there is of one.
    """
    step = -(-max(truth.shape) // _SIDE)
    small, ours, theirs = rgb[::step, ::step], labels[::step, ::step], truth[::step, ::step]
    wrong = (ours != theirs) & (theirs != classes.void)
    if not wrong.any():
        return None
    colours = _with_classes(colours, classes, truth)
    painted = nearest_colour(small, colours)
    names = nearest_colour(colours[None], classes.rgb)[0]
    found = [
        one for place, label in enumerate(names) for one in _swatches(painted == place, theirs == label, int(label))
    ]
    rows = _row(found)
    if not rows:
        return None
    box = _grown(_around([one.box for one in rows]), wrong)
    if (box.bottom - box.top) * (box.right - box.left) > _MOST_BOX * wrong.size:
        return None
    return Box(box.top * step, box.bottom * step, box.left * step, box.right * step)


def _with_classes(colours: Rgb, classes: Classes, truth: Labels) -> Rgb:
    """The colours, and those of the truth's classes that are none of them."""
    there = np.bincount(truth.ravel(), minlength=classes.void + 1)[: len(classes)] > 0
    if len(colours):
        lab, palette = oklab_from_rgb(colours, flare=FLARE), oklab_from_rgb(classes.rgb, flare=FLARE)
        there &= np.sqrt(((palette[:, None] - lab) ** 2).sum(axis=2)).min(axis=1) > SAME
    return np.concatenate([colours, classes.rgb[there]])


@dataclass(frozen=True)
class _Swatch:
    label: int
    box: Box
    wrong: bool

    @property
    def size(self) -> tuple[int, int]:
        return self.box.bottom - self.box.top, self.box.right - self.box.left


def _swatches(area: Bits, right: Bits, label: int) -> list[_Swatch]:
    """The pieces of a predicted class that are filled rectangles; lines that hang on them, as of letters, are cut."""
    from scipy.ndimage import find_objects
    from scipy.ndimage import label as pieces_of

    rows, columns = (np.flatnonzero(area.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return []
    top, left = max(0, rows[0] - _MARGIN), max(0, columns[0] - _MARGIN)
    area, right = (one[top : rows[-1] + 1 + _MARGIN, left : columns[-1] + 1 + _MARGIN] for one in (area, right))
    pieces, _ = pieces_of(_spread(_core(area)))
    found = []
    for number, place in enumerate(find_objects(pieces), 1):
        box = Box(place[0].start, place[0].stop, place[1].start, place[1].stop)
        tall, wide = box.bottom - box.top, box.right - box.left
        if not (_LEAST_SWATCH <= tall <= _MOST_SWATCH and _LEAST_SWATCH <= wide <= _MOST_SWATCH):
            continue
        piece = pieces[place] == number
        if piece.mean() >= _FULL:
            box = Box(box.top + top, box.bottom + top, box.left + left, box.right + left)
            found.append(_Swatch(label, box, bool(right[place][piece].mean() <= _OWN)))
    return found


def _row(swatches: Sequence[_Swatch]) -> list[_Swatch]:
    """The longest row or column of swatches of one size and different classes; empty if shorter than three."""
    best: list[_Swatch] = []
    labels, wrong = (np.array([getattr(one, name) for one in swatches]) for name in ("label", "wrong"))
    sizes = np.array([one.size for one in swatches]).reshape(-1, 2)
    corners = np.array([(one.box.left, one.box.top) for one in swatches]).reshape(-1, 2)
    for size, corner in zip(sizes, corners, strict=True):
        # To a pixel, or a quarter: JPEG eats into a swatch as the colours beside it have it.
        alike = (np.abs(sizes - size) <= np.maximum(1, np.rint(size / 4))).all(axis=1)
        strays = np.count_nonzero(wrong[alike])
        for level in (np.abs(corners - corner) <= 1).T:
            aligned = np.flatnonzero(alike & level)
            names, strange = set(labels[aligned]), set(labels[aligned][wrong[aligned]])
            enough = len(names) >= max(_SWATCHES, len(best) + 1) and len(strange) >= _WRONG
            row = [swatches[place] for place in aligned.tolist()] if enough and strays <= _OTHERS * len(aligned) else []
            if row and _apart(row):
                best = row
    return best


def _apart(swatches: Sequence[_Swatch]) -> bool:
    return all(
        a.box.bottom <= b.box.top or b.box.bottom <= a.box.top or a.box.right <= b.box.left or b.box.right <= a.box.left
        for a, b in combinations(swatches, 2)
    )


def _around(boxes: Sequence[Box]) -> Box:
    return Box(
        min(box.top for box in boxes),
        max(box.bottom for box in boxes),
        min(box.left for box in boxes),
        max(box.right for box in boxes),
    )


def _grown(box: Box, wrong: Bits) -> Box:
    """The box over every wrong piece that touches it; pieces a few pixels apart hang together."""
    from scipy.ndimage import find_objects
    from scipy.ndimage import label as pieces_of

    pieces, _ = pieces_of(_spread(_spread(wrong)))
    inside = np.unique(pieces[box.place])
    places = [place for number, place in enumerate(find_objects(pieces), 1) if number in inside]
    return _around([box, *(Box(p[0].start, p[0].stop, p[1].start, p[1].stop) for p in places)])


def _ink(rgb: Rgb) -> Bits:
    """Where the picture is not in its commonest colour."""
    red, green, blue = (rgb[..., channel].astype(np.uint16) >> 4 for channel in range(3))
    packed = red << 8 | green << 4 | blue
    counts = np.bincount(packed.ravel())
    places = np.flatnonzero(packed == counts.argmax())[:: 1 + counts.max() // _ENOUGH]
    ground = np.median(rgb.reshape(-1, 3)[places], axis=0)
    off = np.zeros(rgb.shape[:2], np.bool_)
    for channel, value in enumerate(int(one) for one in ground):
        off |= (rgb[..., channel] > min(value + _INK_STEP, 255)) | (rgb[..., channel] < max(value - _INK_STEP, 0))
    return off


def _areas(rgb: Rgb, ink: Bits, radius: int) -> float:
    """The share of pixels of ink that lie in a flat patch."""
    flat = ink.copy()
    for channel in range(3):
        least, largest = window_extremes(rgb[..., channel], radius)
        flat &= largest - least <= _INK_STEP
    return float(flat.mean())


def _patches(truth: Labels, classes: Classes, radius: int) -> tuple[float, Bits]:
    """The share of pixels that lie in a patch of one class that is not the ground, and the borders about those areas.

    Only these are asked for ink: a thin part is mostly border, whether it is outlined or painted.
    """
    least, largest = window_extremes(truth, radius)
    ground = np.bincount(truth.ravel()).argmax()
    patches = (least == largest) & (truth != ground) & (truth != classes.void)
    least, largest = window_extremes(truth, 1)
    _, near = window_extremes(patches, radius + 1)
    return float(patches.mean()), np.asarray((least != largest) & near)


def _core(bits: Bits) -> Bits:
    """Without its rim."""
    return np.asarray(window_extremes(bits, 1)[0])


def _spread(bits: Bits) -> Bits:
    return np.asarray(window_extremes(bits, 1)[1])
