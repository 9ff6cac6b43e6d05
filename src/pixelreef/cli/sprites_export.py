"""`pixelreef sprites export`: sprites as pictures, sheets, and the files of editors and engines."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pixelreef.cli.sprite_inputs import count_of

if TYPE_CHECKING:
    from pixelreef.core.grid import Cells
    from pixelreef.sprites.export.order import Labelled

PARTED = {"aseprite", "godot"}
"""The formats that have parts."""


def export(
    sprite: Annotated[
        list[Path], typer.Argument(metavar="SPRITE…", help="Sprite documents, PNG, GIF, .aseprite, or a corpus.")
    ],
    formats: Annotated[
        str,
        typer.Option(
            "--as", metavar="FORMAT[,FORMAT]", help="png, indexed, gif, sheet, aseprite, tiled, godot, or all of them."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="A folder; of several formats each gets one inside it.")],
    swap: Annotated[
        list[str] | None,
        typer.Option("--swap", metavar="RAMP=RAMP", help="Exchange two ramps of the palette, by name or number."),
    ] = None,
    scale: Annotated[int, typer.Option("--scale", min=1, max=64, help="Pixels of a file for each of a sprite.")] = 1,
    name: Annotated[str, typer.Option("--name", help="Of the sheet, the tileset or the project.")] = "",
    parts: Annotated[bool, typer.Option("--parts/--no-parts", help="Parts as layers, and in the form of maps.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Write sprites for editors and engines: pictures, sheets, Aseprite files, Tiled tilesets, a Godot project.

    Frames become animations, parts layers; the parts of sprites that came without are told where that is sure.
    `--swap coral=teal` gives what was coral the same step of teal, and the other way round; ramps that were found in a
    palette have numbers.

    Examples: `pixelreef sprites export drawn/*.json --as sheet --out sheet` ·
    `pixelreef sprites export fish.png --as aseprite,gif --swap coral=teal --scale 4 --out teal` ·
    `pixelreef sprites export drawn/*.json --as godot --name 'My reef' --out game`
    """
    from pixelreef.sprites.export.gather import gather
    from pixelreef.sprites.export.order import Labelled
    from pixelreef.sprites.export.run import export_all, formats_from_text
    from pixelreef.sprites.recolour import recoloured, swaps_from_text

    chosen, swaps = formats_from_text(formats), swaps_from_text(swap or [])
    gathered = gather(sprite)
    coloured = [recoloured(one.sprite, swaps) for one in gathered.sprites]
    parted = parts and not PARTED.isdisjoint(chosen)
    labels = _labels(gathered.sprites) if parted else [()] * len(coloured)
    folders = {one: out / one if len(chosen) > 1 else out for one in chosen}
    written = export_all(map(Labelled, coloured, labels), folders, name, scale, kept=sprite)
    for reason in gathered.refused.values():
        print(f"left out: {reason}", file=sys.stderr)
    without = sum(not one for one in labels)
    if parted and without:
        print(f"no parts for {count_of(without, 'sprite')}: unsure, or not like those of the reef.", file=sys.stderr)
    if as_json:
        files = {one: [str(path) for path in paths] for one, paths in written.items()}
        print(json.dumps({"sprites": len(coloured), "refused": gathered.refused, "files": files}, indent=2))
    else:
        for one, paths in written.items():
            print(f"{folders[one]}: {count_of(len(coloured), 'sprite')} as {one}, {count_of(len(paths), 'file')}")
    if gathered.refused:
        raise typer.Exit(2)


def _labels(sprites: Sequence[Labelled]) -> list[tuple[Cells, ...]]:
    """The parts of every sprite, known or told."""
    from pixelreef.sprites.export.label import with_parts
    from pixelreef.sprites.parts.labeller import labeller_from

    known = all(one.parts for one in sprites)
    return [one.parts for one in (sprites if known else with_parts(sprites, labeller_from(None)))]
