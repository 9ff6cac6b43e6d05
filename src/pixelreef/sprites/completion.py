"""What is given of a sprite before it is drawn: some of its pixels, or its silhouette.

A picture gives its opaque pixels and leaves the transparent ones to be drawn, or gives what a mask says. A silhouette
gives the ground around a shape, and asks for a colour everywhere inside.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.images import Picture
from pixelreef.core.quantise import quantise
from pixelreef.errors import InputError
from pixelreef.sprites.config import Config
from pixelreef.sprites.cut import Bits
from pixelreef.sprites.task import Codes
from pixelreef.sprites.weights import Weights

_SEEN = 128  # alpha, or lightness of a mask, from which a pixel counts


@dataclass(frozen=True, eq=False)
class Given:
    """What is known of a sprite."""

    codes: Codes
    """(height, width): a colour, `filled` for anything but ground, or `unknown`."""
    allowed: Bits | None = None
    """(colours,): those that the rest may have; None: all."""
    begun: bool = False
    """Whether whole patches are given that the model goes on from, as if it had drawn them itself in their turn."""


def given_from_picture(picture: Picture, weights: Weights, mask: Picture | None = None) -> Given:
    """The opaque pixels of a picture, or those where a mask is light, in the nearest colours of the palette."""
    _check(picture, weights, "--given")
    given = _opaque(picture.rgba)
    if mask is not None:
        _check(mask, weights, "--mask")
        given = light_of(mask)
    colours = quantise(picture.rgba, weights.palette).astype(np.int64)
    return Given(np.where(given, colours, weights.config.unknown))


def silhouette_from_picture(picture: Picture, weights: Weights) -> Given:
    """The shape of a picture's opaque pixels; their colours are left to be drawn."""
    _check(picture, weights, "--silhouette")
    return Given(np.where(_opaque(picture.rgba), weights.config.filled, weights.config.ground))


def colours_of(grids: Iterable[NDArray[np.uint8]], config: Config) -> Bits | None:
    """(colours,): those that stand in some grids, for `Given.allowed`; None where there is ground alone."""
    found = np.zeros(config.colours, np.bool_)
    for cells in grids:
        found[cells] = True
    found[config.ground] = False
    return found if found.any() else None


def light_of(mask: Picture) -> Bits:
    """(height, width): where a picture is opaque and light."""
    return np.asarray((mask.rgba[..., :3].max(axis=-1) >= _SEEN) & _opaque(mask.rgba))


def _check(picture: Picture, weights: Weights, what: str) -> None:
    config = weights.config
    if (picture.height, picture.width) != (config.height, config.width):
        size = f"{picture.width} × {picture.height}"
        raise InputError(what, f"be a picture of {config.width} × {config.height} pixels", size, verbatim=True)


def _opaque(rgba: NDArray[np.uint8]) -> Bits:
    return np.asarray(rgba[..., 3] >= _SEEN)
