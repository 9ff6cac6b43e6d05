"""A robot: a head with counted eyes, a body below it, counted legs."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, arrangements, article, number, one_of, several, some
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.shapes import shape_of

HEADS = {"square": "square", "round": "circle"}
EYES, LEGS = range(1, 4), range(2, 5)
LEAST_HEAD, LEAST_BODY, LEAST_LEG = 12, 12, 2  # cells


def make(random: np.random.Generator) -> Specification:
    """All parts and the background differ in colour, so that each can be told."""
    head, eyes, body, legs, ground = some(random, 5)
    return {
        "head": {"shape": one_of(random, tuple(HEADS)), "colour": head},
        "eyes": {"count": int(one_of(random, EYES)), "colour": eyes},
        "body": {"colour": body},
        "legs": {"count": int(one_of(random, LEGS)), "colour": legs},
        "background": ground,
    }


def text(specification: Specification) -> str:
    """From top to bottom."""
    head, eyes, body, legs = (specification[part] for part in ("head", "eyes", "body", "legs"))
    return (
        f"a robot: a {head['shape']} {head['colour']} head with {several(eyes['count'], eyes['colour'], 'eye')}, "
        f"{article(body['colour'])} body below it and {number(legs['count'])} separate {legs['colour']} legs, "
        f"on {article(specification['background'])} background"
    )


def colours(specification: Specification) -> list[str]:
    """Every part's, and the background's."""
    return [
        *(specification[part]["colour"] for part in ("head", "eyes", "body", "legs")),
        specification["background"],
    ]


def problem(specification: Specification, scene: Scene) -> str:
    """Head, eyes in it, body under it, legs under that."""
    head, eyes, body, legs = (specification[part] for part in ("head", "eyes", "body", "legs"))
    if not scene.on(specification["background"]):
        return f"the background is not {specification['background']}"
    top, trunk = scene.biggest(head["colour"]), scene.biggest(body["colour"])
    if top is None or top.area < LEAST_HEAD or shape_of(top.mask) != HEADS[head["shape"]]:
        return f"there is no {head['shape']} {head['colour']} head"
    inside = [eye for eye in scene.of(eyes["colour"]) if top.holds(eye)]
    if len(inside) != eyes["count"]:
        return f"the head has {len(inside)} {eyes['colour']} eyes, not {eyes['count']}"
    if trunk is None or trunk.area < LEAST_BODY or not top.over(trunk, gap=2):
        return f"there is no {body['colour']} body below the head"
    under = scene.of(legs["colour"], LEAST_LEG)
    if len(under) != legs["count"] or not all(trunk.over(leg) for leg in under):
        return f"there are not {legs['count']} {legs['colour']} legs below the body"
    return ""


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """Upright, a little to the left or the right of the middle."""
    canvas = Canvas(specification["background"])
    side = 2 * int(random.integers(4, 6)) - int(specification["eyes"]["count"] % 2)  # odd for odd, so eyes are even
    wide = side + 2 * int(random.integers(0, 3))
    deep, long = int(random.integers(5, 8)), int(random.integers(3, 5))
    top = int(random.integers(0, 24 - side - deep - long))
    left = 12 - wide // 2 + int(random.integers(-3, 4))
    inset = left + (wide - side) // 2
    canvas.shape(specification["head"]["colour"], HEADS[specification["head"]["shape"]], top, inset, side)
    _spread(canvas, specification["eyes"], top + side // 2 - 1, inset + 1, 2, side - 2, 1)
    canvas.box(specification["body"]["colour"], top + side, left, deep, wide)
    _spread(
        canvas,
        specification["legs"],
        top + side + deep,
        left,
        long,
        wide,
        1 if specification["legs"]["count"] > 3 else 2,
    )
    return canvas


def _spread(canvas: Canvas, part: Specification, top: int, left: int, height: int, width: int, thick: int) -> None:
    """So many bars of one height, evenly over a width and the same from both sides."""
    count = part["count"]
    room = (width - count * thick) // (count + 1)
    used = count * thick + (count - 1) * max(room, 1)
    start = left + (width - used) // 2
    for index in range(count):
        canvas.box(part["colour"], top, start + index * (thick + max(room, 1)), height, thick)


KIND = Kind(
    name="robot",
    category="character",
    distinct=arrangements(5) * len(HEADS) * len(EYES) * len(LEGS),
    share=2,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
)
