"""The model's part of the demo: the thirty cells again, drawn from the shipped weights by the engine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from pixelreef.core.render import png_from_rgba
from pixelreef.demo.cells import SHOWN, two_by_two
from pixelreef.report import Gallery, Picture, Section
from pixelreef.sprites.sample import Sample, Sampler
from pixelreef.sprites.scale import parameters

_WORDS = (
    "The same thirty cells, drawn by a model of {millions:.1f} million parameters that learned them from sprites made "
    "by code: {count} sprites, the first of the seed, none left out. It runs on the processor, without torch."
)


@dataclass(frozen=True)
class DrawnCells:
    """A section for the page, and what the summary says."""

    section: Section
    sprites: int
    per_second: float
    not_learned: dict[str, str]

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {"drawn": self.sprites, "per_second": round(self.per_second, 1), "not_learned": self.not_learned}


def drawn_cells(sampler: Sampler, seed: int = 0) -> DrawnCells:
    """Draw some sprites of every cell."""
    cells = list(sampler.cells())
    started = time.perf_counter()
    drawn: dict[str, list[Sample]] = {cell: [] for cell in cells}
    for sample in sampler.sample_cells(cells, SHOWN, seed):
        drawn[sample.cell].append(sample)
    count = SHOWN * len(cells)
    per_second = count / (time.perf_counter() - started)
    failing = {cell: word for cell in cells if (word := sampler.failing(cell)) is not None}
    pictures = [_picture(cell, some, sampler, failing.get(cell, "")) for cell, some in drawn.items()]
    words = _WORDS.format(millions=parameters(sampler.config) / 1e6, count=count)
    gallery = Gallery(pictures, tile=204, label="The thirty cells, drawn by the model")
    return DrawnCells(Section("sprites", "Thirty cells, learned", words, [gallery]), count, per_second, failing)


def _picture(cell: str, samples: list[Sample], sampler: Sampler, failing: str) -> Picture:
    sheet = two_by_two([sample.cells for sample in samples], sampler.weights.palette)
    tags = tuple(f"{name}:{value}" for name, value in samples[0].factors.items())
    caption = f"not learned: {failing}" if failing else ""
    return Picture(png_from_rgba(sheet), sheet.shape[1], sheet.shape[0], cell, caption, tags)
