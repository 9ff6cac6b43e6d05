"""A palette: up to 256 colours in order, of which at most one is declared transparent.

Transparency is a property of the palette, never implied by index 0. Reading and writing palette files is
`palette_files`; walking from a colour to its darker neighbour is `ramps`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.colour import Floats, oklab_from_rgb
from pixelreef.errors import PaletteError

MAX_COLOURS = 256
_HEX = re.compile(r"[0-9A-Fa-f]{6}\Z")


class Palette:
    """Colours in order, immutable and hashable. The name is a label and no part of equality.

    >>> Palette.from_hex(["000000", "ff8800"], transparent=0)
    Palette(2 colours, transparent 0)
    """

    def __init__(self, rgb: NDArray[Any], transparent: int | None = None, name: str = "") -> None:
        colours = np.array(rgb, dtype=np.uint8, order="C")
        if colours.ndim != 2 or colours.shape[1] != 3 or not 1 <= len(colours) <= MAX_COLOURS:
            raise PaletteError("palette", f"have 1 to {MAX_COLOURS} colours of three channels", colours.shape)
        if transparent is not None and not 0 <= transparent < len(colours):
            raise PaletteError("transparent", f"be an index from 0 to {len(colours) - 1}", transparent)
        colours.flags.writeable = False
        self._rgb = colours
        self.transparent = transparent
        self.name = name

    @classmethod
    def from_hex(cls, colours: Iterable[str], transparent: int | None = None, name: str = "") -> Palette:
        """From strings of six hex digits, with no `#`."""
        rgb = [rgb_from_hex(colour, f"colour {index}") for index, colour in enumerate(colours)]
        return cls(np.array(rgb, np.uint8).reshape(-1, 3), transparent, name)

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """(n, 3) sRGB bytes, read-only; the transparent entry has a colour too, which is never seen."""
        return self._rgb

    @cached_property
    def rgba(self) -> NDArray[np.uint8]:
        """(n, 4) sRGB bytes with alpha 0 for the transparent entry, whose colour then is black."""
        table = np.concatenate([self._rgb, np.full((len(self), 1), 255, np.uint8)], axis=1)
        if self.transparent is not None:
            table[self.transparent] = 0
        table.flags.writeable = False
        return table

    @cached_property
    def oklab(self) -> Floats:
        """(n, 3) OKLab, float64."""
        return oklab_from_rgb(self._rgb)

    @cached_property
    def opaque(self) -> NDArray[np.intp]:
        """The indices of the colours that can be seen, ascending."""
        return np.array([i for i in range(len(self)) if i != self.transparent], dtype=np.intp)

    def hex(self) -> list[str]:
        """The colours as lower-case strings of six hex digits."""
        return [bytes(colour).hex() for colour in self._rgb]

    def __len__(self) -> int:
        return len(self._rgb)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Palette)
            and self.transparent == other.transparent
            and np.array_equal(self._rgb, other._rgb)
        )

    def __hash__(self) -> int:
        return hash((self._rgb.tobytes(), self.transparent))

    def __repr__(self) -> str:
        seen = "" if self.transparent is None else f", transparent {self.transparent}"
        return f"Palette({self.name + ': ' if self.name else ''}{len(self)} colours{seen})"


def rgb_from_hex(colour: str, what: str = "colour") -> tuple[int, int, int]:
    """Six hex digits → three bytes.

    >>> rgb_from_hex("ff8800")
    (255, 136, 0)
    """
    if not _HEX.match(colour):
        raise PaletteError(what, "be six hex digits such as ff8800", colour)
    value = int(colour, 16)
    return value >> 16, value >> 8 & 255, value & 255
