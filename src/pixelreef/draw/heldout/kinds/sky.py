"""A night sky with counted stars and planets and one large moon in a corner."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.drawing import SIDE
from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, number, one_of, several, some
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.colours import NAMES
from pixelreef.draw.vision.regions import regions
from pixelreef.draw.vision.shapes import ideal, shape_of
from pixelreef.draw.vision.sight import Mask

SKIES = ("black", "blue", "purple")
CORNERS = ("top left", "top right", "bottom left", "bottom right")
STARS = range(2, 9)
PLANETS = range(1, 4)
MOST_STAR, LEAST_MOON = 9, 20  # cells


def make(random: np.random.Generator) -> Specification:
    """How many, in which colours, and the moon's corner."""
    sky = one_of(random, SKIES)
    stars, planets, moon = some(random, 3, [name for name in NAMES if name != sky])
    return {
        "sky": sky,
        "stars": {"count": int(one_of(random, STARS)), "colour": stars},
        "planets": {"count": int(one_of(random, PLANETS)), "colour": planets},
        "moon": {"colour": moon, "corner": one_of(random, CORNERS)},
    }


def text(specification: Specification) -> str:
    """One sentence."""
    stars, planets, moon = (specification[thing] for thing in ("stars", "planets", "moon"))
    return (
        f"a plain {specification['sky']} night sky with {number(stars['count'])} tiny {stars['colour']} stars, "
        f"{several(planets['count'], 'small ' + planets['colour'], 'planet')} "
        f"and one large round {moon['colour']} moon towards the {moon['corner']} corner"
    )


def colours(specification: Specification) -> list[str]:
    """The sky's and those of all that is in it."""
    return [specification["sky"], *(specification[thing]["colour"] for thing in ("stars", "planets", "moon"))]


def problem(specification: Specification, scene: Scene) -> str:
    """Stars and planets are counted by colour; the moon is the largest of all and in its corner."""
    if not scene.on(specification["sky"]):
        return f"the sky is not {specification['sky']}"
    # A star may be drawn as a ×, whose cells touch at corners only.
    stars = regions([scene.where(specification["stars"]["colour"])], corners=True)
    if len(stars) != specification["stars"]["count"] or any(star.area > MOST_STAR for star in stars):
        return f"there are {len(stars)} {specification['stars']['colour']} stars, not {specification['stars']['count']}"
    moon = scene.biggest(specification["moon"]["colour"])
    if moon is None or moon.area < LEAST_MOON or shape_of(moon.mask) != "circle":
        return f"there is no large round {specification['moon']['colour']} moon"
    planets = scene.of(specification["planets"]["colour"])
    if len(planets) != specification["planets"]["count"] or any(planet.area >= moon.area for planet in planets):
        seen, wanted = len(planets), specification["planets"]["count"]
        return f"there are {seen} small {specification['planets']['colour']} planets, not {wanted}"
    row, column = moon.middle
    corner = f"{'top' if row < 11.5 else 'bottom'} {'left' if column < 11.5 else 'right'}"
    if corner != specification["moon"]["corner"]:
        return f"the moon is towards the {corner} corner"
    return ""


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """The moon first, then planets and stars wherever there is room."""
    canvas = Canvas(specification["sky"])
    across = int(random.integers(6, 9))
    row, column = random.integers(1, 11 - across // 2 - 2, 2).tolist()
    corner = specification["moon"]["corner"]
    top = row if "top" in corner else 24 - across - row
    left = column if "left" in corner else 24 - across - column
    canvas.shape(specification["moon"]["colour"], "circle", top, left, across)
    for _ in range(specification["planets"]["count"]):
        _scatter(canvas, specification["planets"]["colour"], ideal("circle", 4, 4), random)
    for _ in range(specification["stars"]["count"]):
        star = ideal("cross", 3, 3) if random.random() < 0.3 else np.ones((1, 1), bool)
        _scatter(canvas, specification["stars"]["colour"], star, random)
    return canvas


def _scatter(canvas: Canvas, name: str, mask: Mask, random: np.random.Generator) -> None:
    """Where there is room; at most eight stars and three planets leave plenty."""
    places = (divmod(place, SIDE) for place in random.permutation(SIDE * SIDE).tolist())
    canvas.stamp(name, mask, *next(place for place in places if canvas.free(*place, *mask.shape)))


KIND = Kind(
    name="sky",
    category="space",
    distinct=len(SKIES) * 10 * 9 * 8 * len(STARS) * len(PLANETS) * len(CORNERS),
    share=1,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
    sided=True,
)
