"""What the imports of a corpus share: their options, and the way from entries to a file and a summary."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pixelreef.errors import InputError

if TYPE_CHECKING:
    from pixelreef.core.palette import Palette
    from pixelreef.corpus.entry import Entry
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.labels import Labels
    from pixelreef.corpus.store import CorpusFacts

LISTED = 40  # cells, refused and unlabelled items shown; --json has all

OUT = Annotated[Path, typer.Option("--out", metavar="FILE.parquet", help="The corpus to write.")]
SIZE = Annotated[
    str | None,
    typer.Option("--size", metavar="N|WxH", help="Bring all to this size: cut, reduced by whole factors, centred."),
]
PALETTE = Annotated[
    str | None,
    typer.Option("--palette", metavar="FILE|reef", help="Map all to this palette; without it they keep their own."),
]
DITHER = Annotated[bool, typer.Option("--dither", help="Mix colours by a pattern when mapping.")]
CATEGORY = Annotated[str, typer.Option("--category", metavar="VALUE", help="The factor category of all.")]
ZONE = Annotated[str, typer.Option("--zone", metavar="VALUE", help="The factor zone of all.")]
FACTOR = Annotated[list[str] | None, typer.Option("--factor", metavar="NAME=VALUE", help="Another factor of all.")]
FOLDERS = Annotated[
    str, typer.Option("--folders", metavar="NAME,…", help="The factors that folder names give, outermost first.")
]
LABELS = Annotated[
    Path | None, typer.Option("--labels", metavar="FILE.csv", help="A column 'file' and one column per factor.")
]
SOURCE = Annotated[
    str, typer.Option("--source", metavar="NAME", help="What to call the source; its name unless given.")
]
AUTHOR = Annotated[str, typer.Option("--author", metavar="NAME", help="Who made them.")]
LICENCE = Annotated[str, typer.Option("--licence", metavar="SPDX", help="Their licence, such as CC0-1.0.")]
STRICT = Annotated[bool, typer.Option("--strict", help="Write nothing and exit 2 if anything is refused.")]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]


def size_from_option(text: str | None) -> tuple[int, int] | None:
    """(width, height) from `32` or `32x24`."""
    from pixelreef.corpus.layout import MAX_SIDE

    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,4})(?:[x×]([0-9]{1,4}))?", text)
    width, height = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise InputError("--size", f"be a number from 1 to {MAX_SIDE}, or two as in 32x24", text)
    return width, height


def palette_from_option(text: str | None) -> Palette | None:
    """The reef palette, or one from a file; with a transparent entry where there is room for one."""
    from pixelreef.core import read_palette, reef_palette
    from pixelreef.core.palette import MAX_COLOURS
    from pixelreef.corpus.colours import with_transparent

    if text is None:
        return None
    palette = reef_palette() if text == "reef" else read_palette(text)
    return palette if len(palette) == MAX_COLOURS else with_transparent(palette)


def labels_from_options(
    category: str, zone: str, factor: Sequence[str] | None, folders: str, table: Path | None
) -> Labels:
    """What the five options for factors say."""
    from pixelreef.corpus.labels import Labels, read_labels
    from pixelreef.corpus.layout import check_factor_names

    flags = {name: value for name, value in (("category", category), ("zone", zone)) if value}
    for one in factor or ():
        name, sign, value = one.partition("=")
        if not (name and sign and value):
            raise InputError("--factor", "be a name and a value, as in age=juvenile", one)
        flags[name] = value
    levels = tuple(name.strip() for name in folders.split(",")) if folders else ()
    labels = Labels(flags, levels, read_labels(table) if table else {})
    check_factor_names([*levels, *(name for name in labels.names if name not in levels)])
    return labels


def import_corpus(
    entries: Callable[[Intake], Iterator[Entry]],
    out: Path,
    labels: Labels,
    history: dict[str, Any],
    strict: bool,
    as_json: bool,
    intake: Intake | None = None,
) -> CorpusFacts:
    """Write what an importer yields and say what happened. Refused items are listed; with `strict` they end it all.

    An `intake` that is given has heard of what came before, such as a download.
    """
    from pixelreef.corpus.intake import Intake
    from pixelreef.corpus.store import write_corpus

    intake = intake or Intake()

    def told() -> Iterator[Entry]:
        yield from entries(intake)
        if strict and intake.refused:
            rule = "have nothing to refuse with --strict"
            raise InputError("the import", rule, f"{len(intake.refused):,} refused", verbatim=True)
        history["intake"] = intake.document()  # the file's footer is written after the last entry

    try:
        with _progress() as progress:
            facts = write_corpus(out, told(), dict.fromkeys(labels.names, ()), history, progress)
    except InputError:
        _list("refused", [f"{one.item}: {one.reason}" for one in intake.refused])
        raise
    if as_json:
        print(json.dumps({"corpus": facts.document(), "intake": intake.document()}, indent=2))
        return facts
    print(f"{printable(str(facts.path))}: {_count(facts.count, 'sprite')}, {facts.bytes:,} bytes, hash {facts.hash}")
    cells = ", ".join(f"{cell} {count:,}" for cell, count in list(facts.cells.items())[:LISTED])
    more = f", … and {len(facts.cells) - LISTED:,} more" if len(facts.cells) > LISTED else ""
    print(f"{_count(len(facts.cells), 'cell')}: {printable(cells)}{more}")
    print_intake(intake)
    return facts


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed:,} sprites"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda count: bar.update(task, completed=count)


def print_intake(intake: Intake, as_json: bool = False) -> None:
    """Say what happened in an import: what was refused and why, what had no factor, and the counts."""
    if as_json:
        print(json.dumps({"intake": intake.document()}, indent=2))
        return
    _list("refused", [f"{one.item}: {one.reason}" for one in intake.refused])
    if len(intake.unlabelled) == intake.counts["taken"] > 1:
        print("No factor was given: all are in the cell 'all'.", file=sys.stderr)
    else:
        _list("no factor, so in cell 'all'", intake.unlabelled)
    counts = {**intake.counts, "refused": len(intake.refused), "without a factor": len(intake.unlabelled)}
    print("; ".join(f"{printable(what)}: {number:,}" for what, number in counts.items()))


def _list(what: str, items: Sequence[str]) -> None:
    for item in items[:LISTED]:
        print(f"{what}: {printable(item)}", file=sys.stderr)
    if len(items) > LISTED:
        print(f"{what}: … and {len(items) - LISTED:,} more; --json lists all", file=sys.stderr)


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def printable(text: str) -> str:
    r"""Text from a file's name as it may stand in a terminal: control signs are spelt out.

    >>> printable("kelp\x1b[2J é")
    'kelp\\x1b[2J é'
    """
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
