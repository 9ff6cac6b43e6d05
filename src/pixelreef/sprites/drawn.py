"""Sprites that a model draws while it is trained: on sheets, held against the corpus for copies, judged by taste.

Knows no torch: whoever trains passes in how to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import write_bytes
from pixelreef.core.palette import Palette
from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.contact import MAX_VALUES, overview, table
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.metrics.likeness import NEAR_COPY, nearest, signatures
from pixelreef.sprites.choose import uniforms
from pixelreef.sprites.config import Config
from pixelreef.sprites.engine import Engine, Task
from pixelreef.sprites.lecture import Lecture
from pixelreef.taste.judge import Judgement
from pixelreef.taste.samples import judge_samples
from pixelreef.taste.sprites import Sprites, sprites_from_arrays

Grids = NDArray[np.uint8]
Draw = Callable[[Task], Grids]
"""How to draw: (n, height, width)."""

COPIES_TRIED = 128  # samples, spread over the cells: a share of 0.1 is then known to ±0.05
SHOWN = 4  # sprites of a cell on a sheet
MAX_ROWS = 60  # cells of a sheet that has no table
_AT_ONCE = 64


def engine_draw(config: Config, arrays: Mapping[str, NDArray[np.float32]]) -> Draw:
    """Drawing by the engine, with weights as they would be kept: in float16."""
    return Engine(config, {name: value.astype(np.float16).astype(np.float32) for name, value in arrays.items()}).draw


def draw_cells(lecture: Lecture, draw: Draw, each: int, seed: int) -> Sprites:
    """So many samples of every cell that is taught, as taste takes them: those that a `Sampler` would draw first."""
    config, cells = lecture.config, lecture.cells
    asked = [(cell, number) for cell in cells for number in range(each)]
    grids = []
    for start in range(0, len(asked), _AT_ONCE):
        some = asked[start : start + _AT_ONCE]
        drawn = [uniforms(seed, np.array([number]), config, cell) for cell, number in some]
        shapes, colours = (np.concatenate(one) for one in zip(*drawn, strict=True))
        grids.append(draw(Task(np.stack([cells[cell] for cell, _ in some]), shapes, colours)))
    labels = [cell for cell, _ in asked]
    return sprites_from_arrays(np.concatenate(grids), lecture.palette, labels, lecture.sprites.factors, "drawn")


def write_sheet(samples: Sprites, path: Path, title: str) -> Path:
    """A picture of the first samples of each cell: category by zone where two factors allow it."""
    chosen = {
        cell: [_entry(samples.cells[place], samples.palette, cell) for place in places[:SHOWN]]
        for cell, places in samples.by_cell.items()
    }
    factors = samples.factors
    if len(factors) == 2 and all(1 <= len(values) <= MAX_VALUES for values in factors.values()):
        sheet = table(chosen, factors, title, SHOWN)
    else:
        sheet = overview(dict(list(chosen.items())[:MAX_ROWS]), title, SHOWN)
    return write_bytes(path, png_from_rgba(sheet))


@dataclass(frozen=True, eq=False)
class Copies:
    """How many samples are near-copies of what was taught, against the sprites held back."""

    lecture: Lecture

    @cached_property
    def usual(self) -> float:
        """The share of sprites held back that are near-copies."""
        return self.share(self.lecture.held_sprites)

    def share(self, sprites: Sprites) -> float:
        """0 to 1."""
        clear = self.lecture.palette.transparent
        away = nearest(signatures(sprites.cells, clear), self.lecture.sprites.signatures)[1]
        return float((away <= NEAR_COPY).mean())

    def drawn(self, draw: Draw, seed: int) -> float:
        """The share of fresh samples that are."""
        return self.share(draw_cells(self.lecture, draw, -(-COPIES_TRIED // len(self.lecture.cells)), seed))


def judged(lecture: Lecture, samples: Sprites, seed: int) -> Judgement:
    """What taste says of every cell."""
    return judge_samples(samples, lecture.sprites, seed=seed, held_out=lecture.held_sprites)


def _entry(cells: Grids, palette: Palette, cell: str) -> Entry:
    return Entry(cells, palette, Origin("drawn"), {"cell": cell})
