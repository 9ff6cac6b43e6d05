"""A flag of equal stripes that fills the picture, with an emblem in the middle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pixelreef.draw.drawing import SIDE
from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, article, listed, number, one_of
from pixelreef.draw.heldout.scene import Scene, runs
from pixelreef.draw.vision.colours import NAMES
from pixelreef.draw.vision.shapes import SHAPES, shape_of

DIRECTIONS = {"vertical": "from left to right", "horizontal": "from top to bottom"}
COUNTS = (2, 3, 4, 5, 6)
LEAST_PURE = 0.9  # of every line of cells along the stripes, but for the emblem
MOST_UNEQUAL = 2  # cells between the widest and the narrowest stripe
MOST_OFF = 2.0  # cells from the middle of the picture
LEAST_EMBLEM = 4  # cells
MOST_EMBLEM = 18  # cells across, so that the stripes are seen beside it


def make(random: np.random.Generator) -> Specification:
    """Neighbouring stripes differ, and all from the emblem. More stripes come up more often: more flags have them."""
    emblem = one_of(random, NAMES)
    stripes: list[str] = []
    for _ in range(one_of(random, COUNTS, weights=(1, 4, 5, 5, 5))):
        stripes.append(one_of(random, [name for name in NAMES if name != emblem and name not in stripes[-1:]]))
    return {
        "direction": one_of(random, tuple(DIRECTIONS)),
        "stripes": stripes,
        "emblem": {"colour": emblem, "shape": one_of(random, SHAPES)},
    }


def text(specification: Specification) -> str:
    """One sentence."""
    stripes, direction, emblem = (specification[part] for part in ("stripes", "direction", "emblem"))
    return (
        f"a flag that fills the whole picture: {number(len(stripes))} equally wide {direction} stripes, "
        f"{DIRECTIONS[direction]} {listed(stripes)}, and {article(emblem['colour'] + ' ' + emblem['shape'])} "
        "in the middle"
    )


def colours(specification: Specification) -> list[str]:
    """The stripes' and the emblem's."""
    return [*specification["stripes"], specification["emblem"]["colour"]]


def problem(specification: Specification, scene: Scene) -> str:
    """Every line along the stripes is of one colour; the colours come in order, about equally wide; the emblem."""
    emblem = scene.names.index(specification["emblem"]["colour"])
    lines = scene.cells.T if specification["direction"] == "vertical" else scene.cells
    first = np.array([int(np.bincount(line[line != emblem], minlength=1).argmax()) for line in lines])
    if float(((lines == first[:, None]) | (lines == emblem)).mean(axis=1).min()) < LEAST_PURE:
        return f"there are no plain {specification['direction']} stripes"
    if runs(first.tolist()) != [scene.names.index(stripe) for stripe in specification["stripes"]]:
        return f"the stripes do not come in the order {listed(specification['stripes'])}"
    edges = [0, *(np.flatnonzero(np.diff(first)) + 1).tolist(), SIDE]
    widths = [after - before for before, after in pairwise(edges)]
    if max(widths) - min(widths) > MOST_UNEQUAL:
        return "the stripes are not equally wide"
    return _emblem_problem(specification["emblem"], scene)


def _emblem_problem(emblem: Specification, scene: Scene) -> str:
    found = scene.of(emblem["colour"], LEAST_EMBLEM)
    if len(found) != 1 or shape_of(found[0].mask) != emblem["shape"]:
        return f"there is no single {emblem['colour']} {emblem['shape']}"
    across, off = max(found[0].mask.shape), max(abs(place - (SIDE - 1) / 2) for place in found[0].middle)
    return "" if across <= MOST_EMBLEM and off <= MOST_OFF else f"the {emblem['shape']} is not in the middle"


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """Equal to the cell; where 24 does not divide, chance places the wider stripes."""
    stripes, emblem = specification["stripes"], specification["emblem"]
    widths = random.permutation([SIDE // len(stripes) + (index < SIDE % len(stripes)) for index in range(len(stripes))])
    canvas = Canvas(stripes[0])
    for stripe, start, width in zip(stripes, np.cumsum(widths) - widths, widths, strict=True):
        if specification["direction"] == "vertical":
            canvas.box(stripe, 0, int(start), SIDE, int(width))
        else:
            canvas.box(stripe, int(start), 0, int(width), SIDE)
    side = int(random.integers(6, 11))
    canvas.shape(emblem["colour"], emblem["shape"], (SIDE - side) // 2, (SIDE - side) // 2, side)
    return canvas


KIND = Kind(
    name="flag",
    category="art",
    # the emblem has any colour, the first stripe any other, each further stripe one that is neither it nor the last
    distinct=len(DIRECTIONS) * len(SHAPES) * sum(11 * 10 * 9 ** (count - 1) for count in COUNTS),
    share=2,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    fills=True,
    sided=True,
)
