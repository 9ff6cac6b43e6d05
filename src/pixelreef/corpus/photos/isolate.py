"""Which pixels of a photograph are its subject, by the first of these that applies: a mask that was given, the
picture's own alpha, a plain background, what stands out (if asked for), the whole of it (if asked for).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.photos.pieces import Bits, main_piece
from pixelreef.corpus.photos.plain import plain_cut
from pixelreef.corpus.photos.salient import salient_cut
from pixelreef.errors import ImageError

OPAQUE = 128
LEAST_CLEAR = 0.01  # the share of transparent pixels from which an alpha channel means something
LEAST_PIXELS = 16


@dataclass(frozen=True, eq=False)
class Cut:
    """A subject, and how it was found."""

    mask: Bits
    """(height, width), True on the subject."""
    how: str
    """`mask`, `alpha`, `plain`, `salient` or `whole`."""
    confidence: float
    """`plain`: the share of the border that is background; `salient`: the step of colour across the worst tenth of the
    outline, in OKLab; 1 for a subject that was given, 0 for a picture that was kept whole. Not comparable between
    ways."""


def isolate(rgba: NDArray[np.uint8], given: Bits | None = None, *, salient: bool = False, whole: bool = False) -> Cut:
    """The subject of (H, W, 4) bytes; `given` is a mask of the same size. An error says why there is none."""
    if given is not None:
        return Cut(_enough(main_piece(given), "mask"), "mask", 1.0)
    opaque = rgba[..., 3] >= OPAQUE
    if 1 - opaque.mean() >= LEAST_CLEAR:
        return Cut(_enough(opaque, "alpha channel"), "alpha", 1.0)
    try:
        return Cut(*_with_name("plain", plain_cut(rgba[..., :3])))
    except ImageError as error:
        reason = error
    if salient:
        try:
            return Cut(*_with_name("salient", salient_cut(rgba[..., :3])))
        except ImageError as error:
            reason = error
    if whole:
        return Cut(_middle_square(rgba.shape[0], rgba.shape[1]), "whole", 0.0)
    raise reason


def _with_name(how: str, cut: tuple[Bits, float]) -> tuple[Bits, str, float]:
    return cut[0], how, cut[1]


def _enough(mask: Bits, what: str) -> Bits:
    if mask.sum() < LEAST_PIXELS:
        raise ImageError(what, f"show a subject of at least {LEAST_PIXELS} pixels", int(mask.sum()))
    return mask


def _middle_square(height: int, width: int) -> Bits:
    side = min(height, width)
    mask = np.zeros((height, width), np.bool_)
    top, left = (height - side) // 2, (width - side) // 2
    mask[top : top + side, left : left + side] = True
    return mask
