"""The command line: one file per room, each thin. Rooms are imported inside the commands, so that help is quick.

Exit codes, everywhere: 0 done, 1 a gate said no, 2 the input was wrong (one line on stderr, no traceback).
With `--json` a command prints one JSON document on stdout; progress and notes go to stderr.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pixelreef import __version__
from pixelreef.cli import corpus, demo, draw, masks, show, sprites, taste, trail, tune
from pixelreef.errors import GateFailed, PixelreefError

app = typer.Typer(
    name="pixelreef",
    help="Measures how precisely a model places pixels, and grows small models that place them well.",
    epilog="Start with: pixelreef demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("demo")(demo.demo)
app.command("show")(show.show)
app.add_typer(draw.draw, name="draw")
app.add_typer(corpus.corpus, name="corpus")
app.add_typer(masks.masks, name="masks")
app.add_typer(taste.taste, name="taste")
app.add_typer(sprites.sprites, name="sprites")
app.add_typer(tune.tune, name="tune")
app.add_typer(trail.trail, name="trail")


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"pixelreef {__version__}")
        raise typer.Exit


@app.callback()
def _pixelreef(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def run(application: typer.Typer) -> int:
    """Run an application on the process' arguments; errors of ours become one line and an exit code."""
    try:
        application()
    except GateFailed as failure:
        print(f"pixelreef: {failure}", file=sys.stderr)
        return 1
    except PixelreefError as error:
        print(f"pixelreef: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away: `pixelreef show … | head`
        sys.stderr.close()
        return 0
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 0
    return 0


def main() -> None:
    """The entry point of the installed command."""
    sys.exit(run(app))
