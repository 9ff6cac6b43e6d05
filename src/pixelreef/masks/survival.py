"""How much of each colour of a palette survives a JPEG: painted as discs on other colours, saved, decoded, counted.

Every colour is painted on its two nearest and on two others. Discs are 52 pixels wide on squares of 80, which lie
differently to the blocks of a JPEG each time. Its survival is the share of its pixels that are decoded as itself.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.palette import Palette
from pixelreef.masks.classes import classes_from_palette
from pixelreef.masks.decode import decode
from pixelreef.masks.decoder import ROBUST, Decoder
from pixelreef.metrics.overlap import Counts, Labels, count, recall

QUALITIES = (95, 75)
_SQUARE, _RADIUS = 80, 26  # pixels; smaller ones leave too little of a sheet flat for a decoder that mends
_NEAR, _OTHERS = 2, 2
_WIDE = 12  # squares along a side of a sheet: 960 pixels, as a mask has


def survival(palette: Palette, quality: int = 75, decoder: Decoder = ROBUST) -> Floats:
    """(colours,): what share of its pixels comes back, by JPEG of a quality with 4:2:0 chroma.

    Range: 0 to 1. Direction: higher is better. Empty: a palette has a colour. All colours must differ.

    >>> survival(Palette.from_hex(["000000", "ffffff"])).tolist()
    [1.0, 1.0]
    """
    classes = classes_from_palette(palette)
    counts = Counts.none(len(classes))
    for labels in sheets(palette):
        found = decode(jpeg_pixels(palette.rgb[labels], quality), classes, decoder)
        counts += count(labels, found.labels, len(classes))
    return recall(counts)


def sheets(palette: Palette) -> Iterator[Labels]:
    """Label grids of squares with discs, in which every colour occurs."""
    squares = [(disc, ground) for disc, grounds in enumerate(_grounds(palette)) for ground in grounds]
    y, x = np.mgrid[:_SQUARE, :_SQUARE] - (_SQUARE - 1) / 2
    inside = x * x + y * y < _RADIUS**2
    for start in range(0, len(squares), _WIDE**2):
        part = squares[start : start + _WIDE**2]
        wide = min(_WIDE, len(part))
        part += part[: -len(part) % wide]
        tiles = [np.where(inside, disc, ground).astype(np.uint16) for disc, ground in part]
        yield np.vstack([np.hstack(tiles[row : row + wide]) for row in range(0, len(tiles), wide)])


def jpeg_pixels(rgb: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    """(H, W, 3) bytes as they come back from a JPEG with chroma at half the resolution."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "JPEG", quality=quality, subsampling="4:2:0")
    return np.asarray(Image.open(buffer).convert("RGB"))


def _grounds(palette: Palette) -> list[list[int]]:
    """For each colour those it is painted on: its nearest, then others spread evenly over the rest by distance."""
    lab = oklab_from_rgb(palette.rgb, flare=ROBUST.flare)
    chosen = []
    for own in range(len(palette)):
        order = np.argsort(((lab - lab[own]) ** 2).sum(axis=1).round(9), kind="stable")
        rest = [int(one) for one in order if one != own] or [own]
        far = rest[_NEAR:]
        picked = sorted({(len(far) - 1) * step // max(_OTHERS - 1, 1) for step in range(_OTHERS)}) if far else []
        chosen.append(rest[:_NEAR] + [far[place] for place in picked])
    return chosen
