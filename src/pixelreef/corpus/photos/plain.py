"""The plain-background cut: what is unlike the border of a picture is its subject.

The background is a smooth surface in OKLab (a quadratic in x and y, so that a backdrop's falloff of light counts as
plain), fitted to the border with its worst part left out. The background is then all that is like that surface and can
be reached from the border. Where the border does not fit, or what is left lies in pieces, there is no plain background,
and an error says why.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.corpus.photos.pieces import Bits, main_piece
from pixelreef.errors import ImageError

RING = 0.02  # the border's width, of the picture's shorter side
TRUSTED = 0.6  # the share of the border that the surface is fitted to
TOLERANCE = (0.035, 0.08)  # OKLab: above JPEG noise, below what one calls another colour
MOST_UNLIKE = 0.15  # of the border: a subject may run out of the picture on one side
LEAST_WHOLE = 0.7  # of what is left, in the subject
AREA = (0.004, 0.92)  # of the picture
_RULE = "stand before a plain background"
_DO = "A mask, the salient cut or the whole picture may do."


def plain_cut(rgb: NDArray[np.uint8]) -> tuple[Bits, float]:
    """(H, W, 3) bytes → the subject's mask, and the share of the border that is background."""
    from scipy import ndimage

    lab = ndimage.gaussian_filter(oklab_from_rgb(rgb, np.float32), (0.7, 0.7, 0))
    ring = _ring(lab.shape[:2])
    unlike = _unlikeness(lab, ring)
    tolerance = float(np.clip(4 * np.median(unlike[ring]), *TOLERANCE))
    like = unlike < tolerance
    share = float(like[ring].mean())
    if share < 1 - MOST_UNLIKE:
        raise ImageError("photograph", _RULE, f"{1 - share:.0%} of the border unlike the rest", _DO, verbatim=True)
    left = ndimage.binary_opening(~_reached(like), iterations=max(1, min(rgb.shape[:2]) // 200))
    subject = main_piece(left)
    _check(subject, left)
    return _without_fringe(subject, unlike), share


def _ring(shape: tuple[int, ...]) -> Bits:
    width = max(1, round(RING * min(shape)))
    ring = np.ones(shape, np.bool_)
    ring[width:-width, width:-width] = False
    return ring


def _unlikeness(lab: Floats, ring: Bits) -> Floats:
    """(H, W): OKLab distance from the background's surface."""
    height, width = ring.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    border, colours = terms[ring], lab[ring]
    apart = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    for _ in range(3):  # each fit is to the part of the border that fitted best before
        trusted = apart <= np.quantile(apart, TRUSTED)
        surface = np.linalg.lstsq(border[trusted], colours[trusted], rcond=None)[0]
        apart = np.linalg.norm(colours - border @ surface, axis=1)
    return np.asarray(np.linalg.norm(lab - terms @ surface, axis=-1))


def _reached(like: Bits) -> Bits:
    """What is like the background and connected to the border."""
    from scipy import ndimage

    labels, count = ndimage.label(like)
    at_border = np.zeros(count + 1, np.bool_)
    at_border[np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])] = True
    at_border[0] = False
    return np.asarray(at_border[labels])


def _without_fringe(subject: Bits, unlike: Floats) -> Bits:
    """The subject without the pixels of its outline that are more background than subject: lens blur, JPEG."""
    from scipy import ndimage

    beside = ndimage.maximum_filter(np.where(subject, unlike, 0), 5)
    inner = ndimage.binary_erosion(subject, iterations=2, border_value=1)
    return np.asarray(subject & (inner | (unlike >= 0.5 * beside)))


def _check(subject: Bits, left: Bits) -> None:
    area, unlike = float(subject.mean()), float(left.mean())
    if unlike < AREA[0]:
        raise ImageError(
            "photograph", "show a subject", f"nothing unlike the border ({unlike:.1%})", _DO, verbatim=True
        )
    if area < LEAST_WHOLE * unlike:
        raise ImageError("photograph", _RULE, f"pieces, the largest {area / unlike:.0%} of them", _DO, verbatim=True)
    if area > AREA[1]:
        raise ImageError("photograph", _RULE, f"a subject of {area:.0%} of the picture", _DO, verbatim=True)
