"""`pixelreef sprites shade`: light inside the palette."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pixelreef.cli.sprite_inputs import Refused, sprites_from_paths

if TYPE_CHECKING:
    from pixelreef.core.sprite import Sprite
    from pixelreef.sprites.shade.light import Light


def shade(
    sprite: Annotated[
        list[Path],
        typer.Argument(metavar="SPRITE…", help="Sprite documents, pictures (PNG, GIF, …) or Aseprite files."),
    ],
    out: Annotated[Path, typer.Option("--out", help="A folder for what is made.")],
    azimuth: Annotated[
        float, typer.Option("--azimuth", help="Where the light stands: 0 on the right, 90 above, 180 on the left.")
    ] = 127.0,
    elevation: Annotated[
        float, typer.Option("--elevation", help="How far before the picture: 0 beside it, 90 at the viewer's eye.")
    ] = 35.0,
    light: Annotated[float, typer.Option("--light", help="Lifts what is turned to the light, 0 to 1.")] = 0.35,
    shadow: Annotated[float, typer.Option("--shadow", help="Lowers what is turned away, 0 to 1.")] = 0.35,
    occlusion: Annotated[float, typer.Option("--occlusion", help="Lowers what lies deep, 0 to 1.")] = 0.4,
    edges: Annotated[float, typer.Option("--edges", help="Lowers the outermost pixels, 0 to 1.")] = 0.1,
    rim: Annotated[float, typer.Option("--rim", help="Lifts the edge away from the light, 0 to 1.")] = 0.3,
    flatten: Annotated[
        float, typer.Option("--flatten", help="Take out so much of the light it is drawn with first, 0 to 1.")
    ] = 0.0,
    palette: Annotated[
        Path | None, typer.Option("--palette", metavar="FILE", help="Bring the sprites to these colours first.")
    ] = None,
    maps: Annotated[
        bool, typer.Option("--maps", help="Normal map, ramp map and ramp table for engines, and Godot's shader.")
    ] = False,
    turntable: Annotated[
        int, typer.Option("--turntable", metavar="N", min=0, max=256, help="A GIF of the light from N directions.")
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Light sprites inside their palette: a PNG and a sprite document each, and a sheet, flat against shaded.

    Colours only move along the ramps of the palette, and the silhouette stays. Any sprite and any palette of up to 256
    colours will do; all frames of an animation are lit. A file that can't be read is named, and the others are made.

    Examples: `pixelreef sprites shade fish.json --out lit` ·
    `pixelreef sprites shade tiles/*.png --azimuth 60 --light 0.6 --rim 0 --out lit` ·
    `pixelreef sprites shade hero.aseprite --flatten 1 --light 0.6 --shadow 0.6 --maps --turntable 16 --out lit`
    """
    from pixelreef.core.files import write_bytes
    from pixelreef.core.palette_files import read_palette
    from pixelreef.core.render import png_from_rgba
    from pixelreef.errors import InputError
    from pixelreef.sprites.shade.light import Light
    from pixelreef.sprites.shade.sheet import flat_against_shaded
    from pixelreef.sprites.shade.write import SHEET, Order, Writer

    if not 0 <= flatten <= 1:
        raise InputError("flatten", "be from 0 to 1", flatten)
    asked = Light(azimuth, elevation, light, shadow, occlusion, edges, rim)
    colours = read_palette(palette) if palette else None
    writer = Writer(out, Order(asked, flatten, maps, turntable))
    pairs: list[tuple[Sprite, Sprite]] = []
    records: list[dict[str, Any]] = []
    refused: Refused = []
    for path, flat in sprites_from_paths(sprite, refused, colours):
        made, record = writer.write(flat)
        pairs.append((flat, made))
        records.append({"from": str(path), **record})
    _note(records)
    if pairs:
        write_bytes(out / SHEET, png_from_rgba(flat_against_shaded(pairs, _title(asked))))
    if as_json:
        document = {
            "light": asked.document(),
            "flatten": flatten,
            "sheet": str(out / SHEET),
            "sprites": records,
            "refused": refused,
        }
        print(json.dumps(document, indent=2))
    elif pairs:
        print(f"{out}: {len(pairs):,} sprite{'' if len(pairs) == 1 else 's'}, and {SHEET}")
    if refused:
        raise typer.Exit(2)


def _note(records: list[dict[str, Any]]) -> None:
    long = [one["from"] for one in records if "document" not in one]
    same = [one["from"] for one in records if not one["changed_share"]]
    for names, said in (
        (long, "no sprite document, for the palette has more than 65 colours"),
        (same, "nothing changed; the form is too flat, or the ramps are too coarse, for so little light"),
    ):
        if names:
            more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
            print(f"{ascii(names[0])[1:-1]}{more}: {said}.", file=sys.stderr)


def _title(light: Light) -> str:
    amounts = ", ".join(f"{name} {value:g}" for name, value in light.document().items())
    return f"flat and shaded: {amounts}"
