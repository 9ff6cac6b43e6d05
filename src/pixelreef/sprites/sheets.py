"""Pictures of what was drawn: the cells by two factors, or a row each; temperature × cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import Palette
from pixelreef.core.render import enlarged
from pixelreef.core.sheet import contact_sheet
from pixelreef.sprites.config import Config
from pixelreef.sprites.sample import Sample

COLUMNS = 8  # sprites in a row
PER_CELL = 4  # in a table of two factors
MAX_ROWS = 200
MAX_VALUES = 12  # of a factor, in a table
_TILE = 96  # pixels that a sprite may take

Samples = Mapping[str, Sequence[Sample]]
"""By cell."""
Pixels = NDArray[np.uint8]
_BLANK = np.zeros((1, 1, 4), np.uint8)


def sheet(samples: Samples, config: Config, palette: Palette, title: str) -> Pixels:
    """All cells of two factors as a table; one cell in rows of eight; else the first eight of each cell in a row."""
    if is_table(samples, config):
        return table(samples, config, palette, title)
    if len(samples) == 1:
        (drawn,) = samples.values()
        starts = range(0, min(len(drawn), MAX_ROWS * COLUMNS), COLUMNS)
        return contact_sheet([_row(drawn[start : start + COLUMNS], palette) for start in starts], title=title, scale=1)
    shown = dict(list(samples.items())[:MAX_ROWS])
    if len(shown) < len(samples):
        title = f"{title}, the first {MAX_ROWS} of {len(samples):,} cells"
    return contact_sheet([_row(some[:COLUMNS], palette) for some in shown.values()], list(shown), title=title, scale=1)


def is_table(samples: Samples, config: Config) -> bool:
    """Whether the cells fill a table of two factors of at most twelve values each."""
    sizes = [len(values) for values in config.factors.values()]
    return len(sizes) == 2 and max(sizes) <= MAX_VALUES and len(samples) == sizes[0] * sizes[1]


def table(samples: Samples, config: Config, palette: Palette, title: str) -> Pixels:
    """A row for each value of the first factor, a group of columns for each value of the second."""
    first, second = config.factors.values()
    each = min(PER_CELL, max(len(some) for some in samples.values()))
    rows = [[one for column in second for one in _row(samples[f"{row}/{column}"], palette, each)] for row in first]
    return contact_sheet(rows, first, second, title, scale=1, columns_per_label=each)


def sweep_sheet(swept: Mapping[float, Samples], palette: Palette, title: str) -> Pixels:
    """A row for each cell, a group of columns for each temperature."""
    cells = list(next(iter(swept.values())))[:MAX_ROWS]
    each = max(len(some) for samples in swept.values() for some in samples.values())
    rows = [[one for samples in swept.values() for one in _row(samples[cell], palette, each)] for cell in cells]
    labels = [f"temperature {temperature:g}" for temperature in swept]
    return contact_sheet(rows, cells, labels, title, scale=1, columns_per_label=each)


def _row(samples: Sequence[Sample], palette: Palette, each: int = 0) -> list[Pixels]:
    """RGBA pictures at a whole scale; with `each`, so many, and blanks where there are fewer."""
    some = samples[:each] if each else samples
    pictures = [enlarged(palette.rgba[one.cells], max(1, _TILE // max(one.cells.shape))) for one in some]
    return pictures + [_BLANK] * (each - len(pictures))
