"""From sprites to exact files: PNG (indexed where it fits) and GIF. Reading is `images`; many at once is `sheet`."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import Sprite, palette_of_pixels
from pixelreef.errors import PaletteError


def rgba_from_grid(grid: Grid, palette: Palette, scale: int = 1) -> NDArray[np.uint8]:
    """(H·scale, W·scale, 4) bytes; every cell becomes a block of scale × scale equal pixels."""
    return enlarged(palette.rgba[grid.cells], scale)


def enlarged(pixels: NDArray[np.uint8], scale: int) -> NDArray[np.uint8]:
    """(H, W, …) → (H·scale, W·scale, …) by repetition."""
    return pixels if scale == 1 else pixels.repeat(scale, axis=0).repeat(scale, axis=1)


def png_from_sprite(sprite: Sprite, scale: int = 1) -> bytes:
    """The first frame as an indexed PNG that keeps every index and the whole palette, in order."""
    return png_from_grid(sprite.grid, sprite.palette, scale)


def png_from_grid(grid: Grid, palette: Palette, scale: int = 1) -> bytes:
    """A grid and its palette as an indexed PNG."""
    options = {} if palette.transparent is None else {"transparency": _transparency(palette)}
    return _saved(_indexed_image(enlarged(grid.cells, scale), palette), "PNG", **options)


def png_from_rgba(pixels: NDArray[np.uint8]) -> bytes:
    """(H, W, 3 or 4) bytes as a PNG; indexed when it has at most 256 colours and no half-transparent pixel."""
    rgba = pixels if pixels.shape[2] == 4 else np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    if np.isin(rgba[..., 3], (0, 255)).all():
        try:
            palette, cells = palette_of_pixels(rgba)
        except PaletteError:
            pass
        else:
            return png_from_grid(Grid(cells), palette)
    return png_from_channels(pixels)


def png_from_channels(pixels: NDArray[np.uint8]) -> bytes:
    """(H, W, 3 or 4) bytes as a PNG that is never indexed: for maps, whose channels are numbers and no colours."""
    return _saved(Image.fromarray(np.ascontiguousarray(pixels)), "PNG", optimize=True)


def gif_from_sprite(sprite: Sprite, scale: int = 1) -> bytes:
    """All frames as an endless GIF with the sprite's own colours. GIF counts time in hundredths of a second."""
    images = [_indexed_image(enlarged(frame.grid.cells, scale), sprite.palette) for frame in sprite.frames]
    options: dict[str, object] = (
        {} if sprite.palette.transparent is None else {"transparency": sprite.palette.transparent}
    )
    return _saved(
        images[0],
        "GIF",
        save_all=True,
        append_images=images[1:],
        duration=[frame.milliseconds for frame in sprite.frames],
        loop=0,
        disposal=2,
        optimize=False,
        **options,
    )


def _indexed_image(cells: NDArray[np.uint8], palette: Palette) -> Image.Image:
    image = Image.fromarray(np.ascontiguousarray(cells), "P")
    image.putpalette(palette.rgb.tobytes())
    return image


def _transparency(palette: Palette) -> bytes:
    """A PNG transparency table up to the transparent entry."""
    assert palette.transparent is not None
    return b"\xff" * palette.transparent + b"\x00"


def _saved(image: Image.Image, container: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, container, **options)
    return buffer.getvalue()
