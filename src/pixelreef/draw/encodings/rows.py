"""`rows`: a palette, and 24 strings of 24 digits. The contract of the original benchmark.

A string of 24 digits is short, but a tokenizer that joins digits in threes shows the model 8 numbers, not 24 cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.draw.cells import cells_repaired, rows_schema, rows_strictly, text_from_cells
from pixelreef.draw.failures import Faults
from pixelreef.draw.grid_encoding import GridEncoding
from pixelreef.draw.repairs import Log


class Rows(GridEncoding):
    """A palette and 24 strings of digits."""

    name = "rows"
    version = 1
    grid_rule = """\
"grid": a list of exactly 24 strings, the top row first. Each string is exactly 24 digits with nothing between them,
one digit for each cell from left to right: the index of the cell's colour. Every digit is below the number of colours.
"""

    def grid_schema(self, colours: int) -> dict[str, Any]:
        return rows_schema(colours)

    def grid_value(self, cells: NDArray[np.uint8]) -> list[Any]:
        return text_from_cells(cells)

    def grid_strictly(self, value: Any, colours: int | None, faults: Faults) -> Grid | None:
        return rows_strictly(value, colours, faults)

    def grid_repaired(self, value: Any, log: Log) -> NDArray[np.int64] | None:
        return cells_repaired(value, True, log)


ENCODING = Rows()
