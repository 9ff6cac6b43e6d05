"""A photograph's subject as a few cells: the dominant colour of each, not their mean; edges and thin parts kept.

The subject is cut to its box and laid under a grid of cells, each seen through up to 12 × 12 samples. A cell's samples
are parted into two colours in OKLab, and the cell takes that of the larger part, so that no colour appears that the
subject doesn't have. A smaller part is taken where it draws a line: where it covers enough of the cell and stands out
from the cells around. The silhouette is every cell that the subject half covers, and those that a thin part of it
crosses.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb, rgb_from_oklab
from pixelreef.corpus.photos.pieces import Bits

Kind = TypeVar("Kind", bound=np.generic)

MOST_SAMPLES = 12  # along a side of a cell
MOST_SIDE = 1024  # samples along a side of the sprite
COVERED = 0.5  # the share of a cell that the subject must cover
THIN_COVERED = 0.25  # the same where the subject is thinner than a cell: a line of a quarter of a cell's width
ONE_COLOUR = 0.04  # OKLab: two parts nearer than this are one
LINE_SHARE = 0.28  # of a cell, from which the smaller part may be taken
LINE_STEP = 0.06  # OKLab: how much more than the larger part it must stand out

CAST = 0.3  # the share of a scene's cast that is taken off
CHROMA = 0.13  # OKLab: the mean of a drawing's colours


def pixelise(rgb: NDArray[np.uint8], mask: Bits, size: int, lift: float = 0.0) -> NDArray[np.uint8]:
    """(H, W, 3) bytes and the subject's mask → (size, size, 4) bytes, the subject centred, transparent around.

    A subject that is a rectangle of its own (a picture kept whole) fills the sprite; others leave a cell of margin, two
    at 48 and so on. `lift` from 0 to 1 brings contrast and saturation towards those of a drawing, and takes off the
    cast of the water.
    """
    rows, columns = _box(mask)
    full = bool(mask[rows, columns].all())
    inner = size if full else size - 2 * max(1, round(size / 24)) if size > 4 else size
    height, width = _cells_of(rows, columns, inner)
    lab, covered, samples = _sampled(rgb[rows, columns], mask[rows, columns], height, width)
    if lift:
        lab = lifted(lab, covered, oklab_from_rgb(rgb[::8, ::8].reshape(-1, 3), np.float32), lift)
    shape = silhouette(covered, samples)
    colours = dominant(_blocks(lab, samples), _blocks(covered[..., None], samples)[..., 0])
    sprite = np.zeros((size, size, 4), np.uint8)
    top, left = (size - height) // 2, (size - width) // 2
    place = sprite[top : top + height, left : left + width]
    place[..., :3] = rgb_from_oklab(colours)
    place[..., 3] = np.where(shape, 255, 0)
    place[~shape] = 0
    return sprite


def dominant(lab: Floats, covered: Bits) -> Floats:
    """(H, W, n, 3) samples in OKLab, of which `covered` (H, W, n) count → one colour (H, W, 3) for each cell."""
    centres, shares = two_parts(lab, covered)
    apart = np.linalg.norm(centres[..., 0, :] - centres[..., 1, :], axis=-1)
    mean = (centres * shares[..., None]).sum(axis=-2)
    chosen = np.where((apart < ONE_COLOUR)[..., None], mean, centres[..., 0, :])
    seen = np.asarray(covered.any(axis=-1))
    ground = _around(chosen, seen)
    more = np.linalg.norm(centres[..., 1, :] - ground, axis=-1) - np.linalg.norm(chosen - ground, axis=-1)
    line = (shares[..., 1] >= LINE_SHARE) & (apart >= 2 * ONE_COLOUR) & (more > LINE_STEP)
    return np.where(line[..., None], centres[..., 1, :], chosen)


def two_parts(lab: Floats, covered: Bits) -> tuple[Floats, Floats]:
    """The samples of each cell in two parts → their colours (H, W, 2, 3), the larger first, and their shares.

    The parts are 2-means, started from the sample farthest from the mean and the one farthest from that.

    >>> cell = np.array([[[[0.0, 0, 0], [1.0, 0, 0], [0.9, 0, 0]]]])
    >>> colours, shares = two_parts(cell, np.ones((1, 1, 3), bool))
    >>> colours[0, 0, :, 0].round(2).tolist(), shares[0, 0].round(2).tolist()
    ([0.95, 0.0], [0.67, 0.33])
    """
    weights = covered.astype(lab.dtype)
    total = np.maximum(weights.sum(axis=-1, keepdims=True), 1)
    mean = (lab * weights[..., None]).sum(axis=-2, keepdims=True) / total[..., None]
    first = _farthest(lab, mean, covered)
    centres = [first, _farthest(lab, first, covered)]
    for _ in range(4):
        nearer = ((lab - centres[0]) ** 2).sum(axis=-1) <= ((lab - centres[1]) ** 2).sum(axis=-1)
        parts = [weights * nearer, weights * ~nearer]
        centres = [
            np.where(part.any(axis=-1)[..., None, None], _weighted(lab, part), centre)
            for part, centre in zip(parts, centres, strict=True)
        ]
    shares = np.stack([part.sum(axis=-1) for part in parts], axis=-1) / total
    swap = shares[..., 1] > shares[..., 0]
    both = np.concatenate(centres, axis=-2)
    return np.where(swap[..., None, None], both[..., ::-1, :], both), np.where(
        swap[..., None], shares[..., ::-1], shares
    )


def silhouette(covered: Bits, samples: int) -> Bits:
    """(H·samples, W·samples) → (H, W): the cells that the subject fills."""
    from scipy import ndimage

    share = _blocks(covered[..., None], samples)[..., 0].mean(axis=-1)
    padded = np.pad(covered, samples, mode="constant")
    thick = ndimage.binary_opening(padded, np.ones((samples, samples), np.bool_))[samples:-samples, samples:-samples]
    thin = _blocks((covered & ~thick)[..., None], samples)[..., 0].mean(axis=-1)
    return np.asarray((share >= COVERED) | (thin >= THIN_COVERED))


def lifted(lab: Floats, covered: Bits, scene: Floats, strength: float) -> Floats:
    """The subject with the whole range of lightness, without the scene's cast, and as colourful as a drawing.

    The lightness of its middle 96 % is stretched towards 0.2 … 0.93; part of the scene's mean a and b is taken
    off; its mean chroma is raised towards 0.13, at most twofold. `strength` says how far towards each.
    """
    subject = lab[covered]
    if not len(subject):
        return lab
    low, high = np.percentile(subject[:, 0], [2, 98])
    made = lab.copy()
    stretched = 0.2 + (lab[..., 0] - low) * min(0.73 / max(high - low, 1e-3), 2.5)
    made[..., 0] = np.clip((1 - strength) * lab[..., 0] + strength * stretched, 0, 1)
    made[..., 1:] -= strength * CAST * scene[:, 1:].mean(axis=0)
    chroma = float(np.linalg.norm(made[covered][:, 1:], axis=1).mean())
    made[..., 1:] *= 1 + strength * (np.clip(CHROMA / max(chroma, 1e-3), 1, 2) - 1)
    return made


def _box(mask: Bits) -> tuple[slice, slice]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _cells_of(rows: slice, columns: slice, inner: int) -> tuple[int, int]:
    height, width = rows.stop - rows.start, columns.stop - columns.start
    scale = inner / max(height, width)
    return max(1, round(height * scale)), max(1, round(width * scale))


def _sampled(rgb: NDArray[np.uint8], mask: Bits, height: int, width: int) -> tuple[Floats, Bits, int]:
    """OKLab (H·n, W·n, 3) and the mask (H·n, W·n) on a grid of n × n samples a cell, and n."""
    from PIL import Image

    per_cell = -(-max(rgb.shape[0], rgb.shape[1]) // max(height, width))
    samples = int(np.clip(per_cell, 2, min(MOST_SAMPLES, max(2, MOST_SIDE // max(height, width)))))
    size = (width * samples, height * samples)
    box, plain = Image.Resampling.BOX, Image.Resampling.NEAREST
    method = box if rgb.shape[1] >= size[0] and rgb.shape[0] >= size[1] else plain
    colours = np.asarray(Image.fromarray(np.ascontiguousarray(rgb)).resize(size, method))
    covered = np.asarray(Image.fromarray(mask.astype(np.uint8) * 255).resize(size, method)) >= 128
    return oklab_from_rgb(colours, np.float32), covered, samples


def _blocks(values: NDArray[Kind], samples: int) -> NDArray[Kind]:
    """(H·n, W·n, c) → (H, W, n², c)."""
    height, width, channels = values.shape[0] // samples, values.shape[1] // samples, values.shape[2]
    cut = values.reshape(height, samples, width, samples, channels).swapaxes(1, 2)
    return cut.reshape(height, width, samples * samples, channels)


def _farthest(lab: Floats, point: Floats, covered: Bits) -> Floats:
    apart = np.where(covered, ((lab - point) ** 2).sum(axis=-1), -1)
    return np.asarray(np.take_along_axis(lab, apart.argmax(axis=-1)[..., None, None], axis=-2))


def _weighted(lab: Floats, weights: Floats) -> Floats:
    total = np.maximum(weights.sum(axis=-1), 1)[..., None, None]
    return np.asarray((lab * weights[..., None]).sum(axis=-2, keepdims=True) / total)


def _around(colours: Floats, seen: Bits) -> Floats:
    """(H, W, 3): the mean of the eight neighbours that are seen; the cell's own colour where there is none."""
    from scipy import ndimage

    kernel = np.ones((3, 3))
    kernel[1, 1] = 0
    count = ndimage.convolve(seen.astype(np.float32), kernel, mode="constant")
    total = np.stack([ndimage.convolve(colours[..., c] * seen, kernel, mode="constant") for c in range(3)], axis=-1)
    return np.where(count[..., None] > 0, total / np.maximum(count, 1)[..., None], colours)
