"""What happens to a perfect mask on its way to us: soft edges, and JPEG.

Soft edges are the picture smoothed with the binomial kernel (1 2 1)/4 along both axes, in sRGB bytes: a hard border
becomes a ramp over two pixels, a quarter and three quarters of the way, as anti-aliasing leaves it.
JPEG goes through a real encoder and decoder, at a quality or with the quantisation tables and the subsampling of a
file that somebody made.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, JpegImagePlugin

from pixelreef.core.images import MAX_PIXELS, image_from_bytes, opened
from pixelreef.errors import InputError
from pixelreef.masks.render import Rgb

KERNEL = (1, 2, 1)
Subsampling = Literal["4:4:4", "4:2:2", "4:2:0"]
_SUBSAMPLINGS: tuple[Subsampling, ...] = ("4:4:4", "4:2:2", "4:2:0")  # the place is Pillow's number
_COEFFICIENTS = 64
_PACKED = 4  # of 9: a tenth of the time that the smallest file of a photograph takes, for a twentieth more bytes
_MOST_TABLES = 4


@dataclass(frozen=True)
class Jpeg:
    """How a JPEG is written: at a quality, or with tables of its own."""

    quality: int = 95
    subsampling: Subsampling = "4:2:0"
    tables: tuple[tuple[int, ...], ...] | None = None
    """Quantisation tables of 64 numbers each, as Pillow orders them; these count, not the quality."""
    grey: bool = False
    """One channel only."""

    def __post_init__(self) -> None:
        if not 1 <= self.quality <= 100:
            raise InputError("quality", "be from 1 to 100", self.quality)

    @property
    def words(self) -> str:
        """For people."""
        kind = "greyscale" if self.grey else self.subsampling
        return f"JPEG {kind}, {'its own tables' if self.tables else f'quality {self.quality}'}"


def softened(rgb: Rgb) -> Rgb:
    """(H, W, 3) with soft edges; the edge of the picture is continued outwards.

    >>> softened(np.repeat(np.array([[[0], [0], [0], [160], [160], [160]]], np.uint8), 3, axis=2))[0, :, 0].tolist()
    [0, 0, 40, 120, 160, 160]
    """
    along = _smoothed(rgb.astype(np.uint16), 0)
    return ((_smoothed(along, 1) + 8) >> 4).astype(np.uint8)


def _smoothed(values: NDArray[np.uint16], axis: int) -> NDArray[np.uint16]:
    size, reach = values.shape[axis], len(KERNEL) // 2
    border = [(reach, reach) if one == axis else (0, 0) for one in range(values.ndim)]
    padded = np.pad(values, border, mode="edge")
    total = np.zeros_like(values)
    for place, weight in enumerate(KERNEL):
        part = [slice(None)] * values.ndim
        part[axis] = slice(place, place + size)
        total += padded[tuple(part)] * np.uint16(weight)
    return total


def jpeg_from_rgb(rgb: Rgb, jpeg: Jpeg) -> bytes:
    """The picture as a JPEG file."""
    image = Image.fromarray(np.ascontiguousarray(rgb[..., :3]))
    options: dict[str, object] = {"quality": jpeg.quality}
    if jpeg.tables:
        options = {"qtables": [list(table) for table in jpeg.tables]}
    if jpeg.grey:
        image = image.convert("L")
    else:
        options["subsampling"] = _SUBSAMPLINGS.index(jpeg.subsampling)
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", **options)
    return buffer.getvalue()


def png_from_rgb(rgb: Rgb) -> bytes:
    """The picture as a PNG file, exact; packed quickly, not as small as can be."""
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(rgb[..., :3])).save(buffer, "PNG", compress_level=_PACKED)
    return buffer.getvalue()


def through_jpeg(rgb: Rgb, jpeg: Jpeg) -> Rgb:
    """The picture as it comes back from a JPEG file."""
    return image_from_bytes(jpeg_from_rgb(rgb, jpeg), "JPEG").rgba[..., :3]


def jpeg_from_file(data: bytes, what: str = "image", max_pixels: int = MAX_PIXELS) -> Jpeg | None:
    """How that JPEG was written, told from its head, no pixel decoded; None for any other picture.

    A sampling that Pillow has no number for (4:1:1, turned ones) is taken as 4:2:0.
    """
    with opened(data, what, max_pixels) as image:
        if not isinstance(image, JpegImagePlugin.JpegImageFile):
            return None
        tables = _tables(getattr(image, "quantization", {}))
        grey = getattr(image, "layers", 3) == 1
        number = JpegImagePlugin.get_sampling(image)
    subsampling = _SUBSAMPLINGS[number] if 0 <= number < len(_SUBSAMPLINGS) else "4:2:0"
    return Jpeg(95, subsampling, tables, grey)


def _tables(found: Mapping[int, list[int]]) -> tuple[tuple[int, ...], ...] | None:
    """Tables that an encoder of 8 bits takes, or None."""
    tables = tuple(tuple(int(value) for value in found[key]) for key in sorted(found)[:_MOST_TABLES])
    sound = all(len(table) == _COEFFICIENTS and all(1 <= value <= 255 for value in table) for table in tables)
    return tables if tables and sound else None
