"""`pixelreef demo`: the main job, end to end."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[Path, typer.Option("--out", help="The folder for the page.")] = Path("report"),
    seed: Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")] = 0,
    name: Annotated[
        str, typer.Option("--name", help="What the living reef grows from: another name, another reef.")
    ] = "reef",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as one JSON document on stdout.")] = False,
) -> None:
    """Do the main job, offline, and write a page: index.html, with summary.json beside it.

    Examples: `pixelreef demo` · `pixelreef demo --name Ada --out /tmp/reef`
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from pixelreef.demo import run_demo

    console = Console(stderr=True)
    bar = Progress(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=console, transient=True)
    with bar:
        task = bar.add_task("starting", total=None)
        result = run_demo(
            out, seed, lambda done, of, what: bar.update(task, completed=done, total=of, description=what), name
        )
    print(f"Done in {result.summary['seconds']:.1f} s. Open {result.page}", file=sys.stderr)
    if as_json:
        print(json.dumps(result.summary, indent=2))
