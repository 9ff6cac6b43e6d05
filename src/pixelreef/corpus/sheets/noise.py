"""From the noisy blocks of an enlarged JPEG to one colour of a palette for each: consensus, then what fits best nearby.

JPEG stores colour at half the resolution (4:2:0) and rounds frequencies, so the mean of a block is drawn towards its
neighbours. `consensus` undoes the first: it corrects the means until the picture made from them, put through the same
blur, gives the means that were seen. `snapped` undoes the second: distance to a palette colour counts by the noise of
each channel, and a colour that is common nearby is likelier than one seen nowhere around. Distances are in YCbCr,
where JPEG's noise is even in all directions; in OKLab it would be far larger among dark colours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.core.palette import MAX_COLOURS
from pixelreef.corpus.sheets.jpeg import Codec
from pixelreef.corpus.sheets.scale import Scale, block_means, enlarged_as

YCC_FROM_RGB = np.array(
    [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], np.float32
)  # ITU-R BT.601, as JPEG has it
CHROMA = 0.6  # weight of a step in Cb or Cr against one in Y before the noise is known
_CORRECTIONS, _GAIN = 6, 1.5  # rounds of correcting the means; above 1 since blur takes most of a correction
_GATHERING = 6.0  # times the file's noise: the radius within which values are one colour
_HALO, _STRAGGLERS = 2.0, 0.1
_UNBLURRED = np.array([1.5, 3, 3])
_ROUNDS = 7  # of snapping; few cells change after four
_FEW = 2**20  # cells up to which rounds are repeated: each takes about 2 µs per cell
_NEAR = 4  # cells around that count as nearby
_RARE = 0.003  # share nearby at which a colour seen nowhere around is entered: a quarter of one cell in 9 × 9


def ycc_from_rgb(rgb: NDArray[np.generic]) -> Floats:
    """RGB (…, 3) in 0–255 → Y, Cb, Cr around 0, float32."""
    return np.asarray(rgb.astype(np.float32) @ YCC_FROM_RGB.T)


def consensus(rgb: NDArray[np.generic], scale: Scale, codec: Codec | None) -> Floats:
    """(H, W, 3) noisy pixels → (h, w, 3) one colour per block, not yet of any palette."""
    seen = rgb.astype(np.float32)
    means = block_means(seen, scale)
    if codec is None:
        return means
    for _ in range(_CORRECTIONS):
        missing = seen - codec.blurred(enlarged_as(means, scale, seen.shape[:2]))
        means = np.clip(means + _GAIN * block_means(missing, scale), -20, 275)  # a little beyond what bytes can hold
    return means


def snapped(
    rgb: NDArray[np.generic], means: Floats, colours: NDArray[np.uint8], scale: Scale, codec: Codec | None
) -> NDArray[np.intp]:
    """(h, w) indices of `colours` (n, 3) for the consensus of a noisy picture."""
    seen, table = rgb.astype(np.float32), ycc_from_rgb(colours)
    target = ycc_from_rgb(means)
    cells = nearest(target, table)
    for number in range(_ROUNDS if cells.size <= _FEW else 1):
        cells = _likeliest(target, cells, table, _noise(target - table[cells], cells))
        if number and codec is not None:
            missing = seen - codec.passed(enlarged_as(colours[cells], scale, seen.shape[:2]))
            target = ycc_from_rgb(colours[cells] + 1.3 * block_means(missing, scale))  # most of what one cell adds
    return cells


def nearest(target: Floats, table: Floats) -> NDArray[np.intp]:
    """The index of the nearest of (n, 3) `table` for each of (h, w, 3), both YCbCr."""
    weights = np.array([1, CHROMA, CHROMA], np.float32)
    best, chosen = np.full(target.shape[:2], np.inf, np.float32), np.zeros(target.shape[:2], np.intp)
    for index, colour in enumerate(table):
        apart = (((target - colour) * weights) ** 2).sum(axis=-1)
        better = apart < best
        best[better], chosen[better] = apart[better], index
    return chosen


def found_palette(means: Floats, scale: Scale, codec: Codec | None) -> NDArray[np.uint8]:
    """The colours that noisy consensus values gather around, the commonest first: (n, 3), at most 255.

    A gathering is taken from the densest place, with everything within a few times the file's own noise.
    """
    values = means.reshape(-1, 3)
    points = (ycc_from_rgb(means) / (_GATHERING * _file_noise(means, scale, codec))).reshape(-1, 3)
    left = np.ones(len(points), bool)
    found: list[Floats] = []
    while left.any() and len(found) < MAX_COLOURS - 1:
        centre = _densest(points[left])
        apart = ((points - centre) ** 2).sum(axis=1)
        near = left & (apart < 1)
        if not near.any():
            break
        found.append(np.median(values[near], axis=0))
        halo = left & (
            apart < _HALO**2
        )  # stragglers of a common colour, unless they are many enough for one of their own
        left &= ~(halo if halo.sum() < (1 + _STRAGGLERS) * near.sum() else near)
    return np.clip(np.rint(found), 0, 255).astype(np.uint8)


def _file_noise(means: Floats, scale: Scale, codec: Codec | None) -> Floats:
    """What the file's rounding does to a block's mean, as a spread per channel of YCbCr."""
    if codec is None:
        return np.full(3, 3.0, np.float32)
    shape = tuple(int(starts) for starts in (means.shape[0] * scale.factor, means.shape[1] * scale.factor))
    made = enlarged_as(means, Scale(scale.factor), (shape[0], shape[1]))
    rest = ycc_from_rgb(block_means(codec.passed(made) - codec.blurred(made), Scale(scale.factor)))
    busy = (rest**2).sum(axis=-1) > 0.25  # flat areas lose nothing
    noise = np.maximum(rest[busy].std(axis=0) if busy.any() else 0, 1)
    return np.asarray(noise * (1 if codec.sampling == "4:4:4" else _UNBLURRED), np.float32)


def refitted(means: Floats, cells: NDArray[np.intp], colours: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each colour moved to the median of the cells that chose it."""
    made = colours.copy()
    for index in np.unique(cells):
        made[index] = np.clip(np.rint(np.median(means[cells == index], axis=0)), 0, 255)
    return made


def likeliness(target: Floats, near: Floats, colour: Floats, noise: Floats) -> Floats:
    """The cost (lower is likelier) of one colour: squared distance in units of noise, and its share nearby."""
    return np.asarray((((target - colour) / noise) ** 2).sum(axis=-1) - 2 * np.log(near + _RARE), np.float32)


def share_nearby(of_colour: NDArray[np.bool_]) -> Floats:
    """The share of cells nearby that have a colour: (h, w) bool → (h, w)."""
    from scipy import ndimage

    return np.asarray(ndimage.uniform_filter(of_colour.astype(np.float32), 2 * _NEAR + 1, mode="constant")).clip(min=0)


def _likeliest(target: Floats, cells: NDArray[np.intp], table: Floats, noise: Floats) -> NDArray[np.intp]:
    best, chosen = np.full(cells.shape, np.inf, np.float32), cells.copy()
    for index in np.unique(cells):
        cost = likeliness(target, share_nearby(cells == index), table[index], noise)
        better = cost < best
        best[better], chosen[better] = cost[better], index
    return chosen


def _noise(rest: Floats, cells: NDArray[np.intp]) -> Floats:
    """The spread per channel, at least one step, of all cells but the commonest colour's, which is the backdrop."""
    busy = cells != np.bincount(cells.ravel()).argmax()
    spread = np.sqrt((rest[busy] ** 2).mean(axis=0)) if busy.any() else np.ones(3)
    return np.maximum(spread, 1.0).astype(np.float32)


def _densest(points: Floats) -> Floats:
    """The mean of the fullest box of side 1."""
    boxes = np.floor(points).astype(np.int64) @ np.array([1, 2**10, 2**20])
    _, box, counts = np.unique(boxes, return_inverse=True, return_counts=True)
    return np.asarray(points[box == counts.argmax()].mean(axis=0))
