"""`pixelreef corpus make`: a corpus of the procedural reef."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder


def make(
    out: Annotated[Path, typer.Option("--out", metavar="FILE.parquet", help="The corpus to write.")],
    per_cell: Annotated[int, typer.Option("--per-cell", min=1, help="Sprites of each cell.")] = 200,
    size: Annotated[int, typer.Option("--size", min=16, max=512, help="Pixels of a side.")] = 32,
    cell: Annotated[
        list[str] | None, typer.Option("--cell", help="Only this cell, as category/zone; again for more. All thirty.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")] = 0,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Draw the reef: six categories in five zones, with the part of every pixel.

    The same seed gives the same file. Sprite n of a cell is the same however many are made.

    Examples: `pixelreef corpus make --out reef.parquet` ·
    `pixelreef corpus make --cell jellyfish/abyss --cell coral/hadal --per-cell 1000 --seed 7 --out some.parquet`
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pixelreef.corpus.cells import CELLS, REEF_FACTORS
    from pixelreef.corpus.reef.make import GENERATOR, make_reef
    from pixelreef.corpus.store import write_corpus

    recorder = Recorder(note, no_trail)
    cells = list(dict.fromkeys(cell)) if cell else list(CELLS)
    history = {"by": "make", "generator": GENERATOR, "seed": seed, "per_cell": per_cell, "size": size, "cells": cells}
    columns = (TextColumn("sprites"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=per_cell * len(cells))
        entries = make_reef(seed, per_cell, size, cells)
        facts = write_corpus(out, entries, REEF_FACTORS, history, lambda count: bar.update(task, completed=count))
    if as_json:
        print(json.dumps(facts.document(), indent=2))
    else:
        print(f"{facts.path}: {facts.count:,} sprites of {len(facts.cells)} cells, hash {facts.hash}")
    recorder.add("corpus", facts.record)
