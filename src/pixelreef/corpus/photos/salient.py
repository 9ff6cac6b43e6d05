"""The salient cut: the one thing in a picture that stands apart from all that reaches its border. No plain background
is needed: water above a reef will do.

Each pixel's *barrier* is the least range of colour that a path to the border must cross (the minimum barrier distance
of Strand et al. 2013, as Zhang et al. 2015 use it for salient objects): small in water and on a sea floor that runs out
of the picture, large inside a creature whose outline closes. The regions above each of many levels of the barrier are
candidates; the subject is the one with the best outline: a clear step of colour nearly all the way round, a barrier
that falls off outside, compact, not cut by the frame, and rather in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.corpus.photos.pieces import Bits, resized
from pixelreef.errors import ImageError

SIDE = 192  # pixels of the longer side that is looked at
LEVELS = 24
AREA = (0.008, 0.6)  # of the picture
LEAST_STEP = 0.02  # OKLab across the worst tenth of the outline: about what one notices
_HUE_WEIGHT = 1.5  # of a and b against L: light plays on water more than colour does
_SWEEPS = 3


@dataclass(frozen=True, eq=False)
class _Scene:
    barrier: Floats
    steps: Floats
    """How much colour changes within two pixels."""
    middle: Floats
    """1 in the middle, falling to about 0.4 at the middle of an edge."""


def salient_cut(rgb: NDArray[np.uint8]) -> tuple[Bits, float]:
    """(H, W, 3) bytes → the subject's mask, and the step across the worst tenth of its outline, in OKLab."""
    height, width = rgb.shape[:2]
    scene = _scene(_reduced(rgb))
    best = max(_candidates(scene.barrier), key=lambda mask: _quality(mask, scene), default=None)
    step = 0.0 if best is None else _worst_step(best, scene)
    if best is None or step < LEAST_STEP:
        raise ImageError("photograph", "show one subject that stands out", f"a step of {step:.3f}", verbatim=True)
    return resized(best, (width, height)), step


def barrier(channel: Floats) -> Floats:
    """(H, W) → the least max − min along any path to the border, by sweeps down, up, right and left.

    >>> barrier(np.array([[0, 0, 0, 0], [0, 5, 3, 0], [0, 0, 0, 0]], float))[1].tolist()
    [0.0, 5.0, 3.0, 0.0]
    """
    found = np.full(channel.shape, np.inf)
    found[[0, -1]] = 0
    found[:, [0, -1]] = 0
    high, low = channel.copy(), channel.copy()
    for _ in range(_SWEEPS):
        for planes in ((found, high, low, channel), (found.T, high.T, low.T, channel.T)):
            _sweep(*planes)
            _sweep(*(plane[::-1] for plane in planes))
    return found


def _sweep(found: Floats, high: Floats, low: Floats, channel: Floats) -> None:
    for row in range(1, len(channel)):
        highest = np.maximum(high[row - 1], channel[row])
        lowest = np.minimum(low[row - 1], channel[row])
        better = highest - lowest < found[row]
        found[row][better] = (highest - lowest)[better]
        high[row][better], low[row][better] = highest[better], lowest[better]


def _reduced(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    from PIL import Image

    image = Image.fromarray(np.ascontiguousarray(rgb))
    scale = min(1.0, SIDE / max(image.size))
    size = (max(3, round(image.width * scale)), max(3, round(image.height * scale)))
    return np.asarray(image.resize(size, Image.Resampling.BOX))


def _scene(rgb: NDArray[np.uint8]) -> _Scene:
    from scipy import ndimage

    lab = oklab_from_rgb(rgb) * (1, _HUE_WEIGHT, _HUE_WEIGHT)
    lab = ndimage.gaussian_filter(lab, (0.8, 0.8, 0))
    total = np.sum([barrier(lab[..., channel]) for channel in range(3)], axis=0)
    smooth = ndimage.gaussian_filter(lab, (1, 1, 0))
    slopes = [ndimage.sobel(smooth[..., channel], axis) / 4 for channel in range(3) for axis in (0, 1)]
    height, width = total.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return _Scene(
        ndimage.median_filter(total, 3),
        ndimage.maximum_filter(np.linalg.norm(slopes, axis=0), 3),
        np.exp(-(x**2 + y**2) * 2 / 4),
    )


def _candidates(barriers: Floats) -> Iterator[Bits]:
    from scipy import ndimage

    top = float(np.percentile(barriers, 99.5))
    if top <= 0:
        return
    for level in np.geomspace(max(0.02, 0.08 * top), max(0.02, 0.8 * top), LEVELS):
        regions = ndimage.binary_opening(ndimage.binary_fill_holes(barriers > level))
        labels, count = ndimage.label(regions)
        areas = np.bincount(labels.ravel()) / labels.size
        for number in range(1, count + 1):
            if AREA[0] < areas[number] < AREA[1]:
                yield labels == number


def _quality(mask: Bits, scene: _Scene) -> float:
    """Larger is better; 0 at the least. The powers weigh the five signs against each other."""
    from scipy import ndimage

    outline = _outline(mask)
    around = ndimage.distance_transform_edt(~mask)
    ring = (around > 1) & (around < 3 + 0.25 * np.sqrt(mask.sum()))
    inside = float(scene.barrier[mask].mean())
    fall = max(inside - float(scene.barrier[ring].mean()), 0) / inside
    compact = 4 * np.pi * mask.sum() / outline.sum() ** 2
    framed = sum(int(edge.sum()) for edge in (mask[0], mask[-1], mask[:, 0], mask[:, -1])) / outline.sum()
    central = float(scene.middle[mask].mean())
    size = float(mask.mean()) ** 0.25
    return float(
        fall**2 * _worst_step(mask, scene) ** 0.5 * min(compact, 0.5) ** 0.35 * (1 - framed) ** 2 * central * size
    )


def _worst_step(mask: Bits, scene: _Scene) -> float:
    return float(np.percentile(scene.steps[_outline(mask)], 10))


def _outline(mask: Bits) -> Bits:
    from scipy import ndimage

    return np.asarray(mask & ~ndimage.binary_erosion(mask))
