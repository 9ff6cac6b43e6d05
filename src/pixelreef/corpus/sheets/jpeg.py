"""What a JPEG file did to its picture, so that the same can be done to a guess and compared with what was seen."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats

SIDE = 16  # pixels of the largest unit that JPEG codes on its own (4:2:0)
_SAMPLINGS = {0: "4:4:4", 1: "4:2:2", 2: "4:2:0"}


@dataclass(frozen=True, eq=False)
class Codec:
    """The quantisation tables and the colour resolution of one JPEG file."""

    tables: tuple[tuple[int, ...], ...]
    sampling: str

    def passed(self, rgb: NDArray[np.generic]) -> Floats:
        """(H, W, 3) values 0–255 → the same after this file's loss, float32. Each side at most 65,500."""
        return _passed(rgb, qtables=[list(table) for table in self.tables], subsampling=self.sampling)

    def blurred(self, rgb: NDArray[np.generic]) -> Floats:
        """After the loss of colour resolution alone, with next to no quantisation."""
        return _passed(rgb, quality=100, subsampling=self.sampling)


def codec_from_bytes(data: bytes) -> Codec | None:
    """The codec of a JPEG file in colour; None for anything else, or a sampling that Pillow can't write."""
    from PIL import Image, JpegImagePlugin

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as image:
            sampling = _SAMPLINGS.get(JpegImagePlugin.get_sampling(image))
            turned = image.getexif().get(0x0112, 1) not in (0, 1)
            tables = tuple(tuple(table) for _, table in sorted(image.quantization.items()))  # type: ignore[attr-defined]
            mode = image.mode
    except Exception:  # Pillow's plug-ins raise many kinds on junk
        return None
    return Codec(tables, sampling) if sampling and not turned and mode == "RGB" and len(tables) <= 2 else None


def _passed(rgb: NDArray[np.generic], **how: object) -> Floats:
    from PIL import Image

    pixels = np.clip(np.rint(rgb.astype(np.float32)), 0, 255).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, "JPEG", **how)
    with Image.open(buffer, formats=("JPEG",)) as image:
        return np.asarray(image.convert("RGB"), np.float32)
