"""`pixelreef sprites serve`: the model over HTTP, for games and tools on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[
        str, typer.Option("--host", help="The address to listen at; others than loopback let others in.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8765,
    weights: Annotated[
        Path | None,
        typer.Option("--weights", metavar="RUN|FILE", help="Of a training run; the shipped ones unless given."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="A site whose pages may ask as well; again for more. [none]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Draw sprites for whoever asks over HTTP: by cell, seed and number, as PNG or JSON.

    The page at its address tells what can be asked for. Concurrent requests are drawn together. SIGTERM or Ctrl-C
    ends it when everything accepted is answered.

    Examples: `pixelreef sprites serve` · `pixelreef sprites serve --port 9000 --weights run` ·
    `curl -o fish.png 'http://127.0.0.1:8765/sample?cell=reef-fish/shallows&seed=7&scale=8'`
    """
    from pixelreef.extras import require

    require("serve", "fastapi", "uvicorn")
    from pixelreef.sprites.sample import Sampler
    from pixelreef.sprites.serve.run import Place, serve
    from pixelreef.sprites.weights import weights_from

    place = Place(host, port, tuple(_origin(one) for one in origin or ()))
    sampler = Sampler(weights_from(weights), threads=1)

    def tell(address: str) -> None:
        if as_json:
            print(json.dumps({"address": address}), flush=True)
        print(f"Sprites at {address} until Ctrl-C.", file=sys.stderr, flush=True)

    serve(sampler, place, tell)


def _origin(typed: str) -> str:
    from urllib.parse import urlsplit

    from pixelreef.errors import InputError

    parts = urlsplit(typed)
    if typed != "*" and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query):
        raise InputError("--origin", "be such as https://example.org, or *", typed)
    return typed
