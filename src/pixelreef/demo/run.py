"""Runs the demo and writes its page: `report/index.html` and `report/summary.json`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

from pixelreef import __version__
from pixelreef.core.files import replacing, write_json
from pixelreef.core.grid import Grid
from pixelreef.core.reef import reef_palette, reef_ramps
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CELLS
from pixelreef.corpus.fit import subject_box
from pixelreef.corpus.reef.make import GENERATOR, make_sprite
from pixelreef.corpus.reef.species import species
from pixelreef.demo.masks import DATASETS, control_board
from pixelreef.demo.page import demo_page
from pixelreef.demo.quantising import Entrant, compare_ways
from pixelreef.demo.scene import HEIGHT, WIDTH, paint_reef
from pixelreef.demo.sprites import drawn_cells
from pixelreef.demo.taste import taste_board
from pixelreef.draw.boards import standings
from pixelreef.draw.score import Attempt, score_replies
from pixelreef.draw.sources import kept_replies
from pixelreef.report import Aquarium, Swimmer

Progress = Callable[[int, int, str], None]
SWIMMERS = 9
SIDE_VIEWS = ("boxfish", "disc", "lionfish", "puffer", "torpedo")


@dataclass(frozen=True)
class DemoResult:
    """Where the page is, and what it shows as plain JSON values."""

    page: Path
    summary: dict[str, Any]


def run_demo(out: str | os.PathLike[str] = "report", seed: int = 0, progress: Progress | None = None) -> DemoResult:
    """Do the main job and write the page into `out`. `progress(done, of, what)` is told what comes next."""
    page = Path(out) / "index.html"
    with replacing(page) as part:  # begun first, so that a folder that can't be written is known before the work
        html, summary = _made(seed, progress or (lambda done, of, what: None))
        part.write_bytes(html.encode("utf-8", errors="replace"))
    write_json(Path(out) / "summary.json", summary)
    return DemoResult(page, summary)


def _made(seed: int, tell: Progress) -> tuple[str, dict[str, Any]]:
    """The page and its summary."""
    started = time.perf_counter()
    steps = 8
    tell(0, steps, "painting a reef")
    picture = paint_reef(seed)
    tell(1, steps, "comparing four ways to quantise it")
    entrants = compare_ways(picture, reef_palette(), seed)
    tell(2, steps, "drawing the creatures of thirty cells")
    aquarium = reef_aquarium(seed, Grid(entrants[0].cells))
    tell(3, steps, "drawing them again, with the model")
    drawn = drawn_cells(seed)
    tell(4, steps, "scoring the drawings of a small language model")
    attempts = score_replies(kept_replies())
    tell(5, steps, "scoring masks made from the truth")
    masks = [control_board(name, seed) for name in DATASETS]
    tell(6, steps, "judging a corpus with one bad cell")
    taste = taste_board(seed)
    tell(7, steps, "writing the page")
    sections = [taste.section, *(one.section for one in masks)]
    html = demo_page(aquarium, [drawn.section] if drawn else [], picture, entrants, attempts, sections, seed)
    tell(steps, steps, "done")
    return html, {
        **_summary(seed, entrants, attempts),
        "sprites": drawn.document() if drawn else None,
        "masks": {one.dataset: one.figures for one in masks},
        "taste": {"planted": taste.planted, "failed": list(taste.failed)},
        "seconds": round(time.perf_counter() - started, 2),
    }


def reef_aquarium(seed: int, scene: Grid) -> Aquarium:
    """The quantised reef with creatures of the shallows, far ones small and slow."""
    random = rng(seed, "demo", "swimmers")
    swimmers = []
    for number, creature in enumerate(islice(_swimmers(seed), SWIMMERS)):
        pace = creature.width * random.uniform(0.25, 0.5)
        speed = float(random.choice([-1, 1]) * pace)
        depth = (0.02 + 0.58 * (number + random.random()) / SWIMMERS) * HEIGHT  # one lane each, so that few meet
        swimmers.append(Swimmer([creature], round(random.uniform(0, WIDTH), 1), round(depth, 1), round(speed, 2)))
    swimmers.sort(key=lambda one: one.frames[0].width)
    alt = f"A coral reef in the 64 colours of the reef palette; {SWIMMERS} creatures swim through ripples of light."
    caption = (
        "Every pixel stays in the palette: light only walks its ramps. "
        "Move the pointer, or use the arrow keys, to carry a lamp; in the dark theme it is night."
    )
    return Aquarium(scene, reef_palette(), reef_ramps(), swimmers, alt, caption)


def _swimmers(seed: int) -> Iterator[Grid]:
    """Fishes that look to the right, at most 32 pixels long, cut to their outline."""
    for number in count():
        entry = make_sprite("reef-fish", "shallows", seed, number, size=(20, 24, 32)[number % 3])
        if entry.parameters["facing"] == "right" and entry.species in SIDE_VIEWS:
            yield Grid(entry.cells[subject_box(entry.cells, 0)])


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
