"""`runs`: a palette, and 24 strings of runs such as `0*10 3*4 0*10`, colour 0 ten times, then colour 3 four times.

Why this form: most tokenizers split text at the border between digits and signs, and join at most three digits. So
every index and every count is one token (two, where digits go one by one), whatever stands beside it, and a model can
add the counts up. `0x10` would read as a hexadecimal number, for which many vocabularies have a token `0x`; a letter
for the colour would join with its neighbours. `*` is how most languages write repetition. A blank row is 3 or 4
tokens instead of 8 or 24; a row of 24 runs is longer than in `rows`.

The sum of the counts is beyond a JSON Schema, so there is a grammar too.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.draw.cells import cells_from_text, dropped, filled, row_list
from pixelreef.draw.drawing import MAX_COLOURS, MIN_COLOURS, SIDE
from pixelreef.draw.failures import Faults
from pixelreef.draw.grid_encoding import GridEncoding
from pixelreef.draw.repairs import Log
from pixelreef.errors import shown

_RUN = r"[0-9]\*(?:[1-9]|1[0-9]|2[0-4])"
_STRICT = re.compile(rf"{_RUN}(?: {_RUN})*\Z")
_LOOSE = re.compile(r"([0-9]{1,6})\s*[*x×:]\s*([0-9]{1,6})")
_LONGEST = 10 * SIDE  # cells kept of one row that is too long


class Runs(GridEncoding):
    """A palette and 24 strings of run lengths."""

    name = "runs"
    version = 1
    grid_rule = """\
"grid": a list of exactly 24 strings, the top row first. Each string describes one row from left to right as runs
separated by single spaces. A run is index*count: the index of a colour, then "*", then how many cells in a row have
it, at least 1. The counts of each string add up to exactly 24. Every index is below the number of colours.
For example "0*10 3*4 0*10" is ten cells of colour 0, four of colour 3 and ten of colour 0.
"""

    def grid_schema(self, colours: int) -> dict[str, Any]:
        run = rf"[0-{colours - 1}]\*([1-9]|1[0-9]|2[0-4])"
        row = {"type": "string", "pattern": f"^{run}( {run}){{0,{SIDE - 1}}}$"}
        return {"type": "array", "items": row, "minItems": SIDE, "maxItems": SIDE}

    def grammar(self, palette: Palette | None = None) -> str:
        """A rule per palette length and number of cells left in the row: the counts can't but add up to 24."""
        lengths = range(MIN_COLOURS, MAX_COLOURS + 1)
        rules = ["root ::= " + " | ".join(f"object{n}" for n in lengths), 'colour ::= "\\"" [0-9A-Fa-f]{6} "\\""']
        for n in lengths:
            palette_rule = f'"[" colour ("," colour){{{n - 1}}} "]"'
            grid_rule = f'"[" row{n} ("," row{n}){{{SIDE - 1}}} "]"'
            rules.append(f'object{n} ::= "{{\\"palette\\":" {palette_rule} ",\\"grid\\":" {grid_rule} "}}"')
            rules.append(f'row{n} ::= "\\"" left{n}x{SIDE} "\\""')
            for left in range(1, SIDE + 1):
                counts = [f'"{count} " left{n}x{left - count}' for count in range(1, left)] + [f'"{left}"']
                rules.append(f'left{n}x{left} ::= [0-{n - 1}] "*" ({" | ".join(counts)})')
        return "\n".join(rules) + "\n"

    def grid_value(self, cells: NDArray[np.uint8]) -> list[Any]:
        return [" ".join(f"{index}*{len(list(run))}" for index, run in groupby(row)) for row in cells.tolist()]

    def grid_strictly(self, value: Any, colours: int | None, faults: Faults) -> Grid | None:
        rows = []
        for y, row in row_list(value, str, "a string", faults):
            if not _STRICT.match(row):
                faults.add("bad digit", f"row {y} must be runs such as 0*10 3*4 0*10, got {shown(row)}")
                continue
            runs = [run.split("*") for run in row.split(" ")]
            if sum(int(count) for _, count in runs) != SIDE:
                faults.add("wrong row length", f"the runs of row {y} do not add up to {SIDE}")
            highest = max(int(index) for index, _ in runs)
            if colours is not None and highest >= colours:
                message = f"row {y} has index {highest} in a palette of {colours:,} colours"
                faults.add("index outside the palette", message)
            rows.append([int(index) for index, count in runs for _ in range(int(count))])
        return None if faults.messages else Grid(np.array(rows, np.uint8))

    def grid_repaired(self, value: Any, log: Log) -> NDArray[np.int64] | None:
        if not isinstance(value, list) or not value:
            return None
        dropped(value, log)
        return filled([_row(row, log) for row in value[:SIDE]], log)


def _row(row: Any, log: Log) -> list[int]:
    if isinstance(row, list):
        log.note("row given as list")
        row = " ".join(str(run) for run in row[:_LONGEST] if isinstance(run, str | int))
    if not isinstance(row, str):
        return []
    runs = _LOOSE.findall(row)
    if not runs:
        log.note("row given in full")
        return cells_from_text(row, log)
    if not _STRICT.match(row):
        log.note("run respelled")
    cells: list[int] = []
    for index, count in runs:
        cells += [int(index)] * min(int(count), _LONGEST - len(cells))
    return cells


ENCODING = Runs()
