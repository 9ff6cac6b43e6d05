"""The demo's first experiment: how well do four ways to quantise keep the colours of the painted reef?

The picture is cut into tiles; each way's error on a tile is the mean OKLab distance between what was painted and what
the palette shows there, looked at from a little distance (averaged over 4×4 pixels, as dithering is meant to be seen)
and from close by. Tiles are the items: the same for every way, so ways are compared tile by tile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.core.palette import Palette
from pixelreef.core.quantise import quantise
from pixelreef.metrics.summary import Difference, Summary, difference, mean

TILE = 16
_BLUR = 4

Way = Callable[[NDArray[np.uint8], Palette], NDArray[np.uint8]]


@dataclass(frozen=True)
class Entrant:
    """One way to quantise and how it did."""

    name: str
    cells: NDArray[np.uint8]
    near: Summary
    far: Summary
    colours: int
    ahead: Difference | None
    """Its far error minus that of the first entrant, tile by tile; None for the first itself."""


def compare_ways(picture: NDArray[np.uint8], palette: Palette, seed: int = 0) -> list[Entrant]:
    """All ways on one picture (H, W, 3); the first is ours without dithering, which the others are compared with."""
    made = {name: way(picture, palette) for name, way in WAYS.items()}
    near = {name: _tile_errors(picture, palette.rgb[cells], 1) for name, cells in made.items()}
    far = {name: _tile_errors(picture, palette.rgb[cells], _BLUR) for name, cells in made.items()}
    first = next(iter(WAYS))
    return [
        Entrant(
            name,
            cells,
            mean(near[name].values(), seed=seed),
            mean(far[name].values(), seed=seed),
            len(np.unique(cells)),
            None if name == first else difference(far[name], far[first], seed=seed),
        )
        for name, cells in made.items()
    ]


def _pillow(dither: Image.Dither) -> Way:
    """Pillow's own mapping to a given palette: nearest in RGB, with or without error diffusion."""

    def way(picture: NDArray[np.uint8], palette: Palette) -> NDArray[np.uint8]:
        opaque = palette.opaque
        holder = Image.new("P", (1, 1))
        holder.putpalette(palette.rgb[opaque].tobytes())
        made = np.asarray(Image.fromarray(picture).quantize(palette=holder, dither=dither))
        return np.asarray(opaque[np.minimum(made, len(opaque) - 1)], np.uint8)

    return way


WAYS: Mapping[str, Way] = {
    "OKLab, nearest": lambda picture, palette: quantise(picture, palette),
    "OKLab, ordered dither": lambda picture, palette: quantise(picture, palette, dither=True),
    "Pillow, nearest in RGB": _pillow(Image.Dither.NONE),
    "Pillow, Floyd–Steinberg": _pillow(Image.Dither.FLOYDSTEINBERG),
}


def _tile_errors(painted: NDArray[np.uint8], shown: NDArray[np.uint8], blur: int) -> dict[tuple[int, int], float]:
    """(row, column) of each whole tile → its mean OKLab distance."""
    height, width = (side // TILE * TILE for side in painted.shape[:2])
    a, b = (_averaged(oklab_from_rgb(picture[:height, :width]), blur) for picture in (painted, shown))
    apart = np.linalg.norm(a - b, axis=-1)
    side = TILE // blur
    tiles = apart.reshape(height // TILE, side, width // TILE, side).mean(axis=(1, 3))
    return {(row, column): float(value) for (row, column), value in np.ndenumerate(tiles)}


def _averaged(lab: Floats, blur: int) -> Floats:
    height, width = lab.shape[:2]
    return np.asarray(lab.reshape(height // blur, blur, width // blur, blur, 3).mean(axis=(1, 3)))
