"""Features of small sprites: one fixed, named vector per sprite, whatever its size and palette.

    silhouette   the shape of what is opaque
    light        lightness: how much, where, which way it falls
    texture      what a neighbourhood of pixels looks like, from lightness
    hue          colours: which, how strong, where

Without `hue` nothing of hue or chroma is left: `light` and `texture` look at OKLab lightness alone, `silhouette` at
transparency alone. A sprite and its mirror image have the same features. Where a palette declares no transparent
colour, every pixel is opaque and `silhouette` says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats
from pixelreef.core.palette import Palette
from pixelreef.errors import GridError, InputError
from pixelreef.metrics.features.hue import hue
from pixelreef.metrics.features.light import light
from pixelreef.metrics.features.planes import Colours, Planes, palettes_of
from pixelreef.metrics.features.silhouette import silhouette
from pixelreef.metrics.features.texture import texture

__all__ = ["ALL", "COLOURLESS", "Features", "features"]

_FAMILIES: dict[str, Callable[[Planes], dict[str, Floats]]] = {
    "silhouette": silhouette,
    "light": light,
    "texture": texture,
    "hue": hue,
}
ALL = tuple(_FAMILIES)
COLOURLESS = ("silhouette", "light", "texture")
_BLOCK = 512  # sprites looked at together: a plane of 32×32 is then 2 MB


@dataclass(frozen=True)
class Features:
    """Named values of N sprites."""

    names: tuple[str, ...]
    """`family.feature` or `family.feature.place`, always in the same order."""
    values: Floats
    """(N, len(names)) float32, all finite."""

    def __len__(self) -> int:
        return len(self.values)

    def family(self, *families: str) -> Features:
        """Those of some families only."""
        chosen = [place for place, name in enumerate(self.names) if name.split(".")[0] in _known(families)]
        return Features(tuple(self.names[place] for place in chosen), self.values[:, chosen])


def features(batch: NDArray[np.uint8], palette: Palette | Sequence[Palette], families: Iterable[str] = ALL) -> Features:
    """The features of each grid of a batch (N, H, W), in one palette or in one palette each.

    >>> dot = np.array([[[0, 0, 0], [0, 1, 0], [0, 0, 0]]], np.uint8)
    >>> found = features(dot, Palette.from_hex(["000000", "ff8800"], transparent=0), ["silhouette"])
    >>> found.names[:2], (9 * found.values[0, :2]).round(3).tolist()
    (('silhouette.area', 'silhouette.box_height'), [1.0, 3.0])
    """
    if batch.ndim != 3 or batch.dtype != np.uint8 or 0 in batch.shape[1:]:
        raise GridError("batch", "be a (N, H, W) array of uint8", (batch.shape, str(batch.dtype)))
    chosen = _known(families)
    colours = Colours(palettes_of(palette, len(batch)))
    names: tuple[str, ...] = ()
    blocks = []
    for start in range(0, max(len(batch), 1), _BLOCK):
        planes = Planes(batch[start : start + _BLOCK], colours[start : start + _BLOCK])
        found = {f"{family}.{name}": value for family in chosen for name, value in _FAMILIES[family](planes).items()}
        names = names or tuple(name for key, value in found.items() for name in _spelled(key, value))
        blocks.append(
            np.concatenate([value.reshape(len(value), math.prod(value.shape[1:])) for value in found.values()], axis=1)
        )
    return Features(names, np.concatenate(blocks).astype(np.float32))


def _known(families: Iterable[str]) -> list[str]:
    given = list(families)
    if not given or set(given) - set(ALL):
        raise InputError("families", f"be some of {', '.join(ALL)}", given)
    return [family for family in ALL if family in given]


def _spelled(name: str, value: Floats) -> list[str]:
    """One name per number: the place in the array, counted from 0, after the feature's name."""
    return [".".join([name, *map(str, place)]) for place in np.ndindex(value.shape[1:])]
