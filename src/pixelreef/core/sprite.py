"""A sprite: one or more grids of one size, and the palette that says what their numbers mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.images import Picture
from pixelreef.core.palette import MAX_COLOURS, Palette
from pixelreef.errors import GridError, PaletteError

DEFAULT_MILLISECONDS = 125  # 8 frames a second, a common idle animation


@dataclass(frozen=True)
class Frame:
    """One picture of an animation and how long it stands."""

    grid: Grid
    milliseconds: int = DEFAULT_MILLISECONDS


@dataclass(frozen=True)
class Sprite:
    """Frames of one size whose every cell is an index of the palette."""

    palette: Palette
    frames: tuple[Frame, ...]
    name: str = ""
    lineage: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Where it comes from, as JSON values: seed, weights, parents. Empty when not known."""

    def __post_init__(self) -> None:
        if not self.frames:
            raise GridError("sprite", "have at least one frame", 0)
        if len({frame.grid.size for frame in self.frames}) > 1:
            raise GridError("frames", "all have one size", sorted({frame.grid.size for frame in self.frames}))
        top = max(int(frame.grid.cells.max()) for frame in self.frames)
        if top >= len(self.palette):
            raise GridError("cells", f"be palette indices from 0 to {len(self.palette) - 1}", top)

    @classmethod
    def still(cls, grid: Grid, palette: Palette, name: str = "") -> Sprite:
        """A sprite of one frame."""
        return cls(palette, (Frame(grid),), name)

    @property
    def grid(self) -> Grid:
        """The first frame's grid."""
        return self.frames[0].grid

    @property
    def size(self) -> tuple[int, int]:
        """(width, height)."""
        return self.grid.size


def sprite_from_picture(picture: Picture, name: str = "") -> Sprite:
    """An indexed picture with its own indices; any other with its colours in reading order, transparent first.

    Only fully transparent pixels are transparent; semi-transparent ones count by their colour.
    """
    if picture.indices is not None and picture.palette is not None:
        return Sprite.still(Grid(picture.indices), picture.palette, name)
    palette, cells = palette_of_pixels(picture.rgba)
    return Sprite.still(Grid(cells), palette, name)


def palette_of_pixels(rgba: NDArray[np.uint8]) -> tuple[Palette, NDArray[np.uint8]]:
    """The distinct colours of (H, W, 4) in reading order, and the indices that give the picture back."""
    clear = rgba[..., 3] == 0
    packed = rgba[..., 0].astype(np.uint32) << 16 | rgba[..., 1].astype(np.uint32) << 8 | rgba[..., 2]
    packed = np.where(clear, np.uint32(2**24), packed)  # one key of its own, whatever colour hides there
    keys, first, inverse = np.unique(packed, return_index=True, return_inverse=True)
    has_clear = bool(clear.any())
    if len(keys) > MAX_COLOURS:
        todo = "Quantise it to a palette first."
        raise PaletteError("picture", f"have at most {MAX_COLOURS} colours to be a palette", len(keys), todo)
    first = np.where(keys == 2**24, -1, first)  # transparent comes first
    order = np.argsort(first)
    rank = np.empty(len(keys), np.uint8)
    rank[order] = np.arange(len(keys))
    ordered = np.where(keys[order] == 2**24, 0, keys[order])
    rgb = np.stack([ordered >> 16, ordered >> 8 & 255, ordered & 255], axis=1).astype(np.uint8)
    return Palette(rgb, 0 if has_clear else None), rank[inverse].reshape(clear.shape)
