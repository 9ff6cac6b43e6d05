"""Pictures in the terminal: two pixels to a character cell, by the upper half block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def picture_text(rgba: NDArray[np.uint8], columns: int, rows: int = 40) -> Text:
    """A picture (H, W, 4) as coloured half blocks, at most `columns` wide and `rows` characters high.

    A larger picture is thinned by whole factors; transparent pixels are left to the terminal's own background.
    """
    height, width = rgba.shape[:2]
    factor = max(1, -(-width // columns), -(-height // (2 * rows)))
    small = rgba[factor // 2 :: factor, factor // 2 :: factor]
    text = Text()
    for y in range(0, small.shape[0], 2):
        lower_row = small[y + 1] if y + 1 < small.shape[0] else None
        for x in range(small.shape[1]):
            upper = _colour(small[y, x])
            lower = _colour(lower_row[x]) if lower_row is not None else None
            text.append(*_cell(upper, lower))
        text.append("\n")
    return text


def _cell(upper: str | None, lower: str | None) -> tuple[str, str]:
    if upper and lower:
        return "▀", f"{upper} on {lower}"
    if upper:
        return "▀", upper
    return ("▄", lower) if lower else (" ", "")


def _colour(pixel: NDArray[np.uint8]) -> str | None:
    red, green, blue, alpha = (int(value) for value in pixel)
    return f"#{red:02x}{green:02x}{blue:02x}" if alpha >= 128 else None
