"""How a sheet is to be read: everything that can be given instead of found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pixelreef.core.palette import Palette
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.sheets.background import Background, Enclosed
from pixelreef.corpus.sheets.scale import Scale
from pixelreef.errors import InputError

_PAIR = re.compile(r"(\d{1,5})(?:[x,×](\d{1,5}))?\Z")


@dataclass(frozen=True)
class SheetOptions:
    """What the user said; None stands for: find it."""

    scale: Scale | None = None
    background: Background | None = None
    enclosed: Enclosed = "auto"
    """What becomes of the backdrop's colour inside a sprite: see `background`."""
    cell: tuple[int, int] | None = None
    """(width, height) in pixels after undoing an enlargement, as are offset and gutter."""
    offset: tuple[int, int] | None = None
    gutter: tuple[int, int] | None = None
    components: bool = False
    """Cut by connected parts, whatever the grid."""
    atlas: Path | None = None
    """A TexturePacker or Aseprite JSON; without it, one of the sheet's own name is used where there is one."""
    size: tuple[int, int] | None = None
    """(width, height) of the sprites; None keeps that of the cells."""
    palette: Palette | None = None
    """None keeps each sprite's own colours."""
    labels: Labels = field(default_factory=Labels)
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Factor → its value for each row of sprites, the first row first."""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    author: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        if self.cell is None and (self.offset is not None or self.gutter is not None):
            raise InputError("--offset and --gutter", "come with --cell", "none", verbatim=True)
        if self.cell is not None and (self.components or self.atlas):
            raise InputError("--cell", "stand without --components and --atlas", "both", verbatim=True)

    @property
    def all_labels(self) -> Labels:
        """The labels with the factors of rows and columns among their names."""
        return replace(self.labels, flags={**dict.fromkeys([*self.rows, *self.columns], ""), **self.labels.flags})

    def with_scale(self, scale: Scale) -> SheetOptions:
        return replace(self, scale=scale)


def pair_from_text(text: str, flag: str, least: int = 0, most: int = 4096) -> tuple[int, int]:
    """`16x24` or `16,24` → (16, 24), `16` → (16, 16).

    >>> pair_from_text("16x24", "--cell"), pair_from_text("1", "--gutter")
    ((16, 24), (1, 1))
    """
    match = _PAIR.match(text)
    pair = (int(match[1]), int(match[2] or match[1])) if match else (-1, -1)
    if not all(least <= number <= most for number in pair):
        raise InputError(flag, f"be one or two whole numbers from {least} to {most}, such as 16 or 16x24", text)
    return pair


def values_from_text(text: str, flag: str) -> tuple[str, tuple[str, ...]]:
    """`category=coral,grazer` → the factor and its values in order.

    >>> values_from_text("category=coral,grazer", "--row-factor")
    ('category', ('coral', 'grazer'))
    """
    name, equals, values = text.partition("=")
    if not name or not equals or not values:
        raise InputError(flag, "be a factor and its values, such as category=coral,grazer", text)
    return name, tuple(value.strip() for value in values.split(","))
