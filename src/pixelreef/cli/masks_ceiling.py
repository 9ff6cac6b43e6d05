"""`pixelreef masks ceiling`: what the truth itself would score, had a model painted it perfectly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from pixelreef.cli.masks_score import Json, progress_bar


def ceiling(
    truth: Annotated[Path, typer.Argument(metavar="TRUTH_DIR", help="Truth masks `<id>.png`.")],
    classes: Annotated[Path, typer.Option("--classes", help="A class file, or any palette file.")],
    jpeg: Annotated[
        int | None, typer.Option("--jpeg", min=1, max=100, help="Saved as JPEG 4:2:0 of this quality.")
    ] = None,
    size: Annotated[str | None, typer.Option("--size", help="Painted at WIDTHxHEIGHT. [the truth's]")] = None,
    as_json: Json = False,
) -> None:
    """Print the ceilings of truth masks, per image and per class, under each decoder.

    The truth is painted in class colours with soft edges, saved, decoded and scored against itself.

    Examples: `pixelreef masks ceiling truth --classes classes.json` ·
    `pixelreef masks ceiling truth --classes classes.json --jpeg 95 --size 1024x1024 --json`
    """
    from pixelreef.errors import InputError
    from pixelreef.masks.ceiling import Way
    from pixelreef.masks.ceilings import ceilings
    from pixelreef.masks.classes import read_classes
    from pixelreef.masks.soften import Jpeg

    sides = re.fullmatch(r"([1-9][0-9]{0,4})[x×]([1-9][0-9]{0,4})", size) if size else None
    if size and (sides is None or int(sides[1]) * int(sides[2]) > 2**24):
        raise InputError("--size", "be WIDTHxHEIGHT of at most 16,777,216 pixels, such as 1024x1024", size)
    way = Way((int(sides[1]), int(sides[2])) if sides else None, True, Jpeg(jpeg) if jpeg else None)
    with progress_bar() as told:
        found = ceilings(truth, read_classes(classes), way, lambda done, of: told("painting truth", done, of))
    print(json.dumps(found.record(), indent=2) if as_json else found.text(), end="\n" if as_json else "")
