"""`pixelreef sprites export`: sprites as pictures, sheets, and the files of editors and engines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Write sprites for editors and engines: pictures, sheets, Aseprite files, Tiled tilesets, a Godot project.

    Frames become animations, known parts layers. `--swap coral=teal` gives what was coral the same step of teal, and
    the other way round; ramps that were found in a palette have numbers.

    Examples: `pixelreef sprites export drawn/*.json --as sheet --out sheet` ·
    `pixelreef sprites export fish.png --as aseprite,gif --swap coral=teal --scale 4 --out teal` ·
    `pixelreef sprites export drawn/*.json --as godot --name 'My reef' --out game`
    """
    from pixelreef.sprites.export.gather import gather
    from pixelreef.sprites.export.order import Labelled
    from pixelreef.sprites.export.run import export as write
    from pixelreef.sprites.export.run import formats_from_text
    from pixelreef.sprites.recolour import recoloured, swaps_from_text

    chosen, swaps = formats_from_text(formats), swaps_from_text(swap or [])
    gathered = gather(sprite)
    for reason in gathered.refused.values():
        print(f"left out: {reason}", file=sys.stderr)
    sprites = [Labelled(recoloured(one.sprite, swaps), one.parts) for one in gathered.sprites]
    folders = {one: out / one if len(chosen) > 1 else out for one in chosen}
    written = {one: write(sprites, one, folder, name, scale) for one, folder in folders.items()}
    if as_json:
        files = {one: [str(path) for path in paths] for one, paths in written.items()}
        print(json.dumps({"sprites": len(sprites), "refused": gathered.refused, "files": files}, indent=2))
    else:
        count = f"{len(sprites):,} sprite{'' if len(sprites) == 1 else 's'}"
        for one, paths in written.items():
            print(f"{folders[one]}: {count} as {one}, {len(paths):,} file{'' if len(paths) == 1 else 's'}")
    if gathered.refused:
        raise typer.Exit(2)
