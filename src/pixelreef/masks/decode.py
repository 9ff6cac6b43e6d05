"""From the colours of a prediction to labels, at the prediction's own size and then at the truth's.

Colours are never mixed: they are decoded where they stand, and the labels are then taken to the truth's size by the
nearest pixel. (Of a picture of more than four megapixels, several times the truth's size, every n-th pixel is decoded.)
A prediction of another shape is stretched to the truth's; how far the shapes differ is noted. That is a rule, not a
guess at what the model meant: whoever crops or pads loses what was moved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.images import Picture
from pixelreef.errors import ImageError
from pixelreef.masks.classes import Classes
from pixelreef.masks.colour_table import ColourTable, packed_from_rgba
from pixelreef.masks.decoder import Decoder
from pixelreef.masks.mend import mended
from pixelreef.masks.painted import painted_share
from pixelreef.metrics.overlap import Labels

LARGE = 2**22  # pixels: 2048 × 2048
SAME_SHAPE = 0.01  # relative difference of width to height up to which rounding explains it
_PRODUCTS = 1 << 15  # distances worked out together
_CLOSE = np.uint16(1 << 14)  # the flag beside a label


@dataclass(frozen=True, eq=False)
class Decoded:
    """A prediction as labels."""

    labels: Labels
    """(height, width); `classes.unknown` where no class was painted."""
    painted: float
    """The share of pixels in few main colours; 1 where the decoder does not ask."""
    is_mask: bool
    """Whether that is as much as the decoder asks for."""
    notes: tuple[str, ...] = ()


def decode(pixels: NDArray[np.uint8], classes: Classes, decoder: Decoder) -> Decoded:
    """(H, W, 3 or 4) sRGB bytes → labels of the same size.

    >>> from pixelreef.core.palette import Palette
    >>> from pixelreef.masks.classes import classes_from_palette
    >>> from pixelreef.masks.decoder import PIXELARENA, ROBUST
    >>> two = classes_from_palette(Palette.from_hex(["000000", "ff0000"]))
    >>> row = np.array([[[0, 3, 0], [90, 20, 0], [250, 9, 0]]], np.uint8)
    >>> decode(row, two, PIXELARENA).labels.tolist(), decode(row, two, ROBUST).labels.tolist()
    ([[0, 0, 1]], [[0, 2, 1]])
    """
    rgba, notes = _opaque(pixels, decoder)
    packed, table = packed_from_rgba(rgba), _table(classes, decoder)
    answers = table.look_up(packed)
    labels = (answers & ~_CLOSE).astype(classes.dtype)
    painted = 1.0
    if decoder.least_painted:
        painted = painted_share(packed, lambda colours: table.look_up(colours) & ~_CLOSE, classes.unknown)
    if decoder.mend and painted >= decoder.least_painted:
        labels, said = mended(labels, answers >= _CLOSE, rgba, classes, decoder)
        notes += said
    return Decoded(labels, painted, painted >= decoder.least_painted, notes)


def decode_picture(
    picture: Picture, classes: Classes, decoder: Decoder, shape: tuple[int, int] | None = None
) -> Decoded:
    """`decode`, with the notes of reading the picture before its own; `shape` is (height, width) of the truth."""
    pixels, notes = (picture.rgba, ()) if shape is None else thinned(picture.rgba, shape)
    decoded = decode(pixels, classes, decoder)
    return replace(decoded, notes=picture.notes + notes + decoded.notes)


def labels_at(labels: Labels, shape: tuple[int, int]) -> tuple[Labels, tuple[str, ...]]:
    """Labels at (height, width), each from the nearest pixel, and notes on what that took.

    >>> labels_at(np.array([[1, 2]], np.uint8), (2, 4))[0].tolist()
    [[1, 1, 2, 2], [1, 1, 2, 2]]
    """
    if labels.shape == shape:
        return labels, ()
    rows, columns = (
        (2 * np.arange(size) + 1) * there // (2 * size) for size, there in zip(shape, labels.shape, strict=True)
    )
    (height, width), (own_height, own_width) = shape, labels.shape
    notes = [f"{own_width} × {own_height} taken to {width} × {height} by the nearest pixel"]
    stretch = (own_width * height) / (own_height * width)
    if abs(stretch - 1) > SAME_SHAPE:
        notes.append(f"stretched: {stretch:.3f} times as wide for its height as the truth")
    return labels[rows[:, None], columns], tuple(notes)


def thinned(pixels: NDArray[np.uint8], shape: tuple[int, int]) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """Every n-th pixel of a picture so large that even then none of the (height, width) truth's pixels lacks its own.

    >>> thinned(np.zeros((4096, 4096, 4), np.uint8), (1000, 1500))[0].shape
    (1024, 2048, 4)
    """
    down, along = (max(1, there // size) for there, size in zip(pixels.shape, shape, strict=False))
    if down * along == 1 or pixels.shape[0] * pixels.shape[1] <= LARGE:
        return pixels, ()
    picked = pixels[(down - 1) // 2 :: down, (along - 1) // 2 :: along]
    return np.ascontiguousarray(picked), (f"one pixel of {along} × {down} of a large picture decoded",)


def _opaque(pixels: NDArray[np.uint8], decoder: Decoder) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """(H, W, 4) with nothing transparent."""
    if pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or pixels.dtype != np.uint8 or pixels.size == 0:
        raise ImageError("pixels", "be a (H, W, 3 or 4) array of uint8", (pixels.shape, str(pixels.dtype)))
    if pixels.shape[2] == 3:
        return np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)]), ()
    alpha = pixels[..., 3:]
    if (alpha == 255).all():
        return pixels, ()
    share = alpha.astype(np.uint16)
    flat = (pixels[..., :3] * share + np.array(decoder.under, np.uint16) * (255 - share) + 127) // 255
    under = bytes(decoder.under).hex()
    return np.dstack([flat.astype(np.uint8), np.full_like(alpha, 255)]), (f"transparency laid over {under}",)


@lru_cache(maxsize=4)
def _table(classes: Classes, decoder: Decoder) -> ColourTable:
    """Label of every colour, with a flag where it is close. The colour of an ignored class is unknown."""
    coloured = [one for one in classes.classes if one.colour is not None]
    rgb = np.array([one.colour for one in coloured], np.uint8)
    labels = np.minimum(classes.labels(coloured), classes.unknown).astype(np.uint16)
    if decoder.space == "srgb":
        return ColourTable(lambda colours: labels[_nearest(colours.astype(np.float32), rgb.astype(np.float32))])

    def decide(colours: NDArray[np.uint8]) -> NDArray[np.uint16]:
        lab, palette = (oklab_from_rgb(one, np.float32, decoder.flare) for one in (colours, rgb))
        nearest = _nearest(lab, palette)
        apart = np.sqrt(((lab - palette[nearest]) ** 2).sum(axis=1))
        found = np.where(apart <= (decoder.reject or np.inf), labels[nearest], np.uint16(classes.unknown))
        return np.where((apart <= decoder.close) & (found != classes.unknown), found | _CLOSE, found)

    return ColourTable(decide)


def _nearest(points: Floats, targets: Floats) -> NDArray[np.intp]:
    """For each of (n, 3) the nearest of (k, 3), the first of several.

    |p − t|² = |p|² − 2p·t + |t|², and |p|² does not change the order. For bytes every number here is whole and below
    2²⁴, so float32 is exact. Blocks are small enough that the product stays on one thread, which is faster.
    """
    weights, offset = np.ascontiguousarray(-2 * targets.T), (targets**2).sum(axis=1)
    chosen = np.empty(len(points), np.intp)
    size = max(1, _PRODUCTS // len(targets))
    for start in range(0, len(points), size):
        apart = points[start : start + size] @ weights
        apart += offset
        chosen[start : start + size] = apart.argmin(axis=1)
    return chosen
