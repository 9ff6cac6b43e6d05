"""`pixelreef sprites train`: a model from a corpus, in a folder that can be gone on with."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder

if TYPE_CHECKING:
    from pixelreef.sprites.history import Look
    from pixelreef.sprites.watch import Outcome


def train(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus file.")],
    out: Annotated[
        Path, typer.Option("--out", metavar="RUN", help="The run's folder; the same again goes on with it.")
    ],
    recipe: Annotated[
        str, typer.Option("--recipe", help="reef, raster, small, short, tiny, or a file of your own.")
    ] = "reef",
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="WEIGHTS", help="Begin with these weights, those of a run, or 'shipped'."),
    ] = None,
    devices: Annotated[int, typer.Option("--devices", min=1, max=64, help="Processes that share each batch.")] = 1,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Instead of the recipe's.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="Decides all randomness. [the recipe's]")] = None,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Train a model that draws what a corpus holds; killed, and started again, it goes on where it was.

    RUN holds the weights, a history with the loss of every cell, sheets of what the model drew on its way, the verdicts
    of taste, and all of it as a page.

    Examples: `pixelreef sprites train reef.parquet --recipe short --out run` ·
    `pixelreef sprites train mine.parquet --recipe small --from shipped --out mine`
    """
    from pixelreef.corpus.store import open_corpus
    from pixelreef.extras import require
    from pixelreef.sprites.lecture import lecture_from_corpus
    from pixelreef.sprites.recipe import Recipe
    from pixelreef.sprites.start import arrays_from_weights, read_start, sizes_of

    require("train", "torch", "lightning_fabric")
    recorder = Recorder(note, no_trail)
    asked = Recipe.of(recipe, steps=steps, seed=seed)
    before = read_start(start, asked) if start else None
    lecture = lecture_from_corpus(open_corpus(corpus), asked, sizes_of(before.config) if before else None)
    begun = arrays_from_weights(before, lecture.config, lecture.palette, asked.seed) if before else None

    from pixelreef.cli.progress import Teller
    from pixelreef.sprites.train import train as train_model

    for note in lecture.notes:
        print(note, file=sys.stderr)
    found = train_model(lecture, asked, out, devices=devices, start=begun, tell=Teller("bits per pixel", _line))
    print(json.dumps(found.document(), indent=2) if as_json else _summary(found))
    recorder.add("run", lambda: {**found.record(), "recipe": recipe}, found.sheets)


def _line(look: Look) -> str:
    learned = "" if look.learned is None else f", {look.learned:.0%} of cells learned"
    copied = "" if look.copied is None else f", {look.copied:.0%} near-copies"
    return f"step {look.step:,}: {look.loss:.3f} bits per pixel on sprites held back{learned}{copied}"


def _summary(found: Outcome) -> str:
    from pixelreef.corpus.census import aligned

    look = found.look
    verdicts = look.verdicts or {}
    losses = {cell: f"{loss:.3f}" for cell, loss in look.cells.items()}
    rows = [[cell, losses.get(cell, "–"), verdicts.get(cell, "")] for cell in {**verdicts, **losses}]
    lines = [_line(look), "", aligned([["cell", "bits per pixel", "taste says" if verdicts else ""], *rows])]
    return "\n".join([*lines, *found.notes, f"Wrote {found.weights} and {found.out / 'report.html'}"])
