"""What a file with frames holds: stills of one size with their times, the palette, tags and layer names.

`animation` reads them from GIF, APNG and WebP, `aseprite` from Aseprite's own files.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette


@dataclass(frozen=True, eq=False)
class Still:
    """One frame as it is seen."""

    rgba: NDArray[np.uint8]
    """(height, width, 4) sRGB bytes, read-only."""
    milliseconds: int
    """How long it stands; 0 where the file says nothing."""
    indices: NDArray[np.uint8] | None = None
    """(height, width) indices of the animation's palette, read-only, where the file keeps such."""


@dataclass(frozen=True)
class Tag:
    """A named run of frames, such as `walk`."""

    name: str
    first: int
    last: int
    """The last frame, itself part of the run."""


@dataclass(frozen=True, eq=False)
class Animation:
    """Frames of one size, one or more."""

    format: str
    """The container: Pillow's name of it, or `Aseprite`."""
    mode: str
    """The pixel layout in the file, as Pillow names it: `P` for indices, `RGBA`, `LA` …"""
    frames: tuple[Still, ...]
    palette: Palette | None = None
    """The file's own palette, where it has one."""
    tags: tuple[Tag, ...] = ()
    layers: tuple[str, ...] = ()
    """Names from the lowest layer up, hidden ones and groups too; empty where the format has no layers."""
    notes: tuple[str, ...] = ()
    """What was done beyond plain decoding, in words."""

    @property
    def width(self) -> int:
        return int(self.frames[0].rgba.shape[1])

    @property
    def height(self) -> int:
        return int(self.frames[0].rgba.shape[0])

    def tag_of(self, number: int) -> str:
        """The name of the shortest tag around a frame, of equals the first; empty without one.

        >>> tags = (Tag("all", 0, 9), Tag("walk", 2, 5))
        >>> made = Animation("Aseprite", "P", (), tags=tags)
        >>> made.tag_of(1), made.tag_of(2), made.tag_of(10)
        ('all', 'walk', '')
        """
        around = [tag for tag in self.tags if tag.first <= number <= tag.last]
        return min(around, key=lambda tag: tag.last - tag.first).name if around else ""
