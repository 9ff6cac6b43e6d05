"""A row of counted flowers between ground and sky."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, a_colour_each, arrangements, article, number
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.regions import Region, regions
from pixelreef.draw.vision.sight import Mask

PARTS = ("blossom", "middle", "stem", "ground", "sky")
MOST = 4
LEAST_BLOSSOM, LEAST_STEM = 4, 2  # cells


def make(random: np.random.Generator) -> Specification:
    """How many, and five different colours."""
    return {
        "count": int(random.integers(1, MOST + 1)),
        **a_colour_each(random, PARTS),
    }


def text(specification: Specification) -> str:
    """One sentence."""
    blossom, middle, stem, ground, sky = (specification[part] for part in PARTS)
    many = specification["count"] > 1
    return (
        f"{number(specification['count'])} separate {'flowers side by side' if many else 'flower'}, "
        f"{'each with ' if many else 'with '}{article(blossom)} blossom that has {article(middle)} middle, "
        f"on {article(stem)} stem, growing from {ground} ground under {article(sky)} sky"
    ).replace("one separate flower", "one flower")


def colours(specification: Specification) -> list[str]:
    """Of every part."""
    return [specification[part] for part in PARTS]


def problem(specification: Specification, scene: Scene) -> str:
    """Sky above, ground below; as many blossoms as asked, each with its middle and its stem."""
    if not scene.edge(specification["sky"], 0):
        return f"there is no {specification['sky']} sky"
    if not scene.edge(specification["ground"], -1):
        return f"there is no {specification['ground']} ground"
    # Petals may touch the middle and one another at corners only, so a blossom is both colours together.
    petals, middles = scene.where(specification["blossom"]), scene.where(specification["middle"])
    blossoms = sorted(regions([petals | middles], LEAST_BLOSSOM, corners=True), key=lambda region: region.left)
    if len(blossoms) != specification["count"]:
        return f"there are {len(blossoms)} {specification['blossom']} blossoms, not {specification['count']}"
    stems = scene.of(specification["stem"], LEAST_STEM)
    for blossom in blossoms:
        if not _has_middle(blossom, petals, middles):
            return f"a blossom is not {specification['blossom']} around a {specification['middle']} middle"
        if sum(blossom.over(stem) for stem in stems) != 1:
            return f"a blossom has no {specification['stem']} stem"
    beside = all(first.right < second.left for first, second in pairwise(blossoms))
    return "" if beside else "the flowers are not side by side"


def _has_middle(blossom: Region, petals: Mask, middles: Mask) -> bool:
    """Whether petals lie on all four sides of what has the middle's colour."""
    box = slice(blossom.top, blossom.bottom + 1), slice(blossom.left, blossom.right + 1)
    inner = regions([middles[box] & blossom.mask])
    return len(inner) == 1 and all(
        petals[box][place].any()
        for place in (
            np.s_[: inner[0].top],
            np.s_[inner[0].bottom + 1 :],
            np.s_[:, : inner[0].left],
            np.s_[:, inner[0].right + 1 :],
        )
    )


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """Round or crossed blossoms of one size on stems of many lengths."""
    blossom, middle, stem, ground, sky = (specification[part] for part in PARTS)
    canvas = Canvas(sky)
    line, count = int(random.integers(18, 22)), specification["count"]
    canvas.box(ground, line, 0, 24 - line, 24)
    side = 5 if count > 2 else int(random.integers(2, 5)) * 2 + 1
    form = ("circle", "cross", "diamond")[int(random.integers(3))] if side > 5 else "circle"
    column = 24 // count
    for index in range(count):
        left = index * column + int(random.integers(0, column - side + (index == count - 1) * (24 % count) + 1))
        left = max(left, index * column + 1) if index and column > side else left
        top = int(random.integers(1, line - side - 2))
        canvas.shape(blossom, form, top, left, side)
        inner = 1 if side == 5 else 3
        canvas.box(middle, top + (side - inner) // 2, left + (side - inner) // 2, inner, inner)
        canvas.box(stem, top + side, left + side // 2, line - top - side, 1)
    return canvas


KIND = Kind(
    name="garden",
    category="nature",
    distinct=arrangements(len(PARTS)) * MOST,
    share=1,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    fills=True,
)
