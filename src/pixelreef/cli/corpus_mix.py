"""`pixelreef corpus mix`: one corpus from several."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pixelreef.cli import corpus_import as shared
from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder

if TYPE_CHECKING:
    from pixelreef.corpus.mix import MixReport
    from pixelreef.corpus.store import CorpusFacts

_LISTED = 10


def mix(
    files: Annotated[list[Path], typer.Argument(metavar="CORPUS…", help="The corpus files to mix.")],
    out: shared.OUT,
    weight: Annotated[
        list[str] | None,
        typer.Option("--weight", metavar="NAME=N", help="Draw a source or a cell so much more often; again for more."),
    ] = None,
    cap: Annotated[
        list[str] | None,
        typer.Option("--cap", metavar="NAME=N", help="At most so many of a source or a cell; again for more."),
    ] = None,
    cap_cell: Annotated[int | None, typer.Option("--cap-cell", min=1, help="At most so many of any cell.")] = None,
    keep_near: Annotated[bool, typer.Option("--keep-near", help="Merge exact copies only, not near-copies.")] = False,
    palette: shared.PALETTE = None,
    size: shared.SIZE = None,
    split: Annotated[str, typer.Option("--split", help="Shares of train, validation and test.")] = "80/10/10",
    allow_unknown_licence: Annotated[
        bool, typer.Option("--allow-unknown-licence", help="Also mix sources whose licence nobody knows.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Decides all randomness.")] = 0,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: shared.JSON = False,
) -> None:
    """Make one corpus from several: weighted, capped, copies merged, split into train, validation and test.

    NAME is a source or a cell, and may be a pattern. Near-copies (recoloured, mirrored, a few pixels changed) of one
    cell are merged, and near-copies of any cell, as frames of one creature, are in one split.

    Examples: `pixelreef corpus mix reef.parquet photos.parquet --weight reef=2 --cap-cell 400 --out mix.parquet` ·
    `pixelreef corpus mix reef.parquet art.parquet --cap jellyfish/abyss=100 --palette reef --size 32 --out mix.parquet`
    """
    from pixelreef.corpus.mix import MixOptions, amount_from_text, shares_from_text, write_mix
    from pixelreef.corpus.store import open_corpus

    recorder = Recorder(note, no_trail)
    options = MixOptions(
        weights=[amount_from_text(text, "--weight") for text in weight or ()],
        caps=[amount_from_text(text, "--cap") for text in cap or ()],
        cap_cell=cap_cell,
        keep_near=keep_near,
        palette=shared.palette_from_option(palette),
        size=shared.size_from_option(size),
        shares=shares_from_text(split),
        seed=seed,
        allow_unknown_licence=allow_unknown_licence,
    )
    with _progress() as progress:
        facts, report = write_mix(out, [open_corpus(file) for file in files], options, progress)
    if as_json:
        print(json.dumps({"corpus": facts.document(), "mix": report.document()}, indent=2))
    else:
        _print(facts, report)
    recorder.add("corpus", facts.record)


def _print(facts: CorpusFacts, report: MixReport) -> None:
    for item, reason in report.refused[:_LISTED]:
        print(f"refused: {ascii(item)[1:-1]}: {reason}", file=sys.stderr)
    if len(report.refused) > _LISTED:
        print(f"refused: … and {len(report.refused) - _LISTED:,} more; --json lists all", file=sys.stderr)
    print(f"{ascii(str(facts.path))[1:-1]}: {facts.count:,} sprites, {facts.bytes:,} bytes, hash {facts.hash}")
    print("; ".join(f"{what}: {number:,}" for what, number in report.counts.items()))
    for source, (read, kept) in report.sources.items():
        print(f"source {ascii(source)[1:-1]}: {kept:,} of {read:,}")
    totals = {split: sum(of[split] for of in report.splits.values()) for split in ("train", "validation", "test")}
    print(", ".join(f"{split} {number:,}" for split, number in totals.items()))


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr for each thing that is done."""
    from rich.console import Console
    from rich.progress import Progress, TaskID

    console = Console(stderr=True)
    tasks: dict[str, TaskID] = {}
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:

        def tell(words: str, done: int, total: int) -> None:
            if words not in tasks:
                tasks[words] = bar.add_task(words, total=total)
            bar.update(tasks[words], completed=done)

        yield tell
