"""An abstract painting in a frame: two shapes on a ground."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, arrangements, article, one_of, some
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.shapes import SHAPES, shape_of
from pixelreef.draw.vision.sight import rim_share

RELATIONS = ("to the left of", "above")
LEAST_CELLS = 4  # of a shape
LEAST_FRAME = 0.95  # of the rim
LEAST_GROUND = 0.3  # of what is within the rim


def make(random: np.random.Generator) -> Specification:
    """Two shapes, their relation, ground and frame, all of different colours."""
    first, second, ground, frame = some(random, 4)
    shapes = [{"colour": colour, "shape": one_of(random, SHAPES)} for colour in (first, second)]
    return {"shapes": shapes, "relation": one_of(random, RELATIONS), "ground": ground, "frame": frame}


def text(specification: Specification) -> str:
    """One sentence."""
    first, second = (article(f"{shape['colour']} {shape['shape']}") for shape in specification["shapes"])
    return (
        f"an abstract painting in {article(specification['frame'])} frame that runs along all four edges: "
        f"{first} {specification['relation']} {second}, on {article(specification['ground'])} ground"
    )


def colours(specification: Specification) -> list[str]:
    """The shapes', the ground's and the frame's."""
    return [*(shape["colour"] for shape in specification["shapes"]), specification["ground"], specification["frame"]]


def problem(specification: Specification, scene: Scene) -> str:
    """Frame, ground, one region of each shape's colour, their relation."""
    if rim_share(scene.where(specification["frame"])) < LEAST_FRAME:
        return f"no {specification['frame']} frame runs along all four edges"
    if float(scene.where(specification["ground"])[1:-1, 1:-1].mean()) < LEAST_GROUND:
        return f"the ground is not {specification['ground']}"
    found = []
    for shape in specification["shapes"]:
        regions = scene.of(shape["colour"], LEAST_CELLS)
        if len(regions) != 1 or shape_of(regions[0].mask) != shape["shape"]:
            return f"there is no single {shape['colour']} {shape['shape']}"
        found += regions
    first, second = found
    apart = first.bottom < second.top if specification["relation"] == "above" else first.right < second.left
    return "" if apart else f"the first shape is not {specification['relation']} the second"


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """A frame of one or two cells, and a shape in each half of what is within."""
    canvas = Canvas(specification["frame"])
    thick = int(random.integers(1, 3))
    canvas.box(specification["ground"], thick, thick, 24 - 2 * thick, 24 - 2 * thick)
    aside = int(random.integers(4, 12))  # about one line, so that no other relation holds as well
    for shape, half in zip(specification["shapes"], (thick + 1, 13), strict=True):
        side = int(random.integers(5, 9))
        near = half + int(random.integers(0, 11 - thick - side))
        off = aside + int(random.integers(-1, 2))
        top, left = (near, off) if specification["relation"] == "above" else (off, near)
        canvas.shape(shape["colour"], shape["shape"], top, left, side)
    return canvas


KIND = Kind(
    name="framed",
    category="art",
    distinct=arrangements(4) * len(SHAPES) ** 2 * len(RELATIONS),
    share=1,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    fills=True,
    sided=True,
)
