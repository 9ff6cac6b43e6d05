"""What encodings that write the grid row by row share: the keys `palette` and `grid`, and how the two fit together.

A file of `encodings` derives from `GridEncoding` and says how a row is written; where the palette is given in the
prompt (`palette_given`) the reply has the key `grid` alone.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.draw.colours import RULE, drawing_repaired, entries_repaired, palette_schema, palette_strictly
from pixelreef.draw.drawing import Drawing
from pixelreef.draw.encoding import CONTRACT, Encoding, object_schema, one_of_each_length
from pixelreef.draw.failures import Faults
from pixelreef.draw.keys import fields_repaired, fields_strictly
from pixelreef.draw.repairs import Log


class GridEncoding(Encoding):
    """A palette, in the reply or in the prompt, and a grid of 24 rows."""

    keys: tuple[str, ...] = ("palette", "grid")
    grid_rule: str
    """The value under `grid`, in words."""

    @abstractmethod
    def grid_schema(self, colours: int) -> dict[str, Any]:
        """The JSON Schema of the grid for a palette of so many colours."""

    @abstractmethod
    def grid_value(self, cells: NDArray[np.uint8]) -> list[Any]:
        """(24, 24) indices → the value under `grid`."""

    @abstractmethod
    def grid_strictly(self, value: Any, colours: int | None, faults: Faults) -> Grid | None:
        """The value under `grid` → grid, to the letter; None when there are faults."""

    @abstractmethod
    def grid_repaired(self, value: Any, log: Log) -> NDArray[np.int64] | None:
        """The value under `grid` → (24, 24) indices of any size; None when nothing can be read."""

    def instructions(self, palette: Palette | None = None) -> str:
        given = self.check_palette(palette)
        if given is None:
            return f"{CONTRACT}The object has exactly two keys.\n{RULE}\n{self.grid_rule}"
        colours = ", ".join(f"{index} = {colour}" for index, colour in enumerate(given.hex()))
        return f"{CONTRACT}The palette is fixed: {colours}.\nThe object has exactly one key.\n{self.grid_rule}"

    def schema(self, palette: Palette | None = None) -> dict[str, Any]:
        given = self.check_palette(palette)
        if given is not None:
            return object_schema({"grid": self.grid_schema(len(given))})
        return one_of_each_length(lambda n: {"palette": palette_schema(n), "grid": self.grid_schema(n)})

    def strict(self, value: Any, palette: Palette | None = None) -> Drawing:
        faults = Faults()
        own = self.check_palette(palette)
        fields = fields_strictly(value, self.keys, faults)
        colours = None if own is None else len(own)
        if "palette" in fields:
            own = palette_strictly(fields["palette"], faults)
            colours = len(fields["palette"]) if isinstance(fields["palette"], list) else None
        grid = self.grid_strictly(fields["grid"], colours, faults) if "grid" in fields else None
        faults.check()
        assert own is not None, "no fault, so there is a palette"
        assert grid is not None, "no fault, so there is a grid"
        return Drawing(grid, own)

    def repair(self, value: Any, palette: Palette | None, log: Log) -> Drawing | None:
        given = self.check_palette(palette)
        if given is not None and isinstance(value, list) and not any(isinstance(one, dict) for one in value):
            log.note("bare grid")
            value = {"grid": value}
        fields = fields_repaired(value, self.keys, log)
        if fields is None:
            return None
        entries = entries_repaired(fields["palette"], log) if given is None else given.hex()
        cells = self.grid_repaired(fields["grid"], log)
        return None if entries is None or cells is None else drawing_repaired(entries, cells, log)

    def encode(self, drawing: Drawing) -> str:
        palette = {} if self.palette_given else {"palette": drawing.palette.hex()}
        return json.dumps({**palette, "grid": self.grid_value(drawing.cells)}, separators=(",", ":"))
