"""One photograph, in bounded memory, no larger than is needed.

A file of up to 64 MiB is read. A JPEG of up to 67 million pixels is decoded at a half, a quarter or an eighth of its
size; any other format may have 16.8 million pixels (`core.images`). What is left is reduced by averaging to at most
`side` pixels along its longer side.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import read_bytes
from pixelreef.core.images import image_from_bytes

LEAST_SIDE, MOST_SIDE = 640, 2048
_SAMPLES = 16  # pixels of the photograph for each cell of the sprite, when the subject is about as large as the picture


def working_side(size: int) -> int:
    """The pixels of a photograph's longer side that a sprite of `size` cells can make use of.

    >>> working_side(32), working_side(64), working_side(512)
    (640, 1024, 2048)
    """
    return min(max(_SAMPLES * size, LEAST_SIDE), MOST_SIDE)


def read_photo(path: str | os.PathLike[str], side: int) -> NDArray[np.uint8]:
    """(H, W, 4) bytes of at most `side` pixels along the longer side."""
    picture = image_from_bytes(read_bytes(path), f"photograph {os.fspath(path)!r}", longest=side)
    return reduced_photo(picture.rgba, side)


def reduced_photo(rgba: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """The mean of what each new pixel covers, transparent pixels not counted; a smaller picture stays as it is."""
    from PIL import Image

    height, width = rgba.shape[:2]
    if max(height, width) <= side:
        return rgba
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if (rgba[..., 3] == 255).all():  # Pillow weighs colours by alpha, which takes two more copies
        opaque = np.asarray(Image.fromarray(rgba[..., :3]).resize(size, Image.Resampling.BOX))
        return np.dstack([opaque, np.full(opaque.shape[:2], 255, np.uint8)])
    return np.asarray(Image.fromarray(rgba).resize(size, Image.Resampling.BOX))
