"""`pixelreef masks palette`: lint | make."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pixelreef.cli.masks_score import Json

palette = typer.Typer(no_args_is_help=True, help="Palettes for masks: colours that can be told apart afterwards.")


@palette.command()
def lint(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A class file, or any palette file.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write the palette with its names as a PNG.")] = None,
    as_json: Json = False,
) -> None:
    """Look for colours that are there twice, too near, or lost in a JPEG. Exit 1 where a colour is there twice.

    Example: `pixelreef masks palette lint classes.json --out palette.png`
    """
    from pixelreef.core.files import read_bytes, write_bytes
    from pixelreef.masks.palette_lint import lint as linted
    from pixelreef.masks.palette_sheet import lint_text, named_colours, png_from_colours

    named = named_colours(read_bytes(file), f"palette {str(file)!r}")
    found = linted(named)
    if out is not None:
        print(f"Wrote {write_bytes(out, png_from_colours(named))}", file=sys.stderr)
    print(json.dumps(found.record(), indent=2) if as_json else lint_text(found, named), end="\n" if as_json else "")
    if not found.is_usable:
        raise typer.Exit(1)


@palette.command()
def make(
    n: Annotated[int, typer.Option("-n", min=1, max=256, help="How many colours.")],
    out: Annotated[Path, typer.Option("--out", help="A .hex, .gpl, .pal or .json palette.")],
    as_json: Json = False,
) -> None:
    """Make a palette of colours as far apart as can be, tested on JPEG. The first is black.

    Example: `pixelreef masks palette make -n 19 --out palette.hex`
    """
    from pixelreef.core.files import write_text
    from pixelreef.masks.palette_lint import lint as linted
    from pixelreef.masks.palette_make import make as made
    from pixelreef.masks.palette_sheet import palette_file

    colours = made(n)
    print(f"Wrote {write_text(out, palette_file(colours, out.suffix))}", file=sys.stderr)
    if as_json:
        print(json.dumps({"colours": colours.hex(), "lint": linted(colours).record()}, indent=2))
