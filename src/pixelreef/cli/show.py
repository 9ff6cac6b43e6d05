"""`pixelreef show`: what a palette, image, sprite or corpus file is."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pixelreef.show import Description


def show(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Palettes, images, sprite documents or corpora.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
    picture: Annotated[
        bool | None, typer.Option("--picture/--no-picture", help="Draw it; by default, when this is a terminal.")
    ] = None,
) -> None:
    """Say what a palette, image, sprite or corpus file is, with a picture where the terminal can show one.

    Files are told by their content, not their name, and read as untrusted data.

    Examples: `pixelreef show reef.hex` · `pixelreef show --json sprite.json photo.jpg` · `pixelreef show reef.parquet`
    """
    from pixelreef.errors import InputError
    from pixelreef.show import describe

    described: list[Description] = []
    wrong = False
    for file in files:
        try:
            described.append(describe(file))
        except InputError as error:
            print(f"pixelreef: {error}", file=sys.stderr)
            wrong = True
        else:
            if not as_json:
                _print(described[-1], sys.stdout.isatty() if picture is None else picture)
    if as_json:
        print(json.dumps([description.document() for description in described], indent=2))
    if wrong:
        raise typer.Exit(2)


def _print(description: Description, picture: bool) -> None:
    from rich.console import Console

    from pixelreef.cli.terminal import picture_text

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    console.print(f"{ascii(description.path)[1:-1]}: {_line(description)}")
    if picture:
        console.print(picture_text(description.picture, console.width))


def _line(description: Description) -> str:
    facts = description.facts
    if description.kind == "image":
        parts = [f"{facts['format']} image", _size(facts), f"mode {facts['mode']}", _count(facts["colours"], "colour")]
        if facts["transparent_share"]:
            parts.append(f"{facts['transparent_share']:.0%} transparent")
        if facts["semi_transparent_pixels"]:
            parts.append(_count(facts["semi_transparent_pixels"], "semi-transparent pixel"))
        return ", ".join([*parts, *facts["notes"]])
    if description.kind == "sprite":
        frames = _count(facts["frames"], "frame")
        used = f"{facts['colours_used']} of {_count(facts['colours'], 'colour')} used"
        return ", ".join(
            [f"sprite document version {facts['version']}", _size(facts), frames, used, _transparency(facts)]
        )
    if description.kind == "corpus":
        return _corpus_line(facts)
    longest = max((len(ramp["colours"]) for ramp in facts["ramps"]), default=0)
    ramps = f"{_count(len(facts['ramps']), 'ramp')} of up to {_count(longest, 'colour')}"
    return ", ".join([f"palette ({facts['format']})", _count(facts["colours"], "colour"), _transparency(facts), ramps])


def _corpus_line(facts: Any) -> str:
    sizes = facts["sizes"]
    size = sizes[0].replace("x", " × ") if len(sizes) == 1 else f"{len(sizes):,} sizes"
    sources = _count(len(facts["sources"]), "source")
    licences = ", ".join(ascii(licence)[1:-1] or "no licence" for licence in facts["licences"][:5])
    unreadable = [f"{facts['unreadable']:,} unreadable"] if facts["unreadable"] else []
    cells = _count(len(facts["cells"]), "cell")
    return ", ".join(["corpus", _count(facts["count"], "sprite"), cells, size, sources, licences, *unreadable])


def _size(facts: Any) -> str:
    return f"{facts['width']} × {facts['height']}"


def _transparency(facts: Any) -> str:
    return "opaque" if facts["transparent"] is None else f"transparent index {facts['transparent']}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
