"""Two groups of plain shapes, one beside or above the other: 'three red squares in a row above a green triangle …'."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, arrangements, article, one_of, several, some
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.regions import Region
from pixelreef.draw.vision.shapes import SHAPES, shape_of

RELATIONS = ("above", "below", "to the left of", "to the right of")
MOST = 4
LEAST_CELLS = 4  # of a shape; smaller regions are specks, and not counted


def make(random: np.random.Generator) -> Specification:
    """Two groups of 1 to 4 shapes, how they stand to one another, and the background."""
    first, second, ground = some(random, 3)
    groups = [
        {"count": int(random.integers(1, MOST + 1)), "colour": colour, "shape": one_of(random, SHAPES)}
        for colour in (first, second)
    ]
    return {"groups": groups, "relation": one_of(random, RELATIONS), "background": ground}


def text(specification: Specification) -> str:
    """Groups one above the other are rows; groups side by side are columns."""
    line = "row" if specification["relation"] in RELATIONS[:2] else "column"
    first, second = (
        several(group["count"], group["colour"], group["shape"]) + (f" in a {line}" if group["count"] > 1 else "")
        for group in specification["groups"]
    )
    return f"{first} {specification['relation']} {second}, on {article(specification['background'])} background"


def colours(specification: Specification) -> list[str]:
    """Both groups' colours, and the background's."""
    return [*(group["colour"] for group in specification["groups"]), specification["background"]]


def problem(specification: Specification, scene: Scene) -> str:
    """Background, counts, shapes, lines, relation."""
    if not scene.on(specification["background"]):
        return f"the background is not {specification['background']}"
    across = specification["relation"] in RELATIONS[:2]
    found = []
    for group in specification["groups"]:
        regions = scene.of(group["colour"], LEAST_CELLS)
        if len(regions) != group["count"]:
            return f"there are {len(regions)} {group['colour']} shapes, not {group['count']}"
        if any(shape_of(region.mask) != group["shape"] for region in regions):
            return f"a {group['colour']} shape is no {group['shape']}"
        if not _in_line(regions, across):
            return f"the {group['colour']} shapes do not stand in a line"
        found.append(regions)
    before, after = found if specification["relation"] in (RELATIONS[0], RELATIONS[2]) else reversed(found)
    if across:
        apart = max(region.bottom for region in before) < min(region.top for region in after)
    else:
        apart = max(region.right for region in before) < min(region.left for region in after)
    return "" if apart else f"the first group is not {specification['relation']} the second"


def _in_line(regions: list[Region], across: bool) -> bool:
    middles = [region.middle[0 if across else 1] for region in regions]
    return max(middles) - min(middles) <= 2


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """Each group in its half of the canvas, with equal sizes and gaps."""
    canvas = Canvas(specification["background"])
    across = specification["relation"] in RELATIONS[:2]
    halves = (0, 12) if specification["relation"] in (RELATIONS[0], RELATIONS[2]) else (12, 0)
    for group, half in zip(specification["groups"], halves, strict=True):
        count = group["count"]
        side = int(random.integers(5, min(9, (24 - count) // count) + 1))
        gap = int(random.integers(1, max(1, min(4, (22 - count * side) // max(count - 1, 1))) + 1))
        length = count * side + (count - 1) * gap
        start = int(random.integers(1, max(24 - length, 2)))
        deep = half + int(random.integers(1, 12 - side))
        for place in range(start, start + length, side + gap):
            top, left = (deep, place) if across else (place, deep)
            canvas.shape(group["colour"], group["shape"], top, left, side)
    return canvas


KIND = Kind(
    name="shapes",
    category="abstract",
    # 'A above B' and 'B below A' are one picture, so of the four relations two count
    distinct=arrangements(3) * (MOST * len(SHAPES)) ** 2 * 2,
    share=5,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    sided=True,
)
