"""`pixelreef corpus`: make | photos | sheet | folder | mix | show | curate | diff."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pixelreef.cli.corpus_folder import folder
from pixelreef.cli.corpus_make import make
from pixelreef.cli.corpus_mix import mix
from pixelreef.cli.corpus_photos import photos
from pixelreef.cli.corpus_sheet import sheet
from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.store import Corpus, CorpusFacts

corpus = typer.Typer(no_args_is_help=True, help="Where sprites come from, and which of them a model sees.")
for _command in (make, photos, sheet, folder, mix):
    corpus.command()(_command)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")]
Out = Annotated[Path, typer.Option("--out", help="The corpus file to write; an old one is replaced at the end.")]
File = Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus file.")]


@corpus.command()
def show(
    file: File,
    out: Annotated[Path, typer.Option("--out", help="The folder for page, sheets and census.")] = Path("corpus-shown"),
    cell: Annotated[
        list[str] | None, typer.Option("--cell", help="Only these cells; a pattern such as 'jellyfish/*' will do.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="Sprites to judge on the page.")] = 2500,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Print the census, and write contact sheets and a page on which single keys keep, drop or relabel sprites.

    The page saves a file of decisions for `pixelreef corpus curate`.

    Examples: `pixelreef corpus show reef.parquet --out shown` · `pixelreef corpus show mix.parquet --cell 'coral/*'`
    """
    from pixelreef.corpus.show import show_corpus

    shown = show_corpus(_opened(file, cell), out, seed, limit)
    _say(f"Wrote {len(shown.sheets):,} sheets. Open {shown.page} to judge {shown.judged:,} sprites.")
    print(json.dumps(shown.document(), indent=2) if as_json else shown.census.text(), end="\n" if as_json else "")


@corpus.command()
def curate(
    file: File,
    decisions: Annotated[
        Path, typer.Option("--decisions", help="What `corpus show` saved, or a file written by hand.")
    ],
    out: Out,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: Json = False,
) -> None:
    """Write the corpus that follows from decisions: keep, drop, relabel, reweight, by the hash of a sprite.

    The new corpus records its parent and the decisions. What was not decided stays as it is.

    Example: `pixelreef corpus curate reef.parquet --decisions decisions.json --out curated.parquet`
    """
    from pixelreef.corpus.curate import curate as curated
    from pixelreef.corpus.curate import factors_after, history_after, read_decisions
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.store import write_corpus

    recorder = Recorder(note, no_trail)
    parent, made, intake = _opened(file), read_decisions(decisions), Intake()
    if made.corpus and made.corpus != parent.hash:
        _say("The decisions were made on another corpus; those about sprites of this one are taken.")
    with _progress("writing", parent.count) as bar:
        facts = write_corpus(
            out,
            curated(parent, made, intake),
            factors_after(parent.factors, made),
            lambda: history_after(parent, made, intake),
            bar,
        )
    _written(facts, intake, as_json)
    recorder.add("corpus", facts.record)


@corpus.command()
def diff(
    before: Annotated[Path, typer.Argument(metavar="A", help="The corpus before.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The corpus after.")],
    out: Annotated[Path | None, typer.Option("--out", help="A folder for sheets of what changed.")] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Say what changed from A to B, cell by cell: added, removed, relabelled, reweighted; and show it as sheets.

    Example: `pixelreef corpus diff reef.parquet curated.parquet --out changed`
    """
    from pixelreef.corpus.diff import diff as compared
    from pixelreef.corpus.diff import write_diff_sheets

    a, b = _opened(before), _opened(after)
    found = compared(a, b)
    sheets = write_diff_sheets(found, a, b, out, seed) if out else []
    for path in sheets:
        _say(f"Wrote {path}")
    document = {**found.document(), "sheets": [str(path) for path in sheets]}
    print(json.dumps(document, indent=2) if as_json else found.text(), end="\n" if as_json else "")


def _opened(file: Path, cells: list[str] | None = None) -> Corpus:
    from pixelreef.corpus.store import open_corpus
    from pixelreef.errors import InputError

    whole = open_corpus(file)
    if not cells:
        return whole
    chosen = whole.select(cell=cells)
    if not chosen.count:
        some = ", ".join(list(whole.cells())[:8])
        raise InputError("--cell", "name a cell of the corpus", cells, f"It has {some}, …")
    return chosen


def _written(facts: CorpusFacts, intake: Intake, as_json: bool, strict: bool = False) -> None:
    """Say what a command wrote, and what it could not take; with `strict`, exit 2 when there was such."""
    _say(f"Wrote {facts.path}: {facts.count:,} sprites in {len(facts.cells):,} cells, {facts.bytes / 1e6:.1f} MB")
    for what, number in sorted(intake.counts.items()):
        _say(f"  {number:,} {what}")
    if intake.unlabelled:
        _say(f"  {len(intake.unlabelled):,} without a label, in the cell 'all': {_some(intake.unlabelled)}")
    if intake.refused:
        _say(f"  {len(intake.refused):,} left out:")
        for one in intake.refused[:10]:
            _say(f"    {ascii(one.item)[1:-1]}: {one.reason}")
        if len(intake.refused) > 10:
            _say("    … the rest stands in the corpus' history")
    if as_json:
        print(json.dumps({**facts.document(), "record": intake.document()}, indent=2))
    if strict and intake.refused:
        raise typer.Exit(2)


def _some(items: list[str], shown: int = 3) -> str:
    return ", ".join(ascii(item)[1:-1] for item in items[:shown]) + (", …" if len(items) > shown else "")


def _progress(words: str, total: int | None = None) -> AbstractContextManager[Any]:
    """A bar on stderr; what it gives takes the number done."""
    from contextlib import contextmanager

    from rich.console import Console
    from rich.progress import Progress

    @contextmanager
    def bar() -> Iterator[Any]:
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(words, total=total)
            yield lambda done: progress.update(task, completed=done)

    return bar()


def _say(line: str) -> None:
    print(line, file=sys.stderr)
