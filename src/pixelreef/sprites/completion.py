"""What is given of a sprite before it is drawn: some of its pixels, or its silhouette.

A picture gives its opaque pixels and leaves the transparent ones to be drawn, or gives what a mask says. A silhouette
gives the ground around a shape, and asks for a colour everywhere inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.images import Picture
from pixelreef.core.quantise import quantise
from pixelreef.errors import InputError
from pixelreef.sprites.plan import Bits
from pixelreef.sprites.task import Grids
from pixelreef.sprites.weights import Weights

_SEEN = 128  # alpha, or lightness of a mask, from which a pixel counts


@dataclass(frozen=True, eq=False)
class Given:
    """Pixels that are given, and pixels that must not be ground."""

    cells: Grids
    """(height, width) palette indices; they count where the mask says so."""
    mask: Bits
    """(height, width)."""
    filled: Bits | None = None
    """(height, width)."""

    def rows(self, count: int) -> tuple[Grids, Bits, Bits | None]:
        """As so many sprites of a task take them: colours, mask, filled."""
        size = (count, *self.mask.shape)
        filled = None if self.filled is None else np.broadcast_to(self.filled, size)
        return np.broadcast_to(self.cells, size), self.mask, filled


def given_from_picture(picture: Picture, weights: Weights, mask: Picture | None = None) -> Given:
    """The opaque pixels of a picture, or those where a mask is light, in the nearest colours of the palette."""
    _check(picture, weights, "--given")
    if mask is None:
        return Given(quantise(picture.rgba, weights.palette), _opaque(picture.rgba))
    _check(mask, weights, "--mask")
    light = mask.rgba[..., :3].max(axis=-1) >= _SEEN
    return Given(quantise(picture.rgba, weights.palette), np.asarray(light & _opaque(mask.rgba)))


def silhouette_from_picture(picture: Picture, weights: Weights) -> Given:
    """The shape of a picture's opaque pixels; their colours are left to be drawn."""
    _check(picture, weights, "--silhouette")
    inside = _opaque(picture.rgba)
    return Given(np.full(inside.shape, weights.config.ground, np.uint8), ~inside, inside)


def _check(picture: Picture, weights: Weights, what: str) -> None:
    config = weights.config
    if (picture.height, picture.width) != (config.height, config.width):
        size = f"{picture.width} × {picture.height}"
        raise InputError(what, f"be a picture of {config.width} × {config.height} pixels", size, verbatim=True)


def _opaque(rgba: NDArray[np.uint8]) -> Bits:
    return np.asarray(rgba[..., 3] >= _SEEN)
