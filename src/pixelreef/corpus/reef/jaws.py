"""The jaws of the deep: a wide mouth cut out of a head, with teeth above and below."""

from __future__ import annotations

import math

from pixelreef.corpus.reef.canvas import Canvas, Point
from pixelreef.corpus.reef.shape import Shape
from pixelreef.corpus.reef.shapes import fan, polygon
from pixelreef.corpus.reef.zones import CORAL, SLATE, Traits


def jaws(
    canvas: Canvas, traits: Traits, head: Shape, hinge: Point, reach: float, half: float, fangs: int, long: float
) -> None:
    """Cut a mouth that opens towards +x from a hinge, `half` radians to each side, and set teeth along its lips.

    `long` is the length of a tooth. The throat is red, so that the mouth reads as one even where it is closed.
    """
    x, y = hinge
    throat = fan(canvas, x, y, -half, half, (reach,))
    canvas.paint(throat & (head.mask & (throat.u < 0.4)), "mouth", CORAL, 1)
    canvas.erase(throat.mask & (throat.u >= 0.4))
    teeth = []
    for side in (-1, 1):
        for number in range(fangs):
            at = reach * (0.42 + 0.34 * number / max(fangs - 1, 1))
            foot = (x + at * math.cos(half), y + side * at * math.sin(half))
            size = long * (1.0 if number == fangs - 1 else 0.7)
            wide = max(0.035, 0.55 * canvas.pixel)
            teeth.append(
                [
                    (foot[0] - wide, foot[1] + side * wide),
                    (foot[0] + wide, foot[1] + side * wide),
                    (foot[0], foot[1] - side * size),
                ]
            )
    canvas.paint(polygon(canvas, *teeth), "mouth", SLATE, 5 if traits.deep < 4 else 6, bare=True)
