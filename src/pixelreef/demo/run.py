"""Runs the demo and writes its page: `report/index.html` and `report/summary.json`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import replacing, write_json
from pixelreef.core.grid import Grid
from pixelreef.core.reef import reef_palette, reef_ramps
from pixelreef.corpus.cells import CELLS
from pixelreef.corpus.reef.make import GENERATOR
from pixelreef.corpus.reef.species import species
from pixelreef.demo.living import living_reef
from pixelreef.demo.masks import DATASETS, control_board
from pixelreef.demo.page import demo_page
from pixelreef.demo.quantising import Entrant, compare_ways
from pixelreef.demo.scene import paint_reef
from pixelreef.demo.sprites import drawn_cells
from pixelreef.demo.taste import taste_board
from pixelreef.draw.boards import standings
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.sources import kept_replies
from pixelreef.errors import InputError
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import weights_from

Progress = Callable[[int, int, str], None]
NAME = "reef"
MAX_NAME = 60


@dataclass(frozen=True)
class DemoResult:
    """Where the page is, and what it shows as plain JSON values."""

    page: Path
    summary: dict[str, Any]


def run_demo(
    out: str | os.PathLike[str] = "report", seed: int = 0, progress: Progress | None = None, name: str = NAME
) -> DemoResult:
    """Do the main job and write the page into `out`; `name` is what the living reef grows from.

    `progress(done, of, what)` is told what comes next.
    """
    if not 1 <= len(name.strip()) <= MAX_NAME:
        raise InputError("--name", f"be 1 to {MAX_NAME} characters", name)
    page = Path(out) / "index.html"
    with replacing(page) as part:  # begun first, so that a folder that can't be written is known before the work
        html, summary = _made(seed, name.strip(), progress or (lambda done, of, what: None))
        part.write_bytes(html.encode("utf-8", errors="replace"))
    write_json(Path(out) / "summary.json", summary)
    return DemoResult(page, summary)


def _made(seed: int, name: str, tell: Progress) -> tuple[str, dict[str, Any]]:
    """The page and its summary."""
    started = time.perf_counter()
    steps = 8
    tell(0, steps, "painting a reef")
    picture = paint_reef(seed)
    tell(1, steps, "comparing four ways to quantise it")
    entrants = compare_ways(picture, reef_palette(), seed)
    tell(2, steps, "growing a living reef")
    sampler = Sampler(weights_from(None))
    living = living_reef(name, Grid(entrants[0].cells), sampler)
    tell(3, steps, "drawing thirty cells with the model")
    drawn = drawn_cells(sampler, seed)
    tell(4, steps, "scoring the drawings of a small language model")
    attempts = score_replies(kept_replies())
    tell(5, steps, "scoring masks made from the truth")
    masks = [control_board(name, seed) for name in DATASETS]
    tell(6, steps, "judging a corpus with one bad cell")
    taste = taste_board(seed)
    tell(7, steps, "writing the page")
    sections = [taste.section, *(one.section for one in masks)]
    html = demo_page(living, drawn.section, picture, entrants, attempts, sections, seed)
    tell(steps, steps, "done")
    return html, {
        **_summary(seed, entrants, attempts),
        "living": living.document(),
        "sprites": drawn.document(),
        "masks": {one.dataset: one.figures for one in masks},
        "taste": {"planted": taste.planted, "failed": list(taste.failed)},
        "seconds": round(time.perf_counter() - started, 2),
    }


def _summary(seed: int, entrants: list[Entrant], attempts: list[Attempt]) -> dict[str, Any]:
    return {
        "pixelreef": __version__,
        "seed": seed,
        "palette": {"name": "reef", "colours": len(reef_palette()), "ramps": len(reef_ramps().lines)},
        "quantising": [
            {"way": one.name, "near": vars(one.near), "far": vars(one.far), "colours_used": one.colours}
            for one in entrants
        ],
        "corpus": {"generator": GENERATOR, "cells": len(CELLS), "species": len(species())},
        "draw": [
            {
                "entrant": one.entrant,
                "attempts": one.attempts,
                "scores": {name: vars(one.scores[name]) for name in ("usable", "valid", "craft")},
            }
            for one in standings(attempts, seed)
        ],
    }
