"""Sprites as the body of an answer: a PNG, a sheet of several, or sprite documents. Made in the queue's lanes."""

from __future__ import annotations

import json

import numpy as np

from pixelreef.core.document import fields_from_sprite
from pixelreef.core.files import safe_name
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.render import png_from_grid
from pixelreef.core.sprite import Frame, Sprite
from pixelreef.sprites.engine import Grids
from pixelreef.sprites.serve.limits import MAX_PIXELS, Refused
from pixelreef.sprites.write import Order, origin

COLUMNS = 8  # sprites in a row of a sheet
MEDIA = {"png": "image/png", "json": "application/json"}


def png_from_grids(grids: Grids, palette: Palette, ground: int, scale: int = 1) -> bytes:
    """One sprite as the command line would write it, or several on a sheet without gaps, eight in a row."""
    return png_from_grid(Grid(sheet(grids, ground)), palette, scale)


def check_size(count: int, height: int, width: int, scale: int) -> None:
    """That a sheet of so many sprites is no larger than pictures are made."""
    shown = COLUMNS * -(-count // COLUMNS) if count > COLUMNS else count
    if shown * height * width * scale**2 > MAX_PIXELS:
        raise Refused(422, f"scale must keep the picture within {MAX_PIXELS} pixels, got {scale}.")


def sheet(grids: Grids, ground: int) -> Grids:
    """(n, height, width) → one picture, filled up with ground.

    >>> sheet(np.arange(3, dtype=np.uint8).reshape(3, 1, 1), 9).tolist()
    [[0, 1, 2]]
    """
    count, height, width = grids.shape
    columns = min(count, COLUMNS)
    rows = -(-count // columns)
    whole = np.full((rows * columns, height, width), ground, np.uint8)
    whole[:count] = grids
    return whole.reshape(rows, columns, height, width).swapaxes(1, 2).reshape(rows * height, columns * width)


def documents_from_grids(grids: Grids, order: Order, cell: str, first: int, verdict: dict[str, object]) -> bytes:
    """Sprite documents with where they come from.

    The likelihood is left out: its last digits depend on what was drawn beside, and the same question is to have the
    same bytes for its answer.
    """
    name = safe_name(cell, "cell")
    sprites = [
        Sprite(
            order.weights.palette,
            (Frame(Grid(cells)),),
            f"{name}-{number:04d}",
            origin(cell, number, order),
        )
        for number, cells in enumerate(grids, first)
    ]
    document = {"cell": cell, **verdict, "sprites": [fields_from_sprite(sprite) for sprite in sprites]}
    return json.dumps(document, allow_nan=False).encode()


def kind_wanted(asked: str, accept: str, kinds: tuple[str, ...]) -> str:
    """png or json: as asked, or else what an Accept header likes best, the first of `kinds` where it does not mind.

    >>> kind_wanted("auto", "application/json, */*;q=0.1", ("png", "json")), kind_wanted("auto", "", ("png", "json"))
    ('json', 'png')
    """
    if asked != "auto":
        if asked not in kinds:
            raise Refused(406, f"format must be {' or '.join(kinds)} for this palette, got '{asked}'.")
        return asked
    likes = {kind: _liking(accept or "*/*", MEDIA[kind]) for kind in kinds}
    best = max(kinds, key=lambda kind: likes[kind])
    if not likes[best]:
        names = " or ".join(MEDIA[kind] for kind in kinds)
        raise Refused(406, f"the Accept header must allow {names}, got neither.")
    return best


def _liking(accept: str, media: str) -> float:
    """From 0 to 1, by the entry of a header that fits most closely."""
    found: dict[str, float] = {}
    for entry in accept.lower().split(","):
        name, *options = (part.strip() for part in entry.split(";"))
        weights = [option[2:].strip() for option in options if option.startswith("q=")]
        try:
            found[name] = float(weights[0]) if weights else 1.0
        except ValueError:
            found[name] = 0.0
    for name in (media, f"{media.partition('/')[0]}/*", "*/*"):
        if name in found:
            return found[name] if 0 <= found[name] <= 1 else 0.0
    return 0.0
