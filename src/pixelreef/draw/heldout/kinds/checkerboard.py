"""A checkerboard that fills the picture, with a shape in the middle."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.drawing import SIDE
from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, arrangements, article, one_of, some
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.shapes import SHAPES, shape_of

SIZES = (2, 3, 4, 6, 8)  # what divides 24 and can be told apart
LEAST_RIGHT = 0.95  # of the cells outside the shape's box
LEAST_BOARD = 0.4  # of all cells: the shape may cover the rest
MOST_OFF = 2.0  # cells from the middle of the picture
LEAST_CELLS = 4  # of the shape

_ROW, _COLUMN = np.mgrid[0:SIDE, 0:SIDE]


def make(random: np.random.Generator) -> Specification:
    """Two colours, the squares' size, and the shape with its colour."""
    first, second, colour = some(random, 3)
    return {
        "first": first,
        "second": second,
        "size": int(one_of(random, SIZES)),
        "shape": one_of(random, SHAPES),
        "colour": colour,
    }


def text(specification: Specification) -> str:
    """One sentence."""
    size = specification["size"]
    return (
        f"a checkerboard of {specification['first']} and {specification['second']} squares of {size} by {size} pixels "
        f"that fills the whole picture, {specification['first']} in the top left corner, "
        f"with {article(specification['colour'] + ' ' + specification['shape'])} in the middle"
    )


def colours(specification: Specification) -> list[str]:
    """The squares' and the shape's."""
    return [specification["first"], specification["second"], specification["colour"]]


def problem(specification: Specification, scene: Scene) -> str:
    """Board and shape, and outside the shape's box every cell as it must be."""
    right = scene.cells == board(specification["size"])
    if float(right.mean()) < LEAST_BOARD:
        return f"{float(right.mean()):.0%} of the picture is as the board must be"
    found = scene.of(specification["colour"], LEAST_CELLS)
    if len(found) != 1 or shape_of(found[0].mask) != specification["shape"]:
        return f"there is no single {specification['colour']} {specification['shape']}"
    shape = found[0]
    if max(abs(place - (SIDE - 1) / 2) for place in shape.middle) > MOST_OFF:
        return f"the {specification['shape']} is not in the middle"
    outside = np.ones((SIDE, SIDE), bool)
    outside[shape.top : shape.bottom + 1, shape.left : shape.right + 1] = False
    if float(right[outside].mean()) < LEAST_RIGHT:
        return f"{float(right[outside].mean()):.0%} of the board is as it must be"
    return ""


def board(size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """(24, 24): 0 for the first colour, which has the top left corner, and 1 for the second."""
    return np.asarray((_ROW // size + _COLUMN // size) % 2)


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """The board is given; the shape's size is chance's."""
    canvas = Canvas(specification["first"])
    canvas.stamp(specification["second"], board(specification["size"]) == 1, 0, 0)
    side = int(random.integers(5, 12))
    near = (SIDE - side) // 2
    canvas.shape(specification["colour"], specification["shape"], near, near, side)
    return canvas


KIND = Kind(
    name="checkerboard",
    category="abstract",
    distinct=arrangements(3) * len(SIZES) * len(SHAPES),
    share=1,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    fills=True,
    sided=True,
)
