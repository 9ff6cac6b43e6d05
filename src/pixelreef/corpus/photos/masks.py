"""Masks that lie beside photographs: a picture of the same stem, whose coloured pixels are the subject."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import inside
from pixelreef.core.images import read_image
from pixelreef.corpus.photos.pieces import Bits, main_piece
from pixelreef.errors import FileError, ImageError

SUFFIXES = (".png", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm", ".jpg", ".jpeg")
NEAR = 64  # bytes of each channel within which a pixel has a colour: masks are at times saved as JPEG
SAME_SHAPE = 0.02  # how far the aspects of photograph and mask may differ, as a share


def mask_path(folder: str | os.PathLike[str], photograph: str) -> Path:
    """The mask of a photograph (its path inside its folder): in the same subfolder, or else at the top."""
    path = PurePosixPath(photograph)
    for stem in dict.fromkeys([path.with_suffix("").as_posix(), path.stem]):
        for suffix in SUFFIXES:
            if (found := inside(folder, stem + suffix)).is_file():
                return found
    raise FileError(f"mask of {photograph!r}", f"exist in {os.fspath(folder)!r}", "none", verbatim=True)


def read_mask(path: str | os.PathLike[str], shape: tuple[int, int], colours: Sequence[tuple[int, int, int]]) -> Bits:
    """The mask at a photograph's (height, width): the subject's pixels, of `colours` or of any but black.

    With several colours each stands for a kind of thing: the one with the largest piece is the subject.
    """
    rgba = read_image(path).rgba
    height, width = shape
    if abs(rgba.shape[1] * height / (rgba.shape[0] * width) - 1) > SAME_SHAPE:
        size = f"{rgba.shape[1]} × {rgba.shape[0]}"
        raise ImageError(f"mask {os.fspath(path)!r}", f"have the shape of {width} × {height}", size, verbatim=True)
    rows = (np.arange(height) * rgba.shape[0]) // height
    columns = (np.arange(width) * rgba.shape[1]) // width
    return subject_of_mask(rgba[rows[:, None], columns], colours)


def subject_of_mask(rgba: NDArray[np.uint8], colours: Sequence[tuple[int, int, int]]) -> Bits:
    """(H, W, 4) bytes → the subject's main piece.

    >>> row = np.array([[[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 255, 255], [0, 0, 0, 255]]], np.uint8)
    >>> subject_of_mask(row, [(255, 0, 0), (0, 0, 255)]).tolist()
    [[False, True, True, False]]
    """
    seen = rgba[..., 3] >= 128
    if not colours:
        return main_piece(seen & (rgba[..., :3] > 0).any(axis=-1))
    channels = rgba[..., :3].astype(np.int16)
    kinds = [main_piece(seen & (np.abs(channels - colour) <= NEAR).all(axis=-1)) for colour in colours]
    return max(kinds, key=lambda kind: int(kind.sum()))
