"""Small pictures for the page: labels as indexed PNG, photographs and what was returned as JPEG.

Labels are thinned by the nearest pixel, so that every colour of a thumbnail is a class, or one of two colours that no
class has: for unknown and for void. Nothing else is ever blended into them: the page reads the label off the colour.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pixelreef.masks.classes import Classes
from pixelreef.masks.decode import labels_at
from pixelreef.masks.render import Rgb
from pixelreef.metrics.overlap import Labels

SIDE = 256
"""Pixels of the longer side of a thumbnail."""
_FAR = 60  # sRGB bytes, the sum over channels, that unknown and void stay from every class
_GREYS = [(128, 128, 128), (64, 64, 64), (192, 192, 192), (96, 96, 96), (160, 160, 160), (224, 224, 224), (32, 32, 32)]
_QUALITY = 80


@dataclass(frozen=True, eq=False)
class Inks:
    """(labels + 2, 3): the colour of every label, then those of unknown and void; and what each is called."""

    rgb: NDArray[np.uint8]
    names: Mapping[str, str]


def inks(classes: Classes) -> Inks:
    """The colours in which labels are shown."""
    unknown, void = _apart(classes.rgb)
    rgb = np.concatenate([classes.rgb, np.array([unknown, void], np.uint8)])
    names = [*classes.names, "unknown", "ignored"]
    return Inks(rgb, {bytes(colour).hex(): name for colour, name in zip(rgb, names, strict=True)})


def small_shape(shape: tuple[int, ...], side: int = SIDE) -> tuple[int, int]:
    """(height, width) of a thumbnail; small pictures stay as they are.

    >>> small_shape((1024, 2048)), small_shape((100, 50))
    ((128, 256), (100, 50))
    """
    factor = min(1.0, side / max(shape[0], shape[1]))
    return max(1, round(shape[0] * factor)), max(1, round(shape[1] * factor))


def label_png(labels: Labels, colours: Inks, side: int = SIDE) -> bytes:
    """Labels as a small PNG, indexed where it has at most 256 of them."""
    small = labels_at(labels, small_shape(labels.shape, side))[0]
    there, places = np.unique(small, return_inverse=True)
    if len(there) > 256:
        return _saved(Image.fromarray(colours.rgb[small]), "PNG", optimize=True)
    image = Image.fromarray(places.reshape(small.shape).astype(np.uint8), "P")
    image.putpalette(colours.rgb[there].tobytes())
    return _saved(image, "PNG", optimize=True)


def photo_jpeg(rgb: Rgb, shape: tuple[int, int]) -> bytes:
    """(H, W, 3 or 4) bytes as a JPEG of (height, width); what is transparent is black, as in decoding."""
    if rgb.shape[2] == 4:
        rgb = (rgb[..., :3] * (rgb[..., 3:] / 255)).astype(np.uint8)
    return _saved(_resized(rgb, shape), "JPEG", quality=_QUALITY, subsampling="4:4:4")


def tile_png(rgb: Rgb, side: int) -> tuple[bytes, int, int]:
    """A picture as a PNG of at most 128 colours, with its width and height."""
    height, width = small_shape(rgb.shape, side)
    image = _resized(rgb[..., :3], (height, width)).quantize(128)
    return _saved(image, "PNG", optimize=True), width, height


def _resized(rgb: Rgb, shape: tuple[int, int]) -> Image.Image:
    image = Image.fromarray(np.ascontiguousarray(rgb))
    if rgb.shape[:2] == shape:
        return image
    way = Image.Resampling.BOX if shape[0] < rgb.shape[0] else Image.Resampling.NEAREST
    return image.resize(shape[::-1], way)


def _apart(rgb: NDArray[np.uint8]) -> list[tuple[int, int, int]]:
    """Two colours that are far from every class: greys, or whatever there is."""
    found: list[tuple[int, int, int]] = []
    taken = rgb.astype(int)
    lattice = [(r, g, b) for r in range(0, 256, 51) for g in range(0, 256, 51) for b in range(0, 256, 51)]
    for least in (_FAR, 20, 1):
        for colour in (*_GREYS, *lattice):
            if (
                len(found) < 2
                and np.abs(np.vstack([taken, *([found] if found else [])]) - colour).sum(axis=1).min() >= least
            ):
                found.append(colour)
    return found


def _saved(image: Image.Image, container: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, container, **options)
    return buffer.getvalue()
