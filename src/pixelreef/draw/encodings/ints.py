"""`ints`: a palette, and 24 lists of 24 whole numbers.

Every cell stands alone between commas, so every tokenizer shows the model 24 cells; the price is about twice as many
tokens as digits one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.draw.cells import cells_repaired, ints_schema, ints_strictly
from pixelreef.draw.failures import Faults
from pixelreef.draw.grid_encoding import GridEncoding
from pixelreef.draw.repairs import Log


class Ints(GridEncoding):
    """A palette and 24 lists of whole numbers."""

    name = "ints"
    version = 1
    grid_rule = """\
"grid": a list of exactly 24 lists, the top row first. Each of them holds exactly 24 whole numbers, one for each cell
from left to right: the index of the cell's colour. Every number is at least 0 and below the number of colours.
"""

    def grid_schema(self, colours: int) -> dict[str, Any]:
        return ints_schema(colours)

    def grid_value(self, cells: NDArray[np.uint8]) -> list[Any]:
        return list(cells.tolist())

    def grid_strictly(self, value: Any, colours: int | None, faults: Faults) -> Grid | None:
        return ints_strictly(value, colours, faults)

    def grid_repaired(self, value: Any, log: Log) -> NDArray[np.int64] | None:
        return cells_repaired(value, False, log)


ENCODING = Ints()
