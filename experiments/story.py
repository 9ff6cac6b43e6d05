"""Four turns of the same handle: what a short run makes of corpora of four kinds.

    pixelreef corpus make --per-cell 2200 --out procedural.parquet
    python experiments/story.py photographs cuttings.parquet [--suim SUIM]
    pixelreef corpus mix cuttings.parquet --allow-unknown-licence --out photographs.parquet
    pixelreef corpus folder TILES --folders category --palette reef --licence CC0-1.0 --out sheets.parquet
    pixelreef corpus mix procedural.parquet photographs.parquet sheets.parquet --cap-cell 300 \\
        --palette reef --size 32 --allow-unknown-licence --out mix.parquet
    pixelreef sprites train procedural.parquet --recipe experiments/story.toml --devices 2 --out procedural
    python experiments/story.py table procedural photographs sheets mix raster --out experiments/story.json

`photographs` cuts sprites out of the SUIM pairs by their masks, or, without them, out of scenes drawn by code. `table`
prints each run as Markdown: its loss, its verdicts, and the cells that it never learned although their loss fell;
`--out` keeps the loss and the verdict of every cell. A step takes longer the more pixels are opaque, so each corpus has
`--steps` of its own for the same quarter of an hour.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import write_json
from pixelreef.core.quantise import quantise
from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.photos.pixelise import pixelise
from pixelreef.corpus.store import write_corpus
from pixelreef.masks.datasets import dataset
from pixelreef.metrics.overlap import Labels
from pixelreef.report.tables import markdown_table
from pixelreef.sprites.history import Look, read_history

SIZE = 32
PER_CLASS = 200
SCENES = 12
SIDES = (64, 224)  # pixels of a photograph along a side of a cutting
SHOWN = 0.15  # the least share of a cutting that its class covers
SEEN = 400  # the least pixels of a class in a photograph
GROUNDS = ("water", "sea floor")  # they have no outline of their own
TRIES = 40  # windows for each cutting that is wanted
SEED = 0

Photograph = tuple[NDArray[np.uint8], Labels]


def cuttings(suim: Path | None) -> Iterator[Entry]:
    """Windows of photographs around a class, with what is of other classes cut away."""
    source = dataset("suim" if suim else "reef-scenes")
    items = source.items(suim, None if suim else SCENES, SEED).items
    photographs = [item.read() for item in items]
    for label, of in enumerate(source.classes.classes):
        if of.name not in GROUNDS:
            for cells, number in islice(_of_class(photographs, label, of.name), PER_CLASS):
                origin = Origin(source.name, address=items[number].id)
                yield Entry(cells, reef_palette(), origin, {"category": of.name}, group=f"{of.name}-{number}")


def _of_class(photographs: list[Photograph], label: int, name: str) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Sprites of one class, and the number of the photograph that each is of."""
    random = rng(SEED, "cuttings", name)
    places = [np.argwhere(truth == label) for _, truth in photographs]
    those = [number for number, found in enumerate(places) if len(found) >= SEEN]
    for _ in range(TRIES * PER_CLASS if those else 0):
        number = those[int(random.integers(len(those)))]
        picture, truth = photographs[number]
        side = int(random.integers(*SIDES))
        middle = places[number][int(random.integers(len(places[number])))]
        corner = np.clip(middle - side // 2, 0, np.maximum(np.array(truth.shape) - side, 0))
        window = slice(corner[0], corner[0] + side), slice(corner[1], corner[1] + side)
        mask = truth[window] == label
        if mask.mean() >= SHOWN:
            cells = quantise(pixelise(picture[window], mask, SIZE), reef_palette())
            yield np.ascontiguousarray(cells[:, :: int(random.choice([1, -1]))]), number


def table(runs: list[Path]) -> str:
    """The runs as rows."""
    head = ["run", "minutes", "bits per pixel, first look → kept one", "learned", "weak", "noise", "other",
            "loss fell by a tenth or more, not learned"]  # fmt: skip
    return markdown_table(head, [False, *[True] * 6, False], [_row(run) for run in runs])


def document(runs: list[Path]) -> dict[str, object]:
    """Run → minutes, steps, and of each cell its loss at the first and the kept look, and its verdict.

    A cell of which no sprite is held back has no loss.
    """
    found: dict[str, object] = {}
    for run in runs:
        first, last = _looks(run)
        cells = {
            cell: [*(round(look.cells[cell], 3) if cell in look.cells else None for look in (first, last)), word]
            for cell, word in (last.verdicts or {}).items()
        }
        ended = read_history(run)[-1]
        found[run.name] = {
            "minutes": round(ended.seconds / 60, 1),
            "steps": ended.step,
            "kept": last.step,
            "cells": cells,
        }
    return found


def _looks(run: Path) -> tuple[Look, Look]:
    """The first, and the one whose weights were kept and judged: that of the lowest loss."""
    looks = read_history(run)
    return looks[0], replace(min(looks, key=lambda look: look.loss), verdicts=looks[-1].verdicts)


def _row(run: Path) -> list[str]:
    first, last = _looks(run)
    words = Counter((last.verdicts or {}).values())
    other = sum(words.values()) - words["learned"] - words["weak"] - words["noise"]
    return [
        run.name,
        f"{read_history(run)[-1].seconds / 60:.1f}",
        f"{first.loss:.3f} → {last.loss:.3f}",
        *(str(words[word]) for word in ("learned", "weak", "noise")),
        str(other),
        f"{len(_fell(first, last))} of {len(last.verdicts or {})}",
    ]


def _fell(first: Look, last: Look) -> list[str]:
    """The cells whose loss fell, and that were not learned all the same."""
    return [
        cell
        for cell, word in (last.verdicts or {}).items()
        if word != "learned" and cell in last.cells and last.cells[cell] < 0.9 * first.cells[cell]
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("photographs")
    made.add_argument("out", type=Path)
    made.add_argument("--suim", type=Path)
    told = commands.add_parser("table")
    told.add_argument("runs", type=Path, nargs="+")
    told.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.command == "table":
        print(table(given.runs))
        if given.out:
            write_json(given.out, document(given.runs))
        return
    entries = list(cuttings(given.suim))
    names = tuple(dict.fromkeys(entry.factors["category"] for entry in entries))
    write_corpus(given.out, entries, {"category": names}, {"by": "experiments/story.py"})
    print(f"{given.out}: {len(entries):,} cuttings of {len(names)} classes")


if __name__ == "__main__":
    main()
