"""Two shapes after the same minutes: what sprites held back cost each of them.

    python experiments/equal_minutes.py CORPUS REEF RASTER --out SHEETS [--each 16]

REEF and RASTER are folders of training runs on CORPUS. Bits per pixel are of `each` sprites held back of every cell,
with the weights as kept, in all and for each opaque pixel. `reef` has one order for whatever is known, so there is
nothing to take a mean over. Both draw 64 sprites of every cell just as the log-odds say, without guidance, which taste
judges; a sheet of each is written. Prints one JSON document; `raster` takes half an hour to draw.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from pixelreef.corpus.store import open_corpus
from pixelreef.sprites.choose import PLAIN
from pixelreef.sprites.config import Config
from pixelreef.sprites.drawn import Draw, draw_cells, judged, write_sheet
from pixelreef.sprites.engine import Engine
from pixelreef.sprites.history import read_history
from pixelreef.sprites.layers import parameters_of
from pixelreef.sprites.lecture import Lecture, Material, lecture_from_corpus
from pixelreef.sprites.raster import read_raster
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.train import sprite_bits
from pixelreef.sprites.twin import reef_from_weights
from pixelreef.sprites.watch import RASTER
from pixelreef.sprites.weights import weights_from

SAMPLES = 64


def held(lecture: Lecture, each: int) -> Material:
    places = np.concatenate([of[:each] for of in lecture.held_sprites.by_cell.values()])
    return Material(lecture.held.grids[places], lecture.held.factors[places])


def figures(model: nn.Module, config: Config, some: Material, run: Path) -> dict[str, Any]:
    last = read_history(run)[-1]
    seen = float((some.grids != config.ground).mean())
    row_by_row = float(sprite_bits(model, some, config).mean())
    return {
        "parameters": parameters_of(model),
        "minutes": round(last.seconds / 60, 1),
        "steps": last.step,
        "bits": round(row_by_row, 4),
        "bits_opaque": round(row_by_row / seen, 4),
    }


def drawn(lecture: Lecture, draw: Draw, sheet: Path) -> dict[str, Any]:
    began = time.monotonic()
    samples = draw_cells(lecture, draw, SAMPLES, 0)
    seconds = time.monotonic() - began
    write_sheet(samples, sheet, f"{sheet.stem}, the first of seed 0")
    words = {cell: found.word for cell, found in judged(lecture, samples, 0).cells.items()}
    return {
        "per_second": round(len(samples.cells) / seconds, 2),
        "words": dict(Counter(words.values())),
        "verdicts": words,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("corpus", "reef", "raster"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=16)
    given = parser.parse_args()
    torch.set_grad_enabled(False)
    weights = weights_from(given.reef)
    lecture = lecture_from_corpus(open_corpus(given.corpus), Recipe.of(None, **weights.facts["recipe"]))
    some, engine = held(lecture, given.each), Engine(weights.config, weights.arrays)
    raster = read_raster(given.raster / RASTER)[0]
    shapes = {
        "reef": figures(reef_from_weights(weights), weights.config, some, given.reef)
        | drawn(lecture, lambda task: engine.draw(task, PLAIN), given.out / "reef.png"),
        "raster": figures(raster, raster.config, some, given.raster)
        | drawn(lecture, lambda task: raster.draw(task, PLAIN), given.out / "raster.png"),
    }
    print(json.dumps({"sprites": len(some.grids), **shapes}, indent=2))


if __name__ == "__main__":
    main()
