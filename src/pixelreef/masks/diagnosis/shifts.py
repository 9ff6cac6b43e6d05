"""The points of a mask under many small shifts, counted only where a shift can change anything.

Where a mask has one label as far as any of the shifts reaches, every one of them shows that label: such pixels are
counted once. What comes in at a side is the mask's own edge continued.
"""

from __future__ import annotations

import numpy as np

from pixelreef.masks.diagnosis.points import Match, points
from pixelreef.metrics.windows import window_extremes


class Shifts:
    """A match under shifts of at most `reach` pixels each way about a middle one."""

    def __init__(self, match: Match, reach: int, right: int = 0, down: int = 0) -> None:
        self.reach, self.right, self.down = reach, right, down
        self._known: dict[tuple[int, int], float] = {}
        height, width = match.truth.shape
        rows, columns = (
            np.clip(np.arange(-reach, size + reach) + shift, 0, size - 1)
            for size, shift in ((height, down), (width, right))
        )
        around = match.predicted.take(rows, axis=0).take(columns, axis=1)
        least, largest = (one[reach : reach + height, reach : reach + width] for one in window_extremes(around, reach))
        steady = least == largest
        self._columns = match.count + 1
        self._still = self._counted(match.rows[steady] + least[steady])
        moving = np.flatnonzero(~steady)
        self._rows = match.rows.ravel()[moving]
        self._around, self._line = around.ravel(), around.shape[1]
        self._places = (moving // width + reach) * self._line + moving % width + reach

    def __contains__(self, shift: tuple[int, int]) -> bool:
        return max(abs(shift[0] - self.right), abs(shift[1] - self.down)) <= self.reach

    def score(self, right: int, down: int) -> float:
        """The points with a shift undone, as `Match.score` has them; `right, down` must be within reach."""
        key = (right, down)
        if key not in self._known:
            away = (down - self.down) * self._line + right - self.right
            table = self._still + self._counted(self._rows + self._around[self._places + away])
            self._known[key] = points(table[1:])
        return self._known[key]

    def _counted(
        self, codes: np.ndarray[tuple[int], np.dtype[np.intp]]
    ) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
        columns = self._columns
        return np.bincount(codes, minlength=columns * columns).reshape(columns, columns)
