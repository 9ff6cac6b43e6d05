"""A small drawing of an interval: a dot for the mean on a line from low to high, all on one scale per column.

It repeats what the cell says in figures, so it is hidden from screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pixelreef.report.columns import Spread
from pixelreef.report.html import Html

WIDTH, HEIGHT = 96, 12  # CSS pixels
_EDGE = 4.0  # room for half a dot at either end
_MIDDLE = HEIGHT // 2


@dataclass(frozen=True)
class Scale:
    """The numbers at the left and right end of every whisker of a column."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Where a value stands, in CSS pixels; what lies outside the scale stands at its end.

        >>> Scale(0, 1).x(0.5)
        48.0
        """
        share = (value - self.low) / (self.high - self.low)
        return round(_EDGE + (WIDTH - 2 * _EDGE) * min(max(share, 0.0), 1.0), 1)


def scale_of(spreads: Iterable[Spread], declared: tuple[float, float] | None = None) -> Scale:
    """The declared scale, or one that just holds every interval. One value alone stands in the middle.

    >>> scale_of([Spread(0.5, 0.4, 0.7, 10), Spread(0.9, None, None, 1)])
    Scale(low=0.4, high=0.9)
    """
    if declared is not None:
        return Scale(*declared)
    values = [value for s in spreads for value in (s.mean, s.low, s.high) if value is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low < high:
        return Scale(low, high)
    around = abs(low) or 1.0
    return Scale(low - around, high + around)


def whisker(spread: Spread, scale: Scale) -> Html:
    """The drawing, or nothing where the mean is missing."""
    if spread.mean is None:
        return Html("")
    zero = f'<path class="zero" d="M{scale.x(0)} 1V{HEIGHT - 1}"/>' if scale.low < 0 < scale.high else ""
    return Html(
        f'<svg class="whisker" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">'
        f'<path class="track" d="M0 {_MIDDLE}H{WIDTH}"/>{zero}{_line(spread, scale)}'
        f'<circle cx="{scale.x(spread.mean)}" cy="{_MIDDLE}" r="3.5"/></svg>'
    )


def _line(spread: Spread, scale: Scale) -> str:
    if spread.low is None or spread.high is None:
        return ""
    left, right = scale.x(spread.low), scale.x(spread.high)
    return f'<path class="span" d="M{left} {_MIDDLE}H{right}"/>'
