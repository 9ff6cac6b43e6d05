"""A house beside a tree, between ground and sky."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, a_colour_each, arrangements, article, one_of
from pixelreef.draw.heldout.scene import Scene

SIDES = ("left", "right")
PARTS = ("walls", "roof", "door", "trunk", "crown", "ground", "sky")
LEAST_WALLS, LEAST_ROOF, LEAST_CROWN = 9, 5, 9  # cells


def make(random: np.random.Generator) -> Specification:
    """The house's side, and seven different colours."""
    return {"side": one_of(random, SIDES), **a_colour_each(random, PARTS)}


def text(specification: Specification) -> str:
    """One sentence."""
    walls, roof, door, trunk, crown, ground, sky = (specification[part] for part in PARTS)
    return (
        f"a house with {walls} walls, {article(roof)} roof and {article(door)} door, "
        f"to the {specification['side']} of a tree with {article(trunk)} trunk and {article(crown)} crown, "
        f"on {ground} ground under {article(sky)} sky"
    )


def colours(specification: Specification) -> list[str]:
    """Of every part."""
    return [specification[part] for part in PARTS]


def problem(specification: Specification, scene: Scene) -> str:
    """Sky above, ground below; roof on walls, door in walls; crown on trunk; house and tree side by side."""
    if not scene.edge(specification["sky"], 0):
        return f"there is no {specification['sky']} sky"
    if not scene.edge(specification["ground"], -1):
        return f"there is no {specification['ground']} ground"
    walls, roof, door, trunk, crown = (scene.biggest(specification[part]) for part in PARTS[:5])
    if walls is None or walls.area < LEAST_WALLS or min(walls.height, walls.width) < 2:
        return f"there are no {specification['walls']} walls"
    if roof is None or roof.area < LEAST_ROOF or not roof.over(walls) or roof.width < walls.width / 2:
        return f"there is no {specification['roof']} roof on the walls"
    if door is None or not walls.holds(door):
        return f"there is no {specification['door']} door in the walls"
    if trunk is None or crown is None or crown.area < LEAST_CROWN or not crown.over(trunk):
        return f"there is no tree with a {specification['crown']} crown on a {specification['trunk']} trunk"
    left = walls.right < trunk.left if specification["side"] == "left" else trunk.right < walls.left
    return "" if left else f"the house is not to the {specification['side']} of the tree"


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """A house of 8 to 10 columns and a tree with a round crown, both on the ground line."""
    walls, roof, door, trunk, crown, ground, sky = (specification[part] for part in PARTS)
    canvas = Canvas(sky)
    line = int(random.integers(18, 22))
    canvas.box(ground, line, 0, 24 - line, 24)
    wide, high, gable = int(random.integers(4, 6)) * 2, int(random.integers(6, 8)), int(random.integers(4, 6))
    round_, bare = int(random.integers(6, 9)), int(random.integers(3, 6))
    spare = 24 - (wide + 2) - round_
    at = int(random.integers(0, spare))
    room = int(random.integers(1, spare - at + 1))
    house, tree = (at + 1, at + wide + 2 + room) if specification["side"] == "left" else (at + round_ + room + 1, at)
    canvas.box(walls, line - high, house, high, wide)
    canvas.shape(roof, "triangle", line - high - gable, house - 1, gable, wide + 2)
    canvas.box(door, line - 4, house + int(random.integers(1, wide - 2)), 4, 2)
    thick = 2 - round_ % 2
    canvas.box(trunk, line - bare, tree + (round_ - thick) // 2, bare, thick)
    canvas.shape(crown, "circle", line - bare - round_, tree, round_)
    return canvas


KIND = Kind(
    name="house",
    category="nature",
    distinct=arrangements(len(PARTS)) * len(SIDES),
    share=2,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    fills=True,
    sided=True,
)
