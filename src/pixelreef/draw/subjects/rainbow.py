"""A rainbow: concentric arcs in the order of hue, red outside."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.subject import Check, Subject, drawing_from_rows
from pixelreef.draw.vision.colours import Tone, hue_between, tones
from pixelreef.draw.vision.sight import background, counts

REFERENCE = drawing_from_rows(
    [
        "a9dcf7",  # sky
        "e8323c",  # red
        "f98a2b",  # orange
        "fbd93d",  # yellow
        "4cb650",  # green
        "3b82e0",  # blue
        "8a4bc2",  # violet
        "ffffff",  # cloud
        "d3e2f2",  # cloud shade
    ],
    [
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000111111000000000",
        "000000111122221111000000",
        "000001122223322221100000",
        "000011223333333322110000",
        "000112334444444433211000",
        "001123344555555443321100",
        "001223445566665544322100",
        "001234456660066654432100",
        "011234556000000655432110",
        "012774566000000665477210",
        "017777577000000775777710",
        "077777777700007777777770",
        "077777777770077777777770",
        "087777777780087777777780",
        "008888888800008888888800",
        "000000000000000000000000",
        "000000000000000000000000",
        "000000000000000000000000",
    ],
)

LEAST_BANDS = 4
LEAST_CELLS = 6  # of a band
LEAST_SPAN = 140.0  # degrees of hue from the outermost band to the innermost
LEAST_ARC = 60.0  # degrees that the outermost band covers around the middle
LEAST_ON_ARC = 0.8  # of a band's cells, within 1.6 cells of its own radius
_START = -25.0  # hue, degrees: red begins here, and violet ends before it


def check(drawing: Drawing) -> Check:
    """Fits a circle to the red arc and asks of every colour how far from its middle it lies."""
    palette = tones(drawing.palette)
    vivid = [_vivid(tone) for tone in palette]
    vivid[background(drawing)] = False
    many = counts(drawing)
    reds = [index for index, tone in enumerate(palette) if vivid[index] and hue_between(tone, _START, 47)]
    if not reds:
        return Check(False, "there is no red")
    for red in sorted(reds, key=lambda index: -many[index])[:2]:
        rows, columns = np.nonzero(drawing.cells == red)
        middle = _middle(rows, columns) if len(rows) >= LEAST_CELLS else None
        if middle is not None:
            return _arcs(
                drawing, [index for index, yes in enumerate(vivid) if yes and many[index] >= LEAST_CELLS], red, middle
            )
    return Check(False, "the red cells make no arc")


def _arcs(drawing: Drawing, colours: list[int], red: int, middle: tuple[float, float]) -> Check:
    """The verdict on the bands around a middle."""
    rows, columns = np.nonzero(np.isin(drawing.cells, colours))
    away = np.hypot(rows - middle[0], columns - middle[1])
    cells = drawing.cells[rows, columns]
    bands = sorted(
        (-radius, (tones(drawing.palette)[index].hue - _START) % 360)
        for index in colours
        if (radius := _radius(away[cells == index])) is not None
    )
    hues = [hue for _, hue in bands]
    if len(hues) < LEAST_BANDS:
        return Check(False, f"{len(hues)} colours lie on arcs around one middle")
    falls = min(second - first for first, second in pairwise(hues))
    distinct = 1 + sum(second - first >= 12 for first, second in pairwise(hues))
    of_red = cells == red
    arc = _covered(np.arctan2(middle[0] - rows[of_red], columns[of_red] - middle[1]))
    upright = float(np.mean(rows[of_red] < middle[0] + 1))
    if falls < -10 or distinct < LEAST_BANDS or hues[-1] - hues[0] < LEAST_SPAN or hues[0] > 47 - _START:
        return Check(False, f"{len(hues)} arcs lie around one middle, but not in the order of hue with red outside")
    if arc < LEAST_ARC or upright < 0.65:
        return Check(False, f"the arcs cover {arc:.0f} degrees, {upright:.0%} of them above their middle")
    return Check(True, f"{distinct} arcs in the order of hue, red outside, over {arc:.0f} degrees")


def _vivid(tone: Tone) -> bool:
    return tone.chroma >= 0.06


def _middle(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> tuple[float, float] | None:
    """(row, column) of the middle of the circle that fits best, by least squares; None if it is flat or tiny."""
    y, x = rows - 11.5, columns - 11.5
    table = np.stack([2 * x, 2 * y, np.ones(len(x))])
    square = table @ table.T
    if abs(np.linalg.det(square)) < 1e-6:
        return None
    column, row, rest = np.linalg.solve(square, table @ (x * x + y * y)).tolist()
    inside = rest + row * row + column * column
    return (row + 11.5, column + 11.5) if 4**2 <= inside <= 40**2 else None


def _radius(away: NDArray[np.float64]) -> float | None:
    """The radius on which a colour lies, or None if it lies all over the place."""
    radius = float(np.sort(away)[len(away) // 2])
    return radius if np.count_nonzero(np.abs(away - radius) <= 1.6) >= LEAST_ON_ARC * len(away) else None


def _covered(angles: NDArray[np.float64]) -> float:
    """Degrees of the circle that hold a cell, counted in steps of ten."""
    return 10.0 * len(np.unique(np.floor(np.degrees(angles) / 10)))


SUBJECT = Subject("rainbow", "a rainbow", "nature", REFERENCE, check)
