"""A face under a hat, with two eyes and a mouth."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, a_colour_each, arrangements, article, one_of
from pixelreef.draw.heldout.scene import Scene
from pixelreef.draw.vision.shapes import shape_of

FORMS = {"round": "circle", "square": "square"}
PARTS = ("face", "eyes", "mouth", "hat", "background")
LEAST_FACE, LEAST_HAT = 25, 6  # cells


def make(random: np.random.Generator) -> Specification:
    """A form, and five different colours."""
    return {"form": one_of(random, tuple(FORMS)), **a_colour_each(random, PARTS)}


def text(specification: Specification) -> str:
    """One sentence."""
    return (
        f"{article(specification['form'] + ' ' + specification['face'])} face with two {specification['eyes']} eyes "
        f"and {article('wide ' + specification['mouth'])} mouth, wearing {article(specification['hat'])} hat, "
        f"on {article(specification['background'])} background"
    )


def colours(specification: Specification) -> list[str]:
    """Of every part."""
    return [specification[part] for part in PARTS]


def problem(specification: Specification, scene: Scene) -> str:
    """Eyes on one level on either side, a mouth under them, a hat on top."""
    if not scene.on(specification["background"]):
        return f"the background is not {specification['background']}"
    face = scene.biggest(specification["face"])
    if face is None or face.area < LEAST_FACE or shape_of(face.mask) != FORMS[specification["form"]]:
        return f"there is no {specification['form']} {specification['face']} face"
    row, column = face.middle
    eyes = [eye for eye in scene.of(specification["eyes"]) if face.holds(eye)]
    if len(eyes) != 2 or abs(eyes[0].middle[0] - eyes[1].middle[0]) > 1:
        return f"the face has no two {specification['eyes']} eyes on one level"
    if not min(eye.middle[1] for eye in eyes) < column < max(eye.middle[1] for eye in eyes):
        return "the eyes are not on either side of the face"
    mouths = [mouth for mouth in scene.of(specification["mouth"]) if face.holds(mouth)]
    if len(mouths) != 1 or mouths[0].width <= mouths[0].height or mouths[0].middle[0] <= row:
        return f"the face has no wide {specification['mouth']} mouth in its lower half"
    if mouths[0].top <= max(eye.bottom for eye in eyes):
        return "the mouth is not below the eyes"
    hat = scene.biggest(specification["hat"])
    if hat is None or hat.area < LEAST_HAT or not hat.over(face) or hat.width < face.width / 2:
        return f"there is no {specification['hat']} hat on the face"
    return ""


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """A hat with a brim over a face of 11 to 14 cells."""
    canvas = Canvas(specification["background"])
    side, crown = int(random.integers(11, 15)), int(random.integers(3, 6))
    top = int(random.integers(crown + 2, 24 - side))
    left = 12 - side // 2 + int(random.integers(-2, 3))
    canvas.shape(specification["face"], FORMS[specification["form"]], top, left, side)
    eye = int(random.integers(1, 3))
    aside, level = int(random.integers(2, 4)), top + side // 3
    for column in (left + aside, left + side - aside - eye):
        canvas.box(specification["eyes"], level, column, 2, eye)
    wide = side - 2 * int(random.integers(3, 5))
    canvas.box(specification["mouth"], top + side - 4, left + (side - wide) // 2, int(random.integers(1, 3)), wide)
    canvas.box(specification["hat"], top - 1, left, 1, side)
    canvas.box(specification["hat"], top - 1 - crown, left + 2, crown, side - 4)
    return canvas


KIND = Kind(
    name="face",
    category="character",
    distinct=arrangements(len(PARTS)) * len(FORMS),
    share=1,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
)
