"""Sprite sheets: what was done to the picture is undone, the grid is found, and every cell becomes an entry.

`scale` and `noise` bring the pixels back to one per cell of the artist's grid, `background` makes the backdrop
transparent, `lattice`, `components` or `atlas` say where the sprites are, and `entries` yields them.
"""

from pixelreef.corpus.sheets.entries import sheet_entries
from pixelreef.corpus.sheets.options import SheetOptions
from pixelreef.corpus.sheets.restore import Restored, SheetReport

__all__ = ["Restored", "SheetOptions", "SheetReport", "sheet_entries"]
