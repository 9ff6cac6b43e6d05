"""`shapes`: a palette, and up to 64 short commands that we rasterise, such as `circle 3 12 12 6`.

It asks for the picture rather than for its cells: what a model knows of places and sizes, without the counting.
64 commands of about 12 tokens are no longer than the other encodings' 576 cells. Later commands paint over earlier
ones. `raster` says which cells a shape covers.

Not every drawing has so short a list: `encode` covers a drawing by rectangles, and says so when 64 do not suffice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.draw import raster
from pixelreef.draw.colours import RULE, drawing_repaired, entries_repaired, palette_schema, palette_strictly
from pixelreef.draw.drawing import SIDE, Drawing
from pixelreef.draw.encoding import CONTRACT, Encoding, one_of_each_length
from pixelreef.draw.failures import Faults
from pixelreef.draw.keys import fields_repaired, fields_strictly
from pixelreef.draw.repairs import Log
from pixelreef.errors import InputError, shown

MAX_COMMANDS = 64
MAX_POINTS = 12
_KEYS = ("palette", "shapes")
_LAST = SIDE - 1
_COMMAND = re.compile(r"[a-z]+(?: (?:0|[1-9][0-9]?)){1,25}\Z")
_WORDS = re.compile(r"[A-Za-z]+|-?[0-9]+(?:\.[0-9]+)?")

Command = tuple[str, list[int]]
"""A shape's name and its numbers: palette index, then coordinates."""


def _points(numbers: list[int]) -> list[raster.Point]:
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _box(left: int, top: int, right: int, bottom: int) -> tuple[int, int, int, int]:
    return min(left, right), min(top, bottom), max(left, right), max(top, bottom)


# Name → (how many numbers follow the index, mask of the cells covered).
_SHAPES: dict[str, tuple[range, Callable[[list[int]], raster.Mask]]] = {
    "background": (range(1), lambda _: np.ones((SIDE, SIDE), bool)),
    "rect": (range(4, 5), lambda n: raster.rect(*_box(*n))),
    "ellipse": (range(4, 5), lambda n: raster.ellipse(*_box(*n))),
    "circle": (range(3, 4), lambda n: raster.circle(*n)),
    "line": (range(4, 5), lambda n: raster.line((n[0], n[1]), (n[2], n[3]))),
    "triangle": (range(6, 7), lambda n: raster.polygon(_points(n))),
    "polygon": (range(6, 2 * MAX_POINTS + 1, 2), lambda n: raster.polygon(_points(n))),
    "pixel": (range(2, 3), lambda n: raster.rect(n[0], n[1], n[0], n[1])),
}


class Shapes(Encoding):
    """A palette and a list of shape commands."""

    name = "shapes"
    version = 1
    keys = _KEYS

    def instructions(self, palette: Palette | None = None) -> str:
        return f"""{CONTRACT}The object has exactly two keys.
{RULE}
"shapes": a list of 1 to {MAX_COMMANDS} strings, painted in order, later ones over earlier ones. The first one is
the background. Each string is a command, then whole numbers, with single spaces between them. The first number, i, is
the index of a colour. The others are cells: x from 0 at the left to {_LAST} at the right, y from 0 at the top to
{_LAST} at the bottom.
"background i" fills the canvas; it comes first, and only there.
"rect i left top right bottom" fills a rectangle, its corners included.
"ellipse i left top right bottom" fills the ellipse inside that rectangle.
"circle i x y radius" fills a disc around a cell, 2 * radius + 1 cells wide; the radius is 0 to {_LAST}.
"line i x1 y1 x2 y2" draws a line one cell thick.
"triangle i x1 y1 x2 y2 x3 y3" and "polygon i x1 y1 x2 y2 x3 y3 ..." (3 to {MAX_POINTS} points) fill the shape.
"pixel i x y" sets one cell.
"""

    def schema(self, palette: Palette | None = None) -> dict[str, Any]:
        return one_of_each_length(lambda n: {"palette": palette_schema(n), "shapes": _commands_schema(n)})

    def strict(self, value: Any, palette: Palette | None = None) -> Drawing:
        faults = Faults()
        fields = fields_strictly(value, _KEYS, faults)
        own = palette_strictly(fields["palette"], faults) if "palette" in fields else None
        colours = len(fields["palette"]) if isinstance(fields.get("palette"), list) else None
        commands = _commands_strictly(fields["shapes"], colours, faults) if "shapes" in fields else []
        faults.check()
        assert own is not None, "no fault, so there is a palette"
        return Drawing(Grid(_painted(commands)[0].astype(np.uint8)), own)

    def repair(self, value: Any, palette: Palette | None, log: Log) -> Drawing | None:
        fields = fields_repaired(value, _KEYS, log)
        entries = None if fields is None else entries_repaired(fields["palette"], log)
        if fields is None or entries is None or not isinstance(fields["shapes"], list):
            return None
        given = fields["shapes"][:MAX_COMMANDS]
        read = [_command_repaired(one, log) for one in given]
        commands = [one for one in read if one is not None]
        log.note("command dropped", len(fields["shapes"]) - len(commands))
        if 2 * len(commands) <= len(given):  # as with cells: half of it must be the model's
            return None
        return drawing_repaired(entries, _painted_repaired(commands, log), log)

    def encode(self, drawing: Drawing) -> str:
        shapes = _rectangles(drawing.cells)
        if len(shapes) > MAX_COMMANDS:
            rule = f"need at most {MAX_COMMANDS} rectangles to be written as shapes"
            raise InputError("drawing", rule, len(shapes), "Use another encoding.")
        return json.dumps({"palette": drawing.palette.hex(), "shapes": shapes}, separators=(",", ":"))


def _commands_schema(colours: int) -> dict[str, Any]:
    """A list whose first command is the background, where the schema's reader knows `prefixItems`."""
    index, at = f"[0-{colours - 1}]", "([0-9]|1[0-9]|2[0-3])"
    counts = {name: counts for name, (counts, _) in _SHAPES.items() if name != "background"}
    spelled = "|".join(f"{name} {index}( {at}){{{c[0]}}}" for name, c in counts.items() if name != "polygon")
    polygon = f"polygon {index}( {at} {at}){{3,{MAX_POINTS}}}"
    background = {"type": "string", "pattern": f"^background {index}$"}
    shape = {"type": "string", "pattern": f"^({spelled}|{polygon})$"}
    return {
        "type": "array",
        "prefixItems": [background],
        "items": shape,
        "minItems": 1,
        "maxItems": MAX_COMMANDS,
    }


def _commands_strictly(value: Any, colours: int | None, faults: Faults) -> list[Command]:
    if not isinstance(value, list):
        faults.add("wrong type", "shapes must be a list")
        return []
    if not 1 <= len(value) <= MAX_COMMANDS:
        faults.add("bad command", f"there are {len(value):,} commands, must be 1 to {MAX_COMMANDS}")
    commands = []
    for place, text in enumerate(value):
        if not isinstance(text, str):
            faults.add("wrong type", f"command {place} must be a string")
            continue
        name, *words = text.split(" ") if _COMMAND.match(text) else [""]
        numbers = [int(word) for word in words]
        if not _fits(name, numbers) or max(numbers[1:], default=0) > _LAST or (name == "background") != (place == 0):
            faults.add("bad command", f"command {place} can't be drawn: {shown(text)}")
        elif colours is not None and numbers[0] >= colours:
            message = f"command {place} has index {numbers[0]} in a palette of {colours:,} colours"
            faults.add("index outside the palette", message)
        commands.append((name, numbers))
    return commands


def _fits(name: str, numbers: list[int]) -> bool:
    return name in _SHAPES and len(numbers) - 1 in _SHAPES[name][0]


def _command_repaired(value: Any, log: Log) -> Command | None:
    """A command as text of any spelling, a list, or an object whose values stand in the order of the contract."""
    text = value
    if isinstance(value, dict):
        text = " ".join(str(one) for one in list(value.values())[: 2 * MAX_POINTS + 2])
    elif isinstance(value, list):
        text = " ".join(str(one) for one in value[: 2 * MAX_POINTS + 2])
    if not isinstance(text, str) or len(text) > 400:
        return None
    words = _WORDS.findall(text)
    if not words or not words[0].isalpha() or any(word.isalpha() for word in words[1:]):
        return None
    name = {"rectangle": "rect", "bg": "background", "point": "pixel"}.get(words[0].lower(), words[0].lower())
    numbers = [round(float(word[:9])) for word in words[1:]]  # nine digits are off the canvas as well
    if not _fits(name, numbers):
        return None
    log.note("command respelled", int(" ".join([name, *map(str, numbers)]) != value))
    return name, numbers


def _painted_repaired(commands: list[Command], log: Log) -> NDArray[np.int64]:
    """Coordinates moved onto the canvas, and one background at the front: a later one would hide what came before."""
    clamped = [(name, [index, *(min(max(at, 0), _LAST) for at in ats)]) for name, (index, *ats) in commands]
    moved = [before != after for before, after in zip(commands, clamped, strict=True)]
    log.note("coordinate clamped", sum(moved))
    grounds = [place for place, (name, _) in enumerate(clamped) if name == "background"]
    shapes = [place for place, (name, _) in enumerate(clamped) if name != "background"]
    log.note("command respelled", int(bool(grounds) and grounds[0] > 0))
    log.note("command dropped", max(len(grounds) - 1, 0))
    order = grounds[:1] + shapes
    cells, painter = _painted([clamped[place] for place in order])
    log.note("background added", int(not grounds))
    log.changed |= painter < 0
    log.changed |= np.isin(painter, [at for at, place in enumerate(order) if moved[place]])
    return cells


def _painted(commands: list[Command]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(24, 24) indices, and (24, 24) the place of the command that painted each cell, −1 for none."""
    cells = np.zeros((SIDE, SIDE), np.int64)
    painter = np.full((SIDE, SIDE), -1, np.int64)
    for place, (name, numbers) in enumerate(commands):
        mask = _SHAPES[name][1](numbers[1:])
        cells[mask] = numbers[0]
        painter[mask] = place
    return cells, painter


def _rectangles(cells: NDArray[np.uint8]) -> list[str]:
    """A background and rectangles that cover the drawing exactly: from top left, the largest of one colour each time.

    Greedy, so not always the fewest; the same drawing always gives the same list.
    """
    background = int(np.bincount(cells.ravel()).argmax())
    commands = [f"background {background}"]
    left_over = cells != background
    while left_over.any():
        y, x = (int(place) for place in np.argwhere(left_over)[0])
        right, bottom = _largest(cells, x, y)
        left_over[y : bottom + 1, x : right + 1] = False
        one = (x, y) == (right, bottom)
        commands.append(f"pixel {cells[y, x]} {x} {y}" if one else f"rect {cells[y, x]} {x} {y} {right} {bottom}")
    return commands


def _largest(cells: NDArray[np.uint8], x: int, y: int) -> tuple[int, int]:
    """(right, bottom) of the largest one-coloured rectangle that has (x, y) as its top left corner."""
    best, corner, widest = 0, (x, y), SIDE - x
    for bottom in range(y, SIDE):
        same = cells[bottom, x : x + widest] == cells[y, x]
        widest = int(same.argmin()) if not same.all() else widest
        if widest == 0:
            break
        if widest * (bottom - y + 1) > best:
            best, corner = widest * (bottom - y + 1), (x + widest - 1, bottom)
    return corner


ENCODING = Shapes()
