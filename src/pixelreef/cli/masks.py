"""`pixelreef masks`: run | inputs | score | controls | ceiling | report | palette lint, make."""

from __future__ import annotations

import typer

from pixelreef.cli.masks_ceiling import ceiling
from pixelreef.cli.masks_palette import palette
from pixelreef.cli.masks_run import inputs, run
from pixelreef.cli.masks_score import controls_only, report, score

masks = typer.Typer(no_args_is_help=True, help="The mask benchmark: an image model paints a semantic mask.")
for _command in (run, inputs, score, ceiling, report):
    masks.command()(_command)
masks.command("controls")(controls_only)
masks.add_typer(palette, name="palette")
