"""`pixelreef corpus folder`: a corpus from a folder of pictures."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pixelreef.cli import corpus_import as shared
from pixelreef.cli.recorded import NO_TRAIL, NOTE, Recorder


def folder(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="PNG, GIF, .aseprite and other pictures.")],
    out: shared.OUT,
    size: shared.SIZE = None,
    palette: shared.PALETTE = None,
    dither: shared.DITHER = False,
    category: shared.CATEGORY = "",
    zone: shared.ZONE = "",
    factor: shared.FACTOR = None,
    folders: shared.FOLDERS = "",
    labels: shared.LABELS = None,
    source: shared.SOURCE = "",
    author: shared.AUTHOR = "",
    licence: shared.LICENCE = "",
    strict: shared.STRICT = False,
    note: NOTE = "",
    no_trail: NO_TRAIL = False,
    as_json: shared.JSON = False,
) -> None:
    """Make a corpus from a folder of pictures and all folders in it.

    Every frame of an animation is a sprite; the frames of one file stay together. Sizes and palettes are kept unless
    others are given. A picture that can't be read is listed, and the others come in. Where no factor is given at all,
    folders are categories.

    Examples: `pixelreef corpus folder tiles --licence CC0-1.0 --out tiles.parquet` ·
    `pixelreef corpus folder art --folders zone,category --size 32 --palette reef --out art.parquet`
    """
    from pixelreef.corpus.entry import Origin
    from pixelreef.corpus.folders import FolderOptions, folder_entries
    from pixelreef.corpus.walk import has_folders

    recorder = Recorder(note, no_trail)
    given = shared.labels_from_options(category, zone, factor, folders, labels)
    if not (given.flags or given.folders or given.table) and has_folders(directory):
        print("No factor was given: the names of the folders are the factor category.", file=sys.stderr)
        given = replace(given, folders=("category",))
    options = FolderOptions(
        origin=Origin(source or directory.resolve().name, author, licence),
        labels=given,
        size=shared.size_from_option(size),
        palette=shared.palette_from_option(palette),
        dither=dither,
    )
    history = {"by": "folder", "source": options.origin.source, "size": options.size, "palette": palette or "own"}
    facts = shared.import_corpus(
        lambda intake: folder_entries(directory, options, intake), out, given, history, strict, as_json
    )
    recorder.add("corpus", facts.record)
