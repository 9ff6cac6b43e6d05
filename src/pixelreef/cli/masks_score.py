"""`pixelreef masks score` and `report`: folders of predictions against truth, as board, page and tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pixelreef.masks.evaluate import Evaluated, Progress, Wanted

MOST_LINES = 100  # of files that were not used, on stderr
Predictions = Annotated[
    Path, typer.Argument(metavar="PRED_DIR", help="Predictions `<id>.<k>.png`, or a folder of these for each entrant.")
]
Truth = Annotated[
    Path | None,
    typer.Argument(metavar="TRUTH_DIR", help="Truth `<id>.png`; with --dataset the folder that the dataset lies in."),
]
ClassFile = Annotated[Path | None, typer.Option("--classes", help="A class file, or any palette file.")]
Dataset = Annotated[
    str | None, typer.Option("--dataset", help="A known dataset: its truth, photographs and classes are used.")
]
Images = Annotated[
    Path | None, typer.Option("--images", help="Photographs `<id>.jpg`: for the page, the controls and the diagnosis.")
]
Match = Annotated[
    str | None,
    typer.Option("--match", help="How files are named: `<id>` once, `<k>` if there are attempts. [`<id>.<k>.png`]"),
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, max=64, help="Processes.")]
Controls = Annotated[bool, typer.Option("--controls", help="Entrants made from the truth beside: what a fault costs.")]
Diagnosis = Annotated[
    bool, typer.Option("--diagnosis/--no-diagnosis", help="Say why each mask is wrong; the slow part.")
]
Out = Annotated[Path, typer.Option("--out", help="The folder for page and tables.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]


def score(
    predictions: Predictions,
    truth: Truth = None,
    classes: ClassFile = None,
    dataset: Dataset = None,
    images: Images = None,
    match: Match = None,
    jobs: Jobs = 1,
    controls: Controls = False,
    diagnosis: Diagnosis = True,
    out: Out = Path("masks-report"),
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Score any masks, without keys, network or torch: a board, a gallery, CSV, JSON, Markdown and LaTeX.

    A file `<id>.<k>.refused` says that the model declined; its text is shown. What fits nothing is listed.

    Examples: `pixelreef masks score predictions truth --classes classes.json --images photographs --controls` ·
    `pixelreef masks score predictions --dataset reef-parts` ·
    `pixelreef masks score out truth --classes palette.hex --match 'mask_<id>-<k>.png' --jobs 4 --no-diagnosis`
    """
    from pixelreef.masks.evaluate import Wanted

    wanted = Wanted(predictions, truth, classes, dataset, images, match, jobs, controls, diagnosis, seed)
    _write(_evaluated(wanted, out), out, seed, as_json)


def controls_only(
    name: Annotated[str, typer.Option("--dataset", help="A dataset's name, or a folder with images, truth, classes.")],
    root: Annotated[Path | None, typer.Option("--root", help="The folder that a distributed dataset lies in.")] = None,
    n: Annotated[int, typer.Option("--n", min=2, help="How many pictures.")] = 50,
    size: Annotated[int | None, typer.Option("--size", min=1, help="Of made pictures, in pixels. [512]")] = None,
    jobs: Jobs = 1,
    diagnosis: Diagnosis = True,
    out: Out = Path("masks-report"),
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Score the controls alone: what soft edges, a shift, a swap … are worth on a dataset, before anyone is asked.

    Examples: `pixelreef masks controls --dataset reef-parts --n 50 --out parts` ·
    `pixelreef masks controls --dataset suim --root SUIM --out suim`
    """
    from pixelreef.masks.evaluate import evaluate_controls

    with progress_bar() as told:
        done = evaluate_controls(
            name, out, root=root, n=n, size=size, jobs=jobs, diagnosis=diagnosis, seed=seed, progress=told
        )
    _tell_unused(done)
    _write(done, out, seed, as_json)


def report(
    predictions: Predictions,
    truth: Truth = None,
    classes: ClassFile = None,
    dataset: Dataset = None,
    images: Images = None,
    match: Match = None,
    jobs: Jobs = 1,
    controls: Controls = False,
    table: Annotated[str, typer.Option("--table", help="latex, md, csv or json.")] = "md",
    seed: Seed = 0,
) -> None:
    """Print the board as a table for a paper, from the same folders as `score`; nothing is written.

    Nothing is kept from an earlier run, so the table can't be older than the masks. No diagnosis is made.

    Example: `pixelreef masks report predictions truth --classes classes.json --table latex > table.tex`
    """
    from tempfile import TemporaryDirectory

    from pixelreef.masks.evaluate import Wanted
    from pixelreef.masks.report.tables import table_text

    wanted = Wanted(predictions, truth, classes, dataset, images, match, jobs, controls, False, seed)
    with TemporaryDirectory() as folder:
        done = _evaluated(wanted, Path(folder))
        print(table_text(done.scores, table, done.controls, seed), end="")


def _evaluated(wanted: Wanted, out: Path) -> Evaluated:
    from pixelreef.masks.evaluate import evaluate

    with progress_bar() as told:
        done = evaluate(wanted, out, told)
    _tell_unused(done)
    return done


def _tell_unused(done: Evaluated) -> None:
    unused = [f"not used: {one.path}: {one.reason}" for one in done.scores.pairing.unmatched]
    unused += [f"not scored: {item}: {why}" for item, why in done.scores.unscored.items()]
    for line in unused[:MOST_LINES]:
        _say(line)
    if len(unused) > MOST_LINES:
        _say(f"… and {len(unused) - MOST_LINES:,} more, all in board.json")


def _write(done: Evaluated, out: Path, seed: int, as_json: bool) -> None:
    from pixelreef.masks.report import write_report

    with progress_bar() as told:
        made = write_report(done.scores, out, controls=done.controls, seed=seed, progress=told)
    _say(f"Wrote {made.page}")
    if as_json:
        print(json.dumps(made.document, indent=2))


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on stderr with what is being done, how much of it, and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading names", total=None)
        yield lambda what, done, of: bar.update(task, description=what, completed=done, total=of)


def _say(line: str) -> None:
    print(line, file=sys.stderr)
