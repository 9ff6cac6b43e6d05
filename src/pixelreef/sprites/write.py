"""Samples as files: a PNG each, a contact sheet, and on request sprite documents and a corpus.

Files are named by cell and number (`jellyfish-abyss-0007.png`), so that `taste samples` finds their cells.
`samples.json` says which weights drew them, and how.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pixelreef.core.file_names import FileNames
from pixelreef.core.files import read_bytes, write_bytes, write_json, write_text
from pixelreef.core.grid import Grid
from pixelreef.core.render import png_from_grid, png_from_rgba
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import InputError
from pixelreef.sprites.choose import Sampling
from pixelreef.sprites.sample import Sample
from pixelreef.sprites.sheets import COLUMNS, MAX_ROWS, sheet
from pixelreef.sprites.weights import Weights

GENERATOR = "pixelreef-sprites-1"
SHEET, CORPUS, FACTS = "sheet.png", "samples.parquet", "samples.json"
MAX_FACTS = 2**16  # bytes
_KEPT = MAX_ROWS * COLUMNS  # of a cell, for the sheet


@dataclass(frozen=True)
class Order:
    """How sprites were asked for, and in which forms they are kept."""

    weights: Weights
    seed: int = 0
    sampling: Sampling = field(default_factory=Sampling)
    scale: int = 1
    documents: bool = False
    corpus: bool = False


def write_samples(samples: Iterable[Sample], out: Path, order: Order) -> Iterator[tuple[Sample, Path]]:
    """Write each sprite as it comes, and hand it on; the sheet and the corpus when the last one has passed."""
    names, kept = _Names(), dict[str, list[Sample]]()
    every: list[Sample] = []
    for sample in samples:
        name = f"{names.of(sample.cell)}-{sample.number:04d}"
        path = write_bytes(out / f"{name}.png", png_from_grid(Grid(sample.cells), order.weights.palette, order.scale))
        if order.documents:
            _write_document(out / f"{name}.json", name, sample, order)
        if order.corpus:
            every.append(sample)
        some = kept.setdefault(sample.cell, [])
        if len(some) < _KEPT:
            some.append(sample)
        yield sample, path
    if kept:
        title = f"seed {order.seed}, temperature {order.sampling.temperature:g}, guidance {order.sampling.guidance:g}"
        picture = sheet(kept, order.weights.config, order.weights.palette, title)
        write_bytes(out / SHEET, png_from_rgba(picture))
        write_json(out / FACTS, {"format": "pixelreef-samples", "version": 1, **_asked(order)})
    if every:
        _write_corpus(out / CORPUS, every, order)


def sprite_from_sample(sample: Sample, order: Order, name: str) -> Sprite:
    """With where it comes from."""
    return Sprite(order.weights.palette, (Frame(Grid(sample.cells)),), name, lineage(sample, order))


def lineage(sample: Sample, order: Order) -> dict[str, Any]:
    """Where a sprite comes from, as JSON values."""
    return {**origin(sample.cell, sample.number, order), "likelihood": sample.likelihood}


def origin(cell: str, number: int, order: Order) -> dict[str, Any]:
    """What decides a sprite, as JSON values."""
    facts: Mapping[str, Any] = order.weights.facts
    told = {"by": GENERATOR, "cell": cell, "number": number, **_asked(order)}
    corpus = {"corpus": facts["corpus"]} if isinstance(facts.get("corpus"), str) else {}
    return {**told, **corpus}


def weights_of(samples: Path) -> str:
    """The hash of the weights that drew samples, a folder or a corpus file of ours; empty where it does not say."""
    from pixelreef.corpus.store import is_parquet, open_corpus

    try:
        if samples.is_dir():
            found = json_from_bytes(read_bytes(samples / FACTS, MAX_FACTS), FACTS)
        else:
            found = open_corpus(samples).history if is_parquet(samples) else {}
    except InputError:
        return ""
    told = found.get("weights") if isinstance(found, dict) else None
    return told if isinstance(told, str) and re.fullmatch("[0-9a-f]{32}", told) else ""


def _asked(order: Order) -> dict[str, Any]:
    return {"weights": order.weights.hash, "seed": order.seed, "sampling": order.sampling.document()}


def _write_document(path: Path, name: str, sample: Sample, order: Order) -> None:
    from pixelreef.core.document import json_from_sprite

    write_text(path, json_from_sprite(sprite_from_sample(sample, order, name)))


def _write_corpus(path: Path, samples: list[Sample], order: Order) -> None:
    from pixelreef.corpus.entry import Entry, Origin
    from pixelreef.corpus.store import write_corpus

    origin = Origin("sprites")
    entries = (
        Entry(
            sample.cells,
            order.weights.palette,
            origin,
            sample.factors,
            parameters=lineage(sample, order),
            generator=GENERATOR,
        )
        for sample in samples
    )
    history = {"by": "sprites sample", **_asked(order)}
    write_corpus(path, entries, order.weights.config.factors, history)


class _Names:
    """File names of cells, no two alike."""

    def __init__(self) -> None:
        self.by_cell: dict[str, str] = {}
        self.names = FileNames("cell")

    def of(self, cell: str) -> str:
        if cell not in self.by_cell:
            self.by_cell[cell] = self.names.of(cell)
        return self.by_cell[cell]
