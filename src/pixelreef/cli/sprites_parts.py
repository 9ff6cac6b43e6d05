"""`pixelreef sprites parts`: which part of a creature each pixel is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pixelreef.cli.sprite_inputs import Made, count_of, sprites_from_paths


def parts(
    sprites: Annotated[list[Path], typer.Argument(metavar="SPRITE…", help="Documents, PNG, GIF or .aseprite files.")],
    out: Annotated[Path, typer.Option("--out", help="A folder for the labels and their pictures.")],
    labeller: Annotated[
        Path | None, typer.Option("--labeller", metavar="FILE", help="Another one than the shipped one.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Tell which part of a creature each pixel of a sprite is, and how sure that is.

    Writes NAME.parts.json with a row of labels for each row of pixels, NAME.parts.png, and one sheet of all.

    Examples: `pixelreef sprites parts fish.png coral.json --out parts` ·
    `pixelreef sprites parts drawn/*.png --out parts --json`
    """
    from pixelreef.core.files import write_bytes, write_json
    from pixelreef.core.render import png_from_rgba
    from pixelreef.corpus.parts import PARTS
    from pixelreef.sprites.parts.labeller import labeller_from
    from pixelreef.sprites.parts.picture import picture_of_parts

    model = labeller_from(labeller)
    made = Made()
    for path, sprite in sprites_from_paths(sprites, made.refused):
        found = model.label(sprite.grid.cells, sprite.palette, model.told_by(sprite))
        name = made.files.of(sprite.name)
        picture = picture_of_parts(found.labels)
        write_bytes(out / f"{name}.parts.png", png_from_rgba(picture))
        document = {"parts": list(PARTS), "rows": found.labels.tolist(), "sure": found.sure}
        file = write_json(out / f"{name}.parts.json", document)
        made.records.append({"file": str(file), "sure": found.sure, "unsure": found.unsure, "parts": found.names()})
        made.rows.append([sprite.palette.rgba[sprite.grid.cells], picture])
        made.names.append(f"{sprite.name}: {', '.join(found.names())}")
        if found.unsure:
            print(f"{path}: its parts are unsure ({found.sure:.2f})", file=sys.stderr)
    made.end(out, f"parts of {count_of(len(made.records), 'sprite')}", as_json)
