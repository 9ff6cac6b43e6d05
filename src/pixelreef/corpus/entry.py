"""One sprite of a corpus: its cells and palette, what is known about it, and where it comes from.

An entry is a still. The frames of one creature are entries of one `group`. Makers and importers yield entries one by
one and `store` writes them as they come, so a corpus never has to fit into memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.errors import GridError

UNLABELLED = "all"  # the cell of an entry with no factors


@dataclass(frozen=True)
class Origin:
    """Where a sprite comes from, and under which licence it may be used."""

    source: str
    """What brought it in: `reef`, or the name of a folder, a sheet or a category of photographs."""
    author: str = ""
    licence: str = ""
    """An SPDX identifier where there is one (`CC0-1.0`), else its name; empty when nothing is known."""
    address: str = ""
    """Where it can be found: an address of the web, or a path inside its source."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A sprite and what is known about it."""

    cells: Cells
    """(height, width) palette indices."""
    palette: Palette
    origin: Origin
    factors: Mapping[str, str] = field(default_factory=dict)
    """Named conditions, such as {"category": "jellyfish", "zone": "abyss"}; empty when nothing was said."""
    name: str = ""
    species: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What it was made from, as JSON values."""
    parts: Cells | None = None
    """(height, width) indices of `parts.PARTS`, 0 where nothing is, when known."""
    group: str = ""
    """What must stay together in a split: the frames of one creature, near copies. Empty: a group of its own."""
    split: str = ""
    """`train`, `validation`, `test`, or empty when not split."""
    weight: float = 1.0
    """How often it is to be drawn, against the others; 1 unless curated."""
    generator: str = ""
    """What drew it, with its version, such as `reef-1`; empty for what was imported."""

    def __post_init__(self) -> None:
        if self.cells.ndim != 2 or self.cells.dtype != np.uint8 or 0 in self.cells.shape:
            raise GridError("cells", "be a (H, W) array of uint8", (self.cells.shape, str(self.cells.dtype)))
        if self.parts is not None and self.parts.shape != self.cells.shape:
            raise GridError("parts", f"be as large as the sprite, {self.cells.shape}", self.parts.shape)

    @property
    def cell(self) -> str:
        """The factor values in their order, joined: `jellyfish/abyss`; `all` without any."""
        return "/".join(value for value in self.factors.values() if value) or UNLABELLED

    @cached_property
    def hash(self) -> str:
        """32 hex digits over what is seen: size and colours, not the order of the palette.

        >>> a = Entry(np.array([[0, 1]], np.uint8), Palette.from_hex(["000000", "ff0000"], 0), Origin("x"))
        >>> b = Entry(np.array([[1, 0]], np.uint8), Palette.from_hex(["ff0000", "123456"], 1), Origin("y"))
        >>> a.hash == b.hash
        True
        """
        height, width = self.cells.shape
        seen = self.palette.rgba[self.cells].tobytes()
        return hashlib.blake2b(b"%d %d " % (width, height) + seen, digest_size=16).hexdigest()
