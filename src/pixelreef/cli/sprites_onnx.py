"""`pixelreef sprites onnx`: the model as ONNX graphs, for engines that embed a runtime."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

LIMIT = 1e-4  # by which the logarithm of a sprite's probability may differ from the engine's


def onnx(
    out: Annotated[Path, typer.Option("--out", help="A folder for the graphs.")],
    weights: Annotated[
        Path | None,
        typer.Option("--weights", metavar="RUN|FILE", help="Of a training run; the shipped ones unless given."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """Write the model as ONNX graphs, and hold them against the engine.

    The folder holds three graphs for each of the two painters, `model.json` with all constants, and `draw.py`, the loop
    around them in Python without Pixelreef. Exit 1 if some sprites are not as likely by the graphs as by the engine.

    Examples: `pixelreef sprites onnx --out graphs` · `pixelreef sprites onnx --weights run --out graphs` ·
    `python graphs/draw.py jellyfish/abyss 7 sprite.png`
    """
    from pixelreef.errors import GateFailed
    from pixelreef.extras import require

    require("onnx", "onnx", "onnxruntime")
    from pixelreef.sprites.onnx import furthest, write_onnx
    from pixelreef.sprites.weights import weights_from

    model = weights_from(weights)
    written = write_onnx(model, out)
    away = furthest(model, out)
    size = sum(path.stat().st_size for path in written)
    if as_json:
        print(json.dumps({"files": [str(path) for path in written], "bytes": size, "furthest": away}, indent=2))
    else:
        print(f"{out}: {len(written)} files, {size:,} bytes; log-probabilities differ by at most {away:.1e}")
    if not away <= LIMIT:
        raise GateFailed(f"log-probabilities must be the engine's to {LIMIT:g}, got {away:.1e} apart.")
