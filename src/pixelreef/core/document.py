"""The sprite document: a sprite as versioned JSON that a person can read and edit.

    {"format": "pixelreef-sprite", "version": 1, "palette": ["000000", "ff8800"], "transparent": 0,
     "frames": [{"rows": ["..1..", ".111."], "milliseconds": 125}]}

One text row per pixel row, one character per pixel: the character at place i of `ALPHABET` means palette index i, and
`.` is another way to write the transparent index. A Pixel Art Bench reply in `rows` form, a palette and a grid of
digits, is a legal document: version 0. Older versions are lifted step by step by `_MIGRATIONS`, which only grows.

`docs/formats.md` describes the format for people, `docs/sprite-document.schema.json` for programs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixelreef.core.files import read_bytes
from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.sprite import DEFAULT_MILLISECONDS, Frame, Sprite
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError, InputError

VERSION = 1
FORMAT = "pixelreef-sprite"
MAX_SIDE = 1024
MAX_FRAMES = 256
MAX_CELLS = 2**22  # of all frames together: 4 MiB of grids
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-="  # 65: 64 colours and transparency
CLEAR = "."

_Colour = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{6}$")]
_Row = Annotated[str, Field(min_length=1, max_length=MAX_SIDE, pattern=r"^[0-9A-Za-z+\-=.]+$")]


class FrameFields(BaseModel):
    """One frame: its rows from top to bottom and how long it stands."""

    model_config = ConfigDict(extra="forbid", strict=True)

    rows: list[_Row] = Field(min_length=1, max_length=MAX_SIDE, description="One string per pixel row, top first.")
    milliseconds: int = Field(DEFAULT_MILLISECONDS, ge=1, le=60_000, description="How long the frame stands.")


class DocumentFields(BaseModel):
    """A sprite document, version 1."""

    model_config = ConfigDict(extra="forbid", strict=True, title="Pixelreef sprite document")

    format: Literal["pixelreef-sprite"] = Field(description="Says what this file is.")
    version: Literal[1] = Field(description="The version of this layout.")
    name: str = Field("", max_length=200, description="A label for people.")
    palette: list[_Colour] = Field(
        min_length=1, max_length=len(ALPHABET), description="Colours as six hex digits; the place is the index."
    )
    transparent: int | None = Field(
        None, ge=0, lt=len(ALPHABET), description="The index that is see-through; none unless given."
    )
    frames: list[FrameFields] = Field(min_length=1, max_length=MAX_FRAMES, description="All of one size.")
    lineage: dict[str, Any] = Field(default_factory=dict, description="Where it comes from: seed, weights, parents.")


def schema() -> dict[str, Any]:
    """The JSON Schema of the current version, as published in `docs/`."""
    made = DocumentFields.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def read_sprite(path: str | os.PathLike[str]) -> Sprite:
    """Read a sprite document from a file."""
    return sprite_from_json(read_bytes(path), f"sprite {os.fspath(path)!r}")


def sprite_from_json(data: bytes, what: str = "sprite document") -> Sprite:
    """Read a sprite document of any version from bytes; `what` names it in errors."""
    return sprite_from_fields(json_from_bytes(data, what), what)


def sprite_from_fields(raw: Any, what: str = "sprite document") -> Sprite:
    """Read a sprite document of any version from parsed JSON."""
    current = _lifted(raw, what)
    try:
        fields = DocumentFields.model_validate(current)
    except ValidationError as error:
        raise described(error, what) from None
    try:
        return _sprite(fields, what)
    except DocumentError:
        raise
    except InputError as error:
        raise DocumentError(f"{what}: {error.what}", error.rule, "otherwise", verbatim=True) from None


def fields_from_sprite(sprite: Sprite) -> dict[str, Any]:
    """The document as plain JSON values, current version."""
    if len(sprite.palette) > len(ALPHABET):
        raise DocumentError(
            "palette", f"have at most {len(ALPHABET)} entries for a sprite document", len(sprite.palette)
        )
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION, "palette": sprite.palette.hex()}
    if sprite.name:
        document["name"] = sprite.name
    if sprite.palette.transparent is not None:
        document["transparent"] = sprite.palette.transparent
    document["frames"] = [
        {"rows": rows_from_grid(frame.grid, sprite.palette.transparent), "milliseconds": frame.milliseconds}
        for frame in sprite.frames
    ]
    if sprite.lineage:
        document["lineage"] = dict(sprite.lineage)
    return document


def json_from_sprite(sprite: Sprite) -> str:
    """The document as text: rows stand below one another, so that the picture can be seen in an editor."""
    return json.dumps(fields_from_sprite(sprite), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def rows_from_grid(grid: Grid, transparent: int | None = None) -> list[str]:
    """A grid as text rows.

    >>> rows_from_grid(Grid.from_rows([[0, 1], [11, 0]]), transparent=0)
    ['.1', 'B.']
    """
    table = _characters(transparent)
    if int(grid.cells.max()) >= len(table):
        raise DocumentError("cells", f"be below {len(table)} for a sprite document", int(grid.cells.max()))
    return [row.tobytes().decode("ascii") for row in table[grid.cells]]


@cache
def _characters(transparent: int | None) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    table = np.frombuffer(ALPHABET.encode(), np.uint8).copy()
    if transparent is not None:
        table[transparent] = ord(CLEAR)
    return table


@cache
def _indices(transparent: int | None) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Byte → index; 255 where the byte means nothing."""
    table = np.full(256, 255, np.uint8)
    table[np.frombuffer(ALPHABET.encode(), np.uint8)] = np.arange(len(ALPHABET))
    if transparent is not None:
        table[ord(CLEAR)] = transparent
    return table


def _sprite(fields: DocumentFields, what: str) -> Sprite:
    palette = Palette.from_hex(fields.palette, fields.transparent)
    if sum(len(row) for frame in fields.frames for row in frame.rows) > MAX_CELLS:
        raise DocumentError(what, f"have at most {MAX_CELLS:,} cells in all frames", "more", verbatim=True)
    frames = []
    for number, frame in enumerate(fields.frames):
        widths = {len(row) for row in frame.rows}
        if len(widths) > 1:
            raise DocumentError(f"{what}: rows of frame {number}", "all have one length", sorted(widths)[:4])
        text = np.frombuffer("".join(frame.rows).encode("ascii"), np.uint8)
        cells = _indices(fields.transparent)[text].reshape(len(frame.rows), -1)
        _check_cells(frame.rows, cells, len(palette), f"{what}: frame {number}")
        frames.append(Frame(Grid(cells), frame.milliseconds))
    return Sprite(palette, tuple(frames), fields.name, fields.lineage)


def _check_cells(rows: list[str], cells: np.ndarray[Any, np.dtype[np.uint8]], colours: int, what: str) -> None:
    wrong = np.argwhere(cells >= colours)
    if len(wrong):
        y, x = (int(place) for place in wrong[0])
        rule = f"stand for one of {colours} palette entries"
        if rows[y][x] == CLEAR:
            rule = "be used only where 'transparent' names an index"
        raise DocumentError(f"{what}, row {y}, column {x}: the character", rule, rows[y][x])


def _lifted(raw: Any, what: str) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise DocumentError(what, "be a JSON object", type(raw).__name__, verbatim=True)
    version = raw.get("version", 0)
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise DocumentError(f"{what}: version", f"be a whole number from 0 to {VERSION}", version)
    if version > VERSION:
        raise DocumentError(f"{what}: version", f"be at most {VERSION}", version, "Update pixelreef to read it.")
    document = dict(raw)
    for migrate in _MIGRATIONS[version:]:
        document = migrate(document, what)
    return document


def _version_1_from_0(document: dict[str, Any], what: str) -> dict[str, Any]:
    """A bare reply: `palette` and `grid`, nothing else; fully opaque."""
    extra = sorted(set(document) - {"palette", "grid", "version"})
    missing = sorted({"palette", "grid"} - set(document))
    if extra or missing:
        keys = f"{'no ' + missing[0] if missing else 'also ' + ascii(extra[0][:40])}"
        todo = "A full document says its format and version."
        raise DocumentError(
            what, "have just the keys palette and grid when it has no version", keys, todo, verbatim=True
        )
    return {"format": FORMAT, "version": 1, "palette": document["palette"], "frames": [{"rows": document["grid"]}]}


_MIGRATIONS: list[Callable[[dict[str, Any], str], dict[str, Any]]] = [_version_1_from_0]


def described(error: ValidationError, what: str) -> DocumentError:
    """The first fault that pydantic found, in our own sentence."""
    fault = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"]) or "document"
    rule = fault["msg"][:1].lower() + fault["msg"][1:]
    got = fault["input"] if isinstance(fault["input"], str | int | float | bool) else type(fault["input"]).__name__
    more = f"{error.error_count() - 1} more faults follow." if error.error_count() > 1 else ""
    return DocumentError(f"{what}: {place[:80]}", f"follow the format ({rule})", got, more)
