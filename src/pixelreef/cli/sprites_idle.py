"""`pixelreef sprites idle`: four frames of the same creature."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pixelreef.cli.sprite_inputs import Made, count_of, refuse, sprites_from_paths


def idle(
    sprites: Annotated[list[Path], typer.Argument(metavar="SPRITE…", help="Documents, PNG, GIF or .aseprite files.")],
    out: Annotated[Path, typer.Option("--out", help="A folder for the animations.")],
    milliseconds: Annotated[int, typer.Option("--milliseconds", min=20, max=2000, help="For each frame.")] = 160,
    scale: Annotated[int, typer.Option("--scale", min=1, max=32, help="Pixels of a GIF for each of a sprite.")] = 4,
    whole: Annotated[bool, typer.Option("--whole", help="Let the whole breathe, whatever its parts.")] = False,
    weights: Annotated[
        Path | None, typer.Option("--weights", metavar="RUN|FILE", help="Of a training run; else the shipped ones.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Animate sprites: what is loose swings, and the model draws what that uncovers. Four frames that repeat.

    Writes each as a sprite document of four frames, which `sprites export` takes, and as a GIF; and one sheet. Sprites
    whose parts are unsure breathe as a whole.

    Examples: `pixelreef sprites idle fish.json --out idle` ·
    `pixelreef sprites idle drawn/*.json --milliseconds 120 --out idle`
    """
    from pixelreef.core.document import json_from_sprite
    from pixelreef.core.files import write_bytes, write_text
    from pixelreef.core.render import gif_from_sprite
    from pixelreef.errors import InputError
    from pixelreef.sprites.idle.animate import Animator
    from pixelreef.sprites.parts.labeller import labeller_from
    from pixelreef.sprites.sample import Sampler
    from pixelreef.sprites.weights import weights_from

    animator = Animator(Sampler(weights_from(weights)), labeller_from(None))
    made = Made()
    for path, sprite in sprites_from_paths(sprites, made.refused):
        try:
            moving = animator.idle(sprite, milliseconds, whole)
        except InputError as error:
            refuse(path, error, made.refused)
            continue
        name = made.files.of(moving.sprite.name)
        write_text(out / f"{name}.json", json_from_sprite(moving.sprite))
        file = write_bytes(out / f"{name}.gif", gif_from_sprite(moving.sprite, scale))
        made.records.append({"file": str(file), "way": moving.idle.way, "why": moving.idle.why})
        made.rows.append([moving.sprite.palette.rgba[frame.grid.cells] for frame in moving.sprite.frames])
        made.names.append(moving.sprite.name)
        if moving.idle.why:
            print(f"{path} breathes as a whole: {moving.idle.why}.", file=sys.stderr)
    made.end(out, count_of(len(made.records), "animation"), as_json)
