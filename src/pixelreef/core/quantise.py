"""From any picture to the colours of a palette, nearest in OKLab; plainly, or with ordered dithering.

Pixels whose alpha is under one half become the transparent entry, where the palette has one; others keep their colour
and lose their alpha. Works on one picture (H, W, 4) and on batches (N, H, W, 4) alike.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.palette import Palette
from pixelreef.errors import ImageError

_BLOCK = 1 << 14  # pixels compared at once: 16,384 × 256 colours × 4 bytes = 16 MiB at the most
_ALPHA = 128

# Bayer's 4×4 thresholds in (0, 1): evenly spread, so that 16 shades stand between two colours.
_BAYER = (np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.float32) + 0.5) / 16


def quantise(pixels: NDArray[np.uint8], palette: Palette, dither: bool = False) -> NDArray[np.uint8]:
    """(…, H, W, 3 or 4) sRGB bytes → (…, H, W) palette indices.

    >>> from pixelreef.core.reef import reef_palette
    >>> quantise(np.array([[[255, 255, 255, 255], [9, 9, 9, 0]]], np.uint8), reef_palette()).tolist()
    [[7, 0]]
    """
    if pixels.ndim < 3 or pixels.shape[-1] not in (3, 4) or pixels.dtype != np.uint8:
        raise ImageError("pixels", "be a (…, H, W, 3 or 4) array of uint8", (pixels.shape, str(pixels.dtype)))
    opaque = palette.opaque
    if not len(opaque):
        return np.zeros(pixels.shape[:-1], np.uint8)
    lab = oklab_from_rgb(pixels[..., :3], np.float32).reshape(-1, 3)
    colours = palette.oklab[opaque].astype(np.float32)
    if dither:
        height, width = pixels.shape[-3:-1]
        tiled = np.tile(_BAYER, (height // 4 + 1, width // 4 + 1))[:height, :width]
        chosen = _dithered(lab, colours, np.broadcast_to(tiled, pixels.shape[:-1]).reshape(-1))
    else:
        chosen = _nearest(lab, colours)
    indices = opaque.astype(np.uint8)[chosen].reshape(pixels.shape[:-1])
    if palette.transparent is not None and pixels.shape[-1] == 4:
        indices[pixels[..., 3] < _ALPHA] = palette.transparent
    return indices


def _nearest(lab: Floats, colours: Floats) -> NDArray[np.intp]:
    """For each of (n, 3) the nearest of (k, 3). |p − c|² = |p|² − 2p·c + |c|², and |p|² does not change the order."""
    chosen = np.empty(len(lab), np.intp)
    weights = np.ascontiguousarray(-2 * colours.T)
    offset = (colours**2).sum(axis=1)
    for start in range(0, len(lab), _BLOCK):
        block = slice(start, start + _BLOCK)
        apart = lab[block] @ weights
        apart += offset
        chosen[block] = apart.argmin(axis=1)
    return chosen


def _dithered(lab: Floats, colours: Floats, threshold: Floats) -> NDArray[np.intp]:
    """Mix the nearest colour with the partner whose blend comes closest, by a fixed pattern.

    A partner far from the nearest colour makes a coarse, speckled mix, so its distance counts against it.
    """
    speckle = 0.25
    gaps = colours[None, :, :] - colours[:, None, :]  # (k, k, 3): from each nearest colour to each partner
    lengths = (gaps**2).sum(axis=2)
    nearest = _nearest(lab, colours)
    chosen = nearest.copy()
    for start in range(0, len(lab), _BLOCK // 8):
        block = slice(start, start + _BLOCK // 8)
        rest = lab[block] - colours[nearest[block]]  # what the nearest colour leaves to be made up
        length = lengths[nearest[block]]
        along = np.einsum("nd,nkd->nk", rest, gaps[nearest[block]])
        share = np.clip(along / np.maximum(length, 1e-12), 0.0, 0.5)  # beyond one half the partner would be nearest
        error = (rest**2).sum(axis=1)[:, None] - 2 * share * along + share**2 * length
        partner = (error + speckle * share * (1 - share) * length).argmin(axis=1)
        rows = np.arange(len(partner))
        chosen[block] = np.where(share[rows, partner] > threshold[block], partner, nearest[block])
    return chosen
