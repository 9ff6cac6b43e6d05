"""Reading pictures as untrusted data.

A picture is known by its content, never by its name. Its size is checked before any pixel is decoded. Whatever the
file holds (palette, alpha, 16 bit, greyscale, CMYK, a camera's turn, several frames), the result is one RGBA array of
bytes and a list of notes on what was done to get there. All frames are `animation`, writing is `render`.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, TiffImagePlugin, WebPImagePlugin

from pixelreef.core.files import read_bytes
from pixelreef.core.palette import Palette
from pixelreef.errors import ImageError

MAX_PIXELS = 2**24  # 4096 × 4096: 64 MiB as RGBA
REDUCIBLE = 4  # times as many pixels a JPEG may have that is decoded smaller: 67 million, as cameras write them
FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "PPM")
_REGISTERED = (TiffImagePlugin, WebPImagePlugin)  # importing these two registers them; Pillow would else import all
_JPEGS = ("JPEG", "MPO")  # MPO: a JPEG with more of them behind it, as phones write
_STRIP = 2**18  # pixels converted at once: 256 rows of 1024
_SIXTEEN_BIT = ("I", "I;16", "I;16L", "I;16B", "I;16N")


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded picture."""

    rgba: NDArray[np.uint8]
    """(height, width, 4) sRGB bytes, read-only."""
    format: str
    """Pillow's name of the container, such as `PNG`."""
    mode: str
    """Pillow's name of the pixel layout in the file, such as `P` or `I;16`."""
    notes: tuple[str, ...]
    """What was done beyond plain decoding, in words."""
    indices: NDArray[np.uint8] | None
    """(height, width) palette indices, read-only, where the file stores such."""
    palette: Palette | None
    """The file's own palette, where it has one."""
    deep: NDArray[np.uint16] | None = None
    """(height, width) samples, read-only, where the file stores one of 16 bits for each pixel."""

    @property
    def width(self) -> int:
        return int(self.rgba.shape[1])

    @property
    def height(self) -> int:
        return int(self.rgba.shape[0])


def read_image(path: str | os.PathLike[str], max_pixels: int = MAX_PIXELS) -> Picture:
    """Read a picture from a file."""
    return image_from_bytes(read_bytes(path), f"image {os.fspath(path)!r}", max_pixels)


def image_from_bytes(
    data: bytes, what: str = "image", max_pixels: int = MAX_PIXELS, longest: int | None = None
) -> Picture:
    """Read a picture from bytes; `what` names it in errors.

    With `longest`, a JPEG is decoded at a half, a quarter or an eighth, as long as its longer side keeps so many
    pixels; then `max_pixels` holds for what is decoded, and the file may have `REDUCIBLE` times as many.
    """
    with opened(data, what, max_pixels, longest) as image:
        notes = ["animated: the first frame is used"] if is_animated(image, what) else []
        return decoded(image, what, notes)


@contextmanager
def opened(data: bytes, what: str, max_pixels: int, longest: int | None = None) -> Iterator[Image.Image]:
    """Pillow's image, its size checked and no pixel decoded; `longest` as in `image_from_bytes`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of what is an error here, or a note
        with _known(data, what) as image:
            if longest and image.format in _JPEGS and image.width * image.height <= REDUCIBLE * max_pixels:
                share = longest / max(image.size)
                image.draft(None, (max(1, int(image.width * share)), max(1, int(image.height * share))))
            if image.width * image.height > max_pixels:
                size = f"{image.width} × {image.height}"
                raise ImageError(what, f"have at most {max_pixels:,} pixels", size, verbatim=True)
            yield image


def is_animated(image: Image.Image, what: str) -> bool:
    """Whether a second frame or page follows; Pillow looks for one, and may find it broken."""
    try:
        return bool(getattr(image, "is_animated", False))
    except Exception as error:  # as many kinds as when decoding
        raise broken(what, error) from None


def _known(data: bytes, what: str) -> Image.Image:
    try:
        return Image.open(io.BytesIO(data), formats=FORMATS)
    except Exception as error:  # Pillow's plug-ins raise many kinds on junk
        kind = "an empty file" if not data else "something else"
        if isinstance(error, Image.DecompressionBombError):
            kind = "far too many pixels"
        rule = "be a picture (PNG, JPEG, GIF, BMP, WebP, TIFF or PNM)"
        raise ImageError(what, rule, kind, verbatim=True) from None


def decoded(image: Image.Image, what: str, notes: list[str]) -> Picture:
    """The frame that Pillow's image stands at; more `notes` are added to those given."""
    container, mode = image.format or "?", image.mode
    if image.info.get("icc_profile"):
        notes.append("colour profile ignored: read as sRGB")
    try:
        image.load()
        turned = ImageOps.exif_transpose(image)
        indices, palette = _indexed(turned) if turned.mode == "P" else (None, None)
        deep = _deep(turned) if turned.mode in _SIXTEEN_BIT else None
        rgba = _rgba(turned, notes)
    except Exception as error:  # truncated and corrupt files raise OSError, SyntaxError, ValueError, struct.error, …
        raise broken(what, error) from None
    if image.getexif().get(0x0112, 1) not in (0, 1):
        notes.append("turned as its EXIF orientation says")
    for array in (rgba, indices, deep):
        if array is not None:
            array.flags.writeable = False
    return Picture(rgba, container, mode, tuple(notes), indices, palette, deep)


def _rgba(image: Image.Image, notes: list[str]) -> NDArray[np.uint8]:
    if image.mode in _SIXTEEN_BIT or image.mode == "F":
        notes.append("16 bit reduced to 8" if image.mode != "F" else "floating point reduced to 8 bit")
        return _rgba_from_deep(np.asarray(image))
    if image.mode in ("CMYK", "YCbCr", "LAB", "HSV"):
        notes.append(f"{image.mode} converted to RGB")
        image = image.convert("RGB")
    pixels = np.empty((image.height, image.width, 4), np.uint8)
    rows = max(1, _STRIP // image.width)
    for top in range(0, image.height, rows):  # in strips, since Pillow's way to an array takes three copies
        box = (0, top, image.width, min(top + rows, image.height))
        pixels[top : top + rows] = np.asarray(image.crop(box).convert("RGBA"))
    return pixels


def _rgba_from_deep(values: NDArray[np.generic]) -> NDArray[np.uint8]:
    """16-bit or float samples (H, W) → RGBA. Floats up to 1 are shares of white, larger ones byte values."""
    if values.dtype.kind == "f":
        finite = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0).astype(np.float32)
        scale = 255 if finite.max(initial=0) <= 1 else 1
        grey = np.clip(np.rint(finite * scale), 0, 255).astype(np.uint8)
    else:
        byte_from_deep = ((np.arange(65536) + 128) // 257).astype(np.uint8)
        grey = byte_from_deep[np.clip(values.astype(np.int32), 0, 65535)]
    return np.stack([grey, grey, grey, np.full_like(grey, 255)], axis=-1)


def _deep(image: Image.Image) -> NDArray[np.uint16]:
    return np.clip(np.asarray(image).astype(np.int32), 0, 65535).astype(np.uint16)


def _indexed(image: Image.Image) -> tuple[NDArray[np.uint8], Palette]:
    indices = np.array(image, dtype=np.uint8)
    colours = np.array(image.getpalette("RGB") or [0, 0, 0], np.uint8).reshape(-1, 3)
    needed = int(indices.max(initial=0)) + 1
    if needed > len(colours):  # an index beyond the file's palette shows as black
        colours = np.concatenate([colours, np.zeros((needed - len(colours), 3), np.uint8)])
    return indices, Palette(colours[:256], _transparent_index(image.info.get("transparency"), len(colours)))


def _transparent_index(transparency: object, colours: int) -> int | None:
    """The one fully transparent entry of an indexed file, if there is exactly one."""
    if isinstance(transparency, int):
        return transparency if 0 <= transparency < colours else None
    if isinstance(transparency, bytes):
        clear = [index for index, alpha in enumerate(transparency) if alpha == 0]
        return clear[0] if len(clear) == 1 and clear[0] < colours else None
    return None


def broken(what: str, error: Exception) -> ImageError:
    """The one error of a picture that is not whole, from any that Pillow raises."""
    text = str(error).split("\n")[0].strip()
    reason = text[:100] if text.isascii() and text.isprintable() and text else type(error).__name__
    return ImageError(what, "be a whole picture", f"a broken one ({reason})", verbatim=True)
