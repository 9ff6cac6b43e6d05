"""`pixelreef taste`: corpus | samples | compare | calibrate."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pixelreef.cli.recorded import NO_TRAIL, Recorder
from pixelreef.cli.taste_samples import calibrate, compare, samples

if TYPE_CHECKING:
    from pixelreef.taste.stage import Stage

taste = typer.Typer(no_args_is_help=True, help="The signal that loss is not: per cell, on a corpus and on samples.")


for _command in (samples, compare, calibrate):
    taste.command()(_command)


@taste.command()
def corpus(
    file: Annotated[
        Path, typer.Argument(metavar="CORPUS", help="A corpus file, a folder of pictures, or a sprite sheet.")
    ],
    stages: Annotated[
        str | None, typer.Option("--stages", metavar="NAME,…", help="Only these, such as census,texture.")
    ] = None,
    proxy: Annotated[
        bool, typer.Option("--proxy", help="Train a small model for some minutes too; needs the extra `train`.")
    ] = False,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="TIME", help="Run the stages that fit, such as 90s or 3m.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for the page and the JSON.")] = None,
    note: Annotated[str, typer.Option("--note", help="A remark that stands in the report and in the trail.")] = "",
    no_trail: NO_TRAIL = False,
    calibration: Annotated[
        Path | None, typer.Option("--calibration", help="Limits from this file; the shipped ones unless given.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Say, cell by cell, whether a corpus is the right shape to train on: pass, warn, fail or too few to tell.

    Exit 1 when a cell fails, so that a script can stop before a long training run.

    Examples: `pixelreef taste corpus reef.parquet --out judged` ·
    `pixelreef taste corpus mix.parquet --budget 3m --json` · `pixelreef taste corpus reef.parquet --stages census`
    """
    from pixelreef.errors import GateFailed
    from pixelreef.taste.calibration import read_calibration, shipped_calibration
    from pixelreef.taste.judge import judge_corpus
    from pixelreef.taste.open import open_sprites
    from pixelreef.taste.report import write_report
    from pixelreef.taste.stage import seconds_from_text
    from pixelreef.taste.tables import judgement_text

    recorder = Recorder(note, no_trail)
    seconds = None if budget is None else seconds_from_text(budget)
    limits = read_calibration(calibration) if calibration else shipped_calibration()
    chosen = [*stages_from_text(stages), *_proxy(proxy)]
    sprites = open_sprites(file, seed)
    with progress() as told:
        judged = judge_corpus(sprites, chosen, budget=seconds, calibration=limits, seed=seed, progress=told)
    if out:
        for path in write_report(judged, out, note):
            print(f"Wrote {path}", file=sys.stderr)
    if as_json:
        print(json.dumps({**judged.document(), "note": note}, indent=2))
    else:
        print(judgement_text(judged))
    recorder.add("forecast", lambda: {**judged.record(), "corpus": corpus_hash(file)})
    if judged.failed:
        raise GateFailed(f"{len(judged.failed)} of {len(judged.cells)} cells fail: {', '.join(judged.failed[:8])}")


def corpus_hash(file: Path) -> str:
    """The hash of a corpus file; empty for pictures, which have none."""
    from pixelreef.corpus.store import is_parquet, open_corpus

    return open_corpus(file).hash if file.is_file() and is_parquet(file) else ""


def stages_from_text(text: str | None) -> list[Stage]:
    """The stages of a list of names, in the order in which they cost more."""
    from pixelreef.errors import InputError
    from pixelreef.taste.judge import STAGES

    if text is None:
        return list(STAGES)
    names = [name.strip() for name in text.split(",")]
    if unknown := set(names) - {stage.name for stage in STAGES}:
        raise InputError("--stages", f"be some of {', '.join(stage.name for stage in STAGES)}", sorted(unknown))
    return [stage for stage in STAGES if stage.name in names]


def _proxy(wanted: bool) -> list[Stage]:
    if not wanted:
        return []
    from pixelreef.sprites.forecast import Proxy

    return [Proxy()]


@contextmanager
def progress() -> Iterator[Callable[[str, float, float], None]]:
    """A bar on stderr: the stage at work and the time left for all; plain lines where stderr is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0, left="")
        said: set[str] = set()

        def tell(name: str, done: float, left: float) -> None:
            bar.update(task, description=name, completed=done, left=f"about {left:.0f} s left")
            if not console.is_terminal and name not in said:
                said.add(name)
                print(f"{name}: about {left:.0f} s left", file=sys.stderr)

        yield tell
