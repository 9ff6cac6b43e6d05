"""`pixelreef trail`: the page of iterations; `trail note` adds a remark to its last record."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

trail = typer.Typer(invoke_without_command=True)

File = Annotated[
    Path | None,
    typer.Option("--file", metavar="FILE.jsonl", help="The trail. [trail.jsonl here, or what PIXELREEF_TRAIL names]"),
]


@trail.callback()
def page(
    context: typer.Context,
    file: File = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="A folder for the page.")] = None,
    falls: Annotated[
        int, typer.Option("--falls", min=1, max=1000, help="Falls of loss running, with no better cell: a ceiling.")
    ] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Show what was tried and what became of it: corpora, forecasts, runs and verdicts, joined by their hashes.

    The commands that make corpora, train and judge leave a record each in `trail.jsonl`. The page has the timeline,
    loss beside cells learned, every cell better, the same or worse than before, and the sheets; it says *ceiling:
    change the model's shape* when loss falls several times running and no cell improves.

    Examples: `pixelreef trail --out trail` · `pixelreef trail --file runs/trail.jsonl --json` ·
    `pixelreef trail note "the corals are sharper"`
    """
    if context.invoked_subcommand is not None:
        context.obj = file
        return
    from pixelreef.cli.corpus_import import printable
    from pixelreef.cli.recorded import trail_file
    from pixelreef.trail.file import read_trail
    from pixelreef.trail.page import write_page
    from pixelreef.trail.story import story_from_trail

    story = story_from_trail(read_trail(file or trail_file()), falls)
    for note in story.trail.notes:
        print(printable(note), file=sys.stderr)
    if out is not None:
        for path in write_page(story, out):
            print(f"Wrote {path}", file=sys.stderr)
    if as_json:
        print(json.dumps(story.document(), indent=2, allow_nan=False))
    else:
        print("\n".join(printable(line) for line in story.text().splitlines()))


@trail.command()
def note(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember.")],
    about: Annotated[
        str, typer.Option("--about", metavar="ID", help="The record it is on, by the id in --json. [the last]")
    ] = "",
    file: File = None,
) -> None:
    """Add a remark to the last record of the trail, or to another.

    Examples: `pixelreef trail note "wider trunk, same data"` · `pixelreef trail note "too dark" --about 3f9c`
    """
    from pixelreef.cli.corpus_import import printable
    from pixelreef.cli.recorded import add_note, trail_file

    record = add_note(text, about, file or context.obj or trail_file())
    when = record.time[:19].replace("T", " ")
    print(f"Noted on the {printable(record.kind)} of {when} UTC, {record.id}.", file=sys.stderr)
