"""Concentric rings around the middle of the picture."""

from __future__ import annotations

import numpy as np

from pixelreef.draw.heldout.canvas import Canvas
from pixelreef.draw.heldout.kind import Kind, Specification, article, listed, one_of
from pixelreef.draw.heldout.scene import Scene, runs
from pixelreef.draw.vision.colours import NAMES
from pixelreef.draw.vision.regions import largest
from pixelreef.draw.vision.shapes import shape_of

FORMS = {"round": "circle", "square": "square"}
COUNTS = (3, 4, 5)
MOST_OFF = 2.5  # cells from the middle of the picture
_WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def make(random: np.random.Generator) -> Specification:
    """Neighbouring rings differ, and none has the background's colour. More rings come up more often."""
    ground = one_of(random, NAMES)
    rings: list[str] = []
    for _ in range(one_of(random, COUNTS, weights=(1, 3, 6))):
        rings.append(one_of(random, [name for name in NAMES if name != ground and name not in rings[-1:]]))
    return {"form": one_of(random, tuple(FORMS)), "rings": rings, "background": ground}


def text(specification: Specification) -> str:
    """The innermost ring is a filled centre."""
    return (
        f"concentric {specification['form']} rings around the middle of the picture, "
        f"from the filled centre outwards: {listed(specification['rings'])}; "
        f"on {article(specification['background'])} background"
    )


def colours(specification: Specification) -> list[str]:
    """The rings' and the background's."""
    return [*specification["rings"], specification["background"]]


def problem(specification: Specification, scene: Scene) -> str:
    """The form of the whole, and the order of colours in all eight directions from its middle."""
    if not scene.on(specification["background"]):
        return f"the background is not {specification['background']}"
    whole = largest(~scene.where(specification["background"]))
    if whole is None or shape_of(whole.mask) != FORMS[specification["form"]]:
        return f"the rings are not {specification['form']}"
    if max(abs(place - 11.5) for place in whole.middle) > MOST_OFF:
        return "the rings are not around the middle of the picture"
    box = scene.cells[whole.top : whole.bottom + 1, whole.left : whole.right + 1]
    wanted = [scene.names.index(ring) for ring in specification["rings"]]
    ground = scene.names.index(specification["background"])
    for way in _WAYS:
        seen = runs(_ray(box, way))
        if seen != wanted and seen != [*wanted, ground]:
            return f"the rings do not come in the order {listed(specification['rings'])}"
    return ""


def _ray(box: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], way: tuple[int, int]) -> list[int]:
    """The cells from the middle of a box to its edge."""
    down, right = way
    height, width = box.shape
    row, column = (height - (down < 0)) // 2, (width - (right < 0)) // 2
    values = []
    while 0 <= row < height and 0 <= column < width:
        values.append(int(box[row, column]))
        row, column = row + down, column + right
    return values


def paint(specification: Specification, random: np.random.Generator) -> Canvas:
    """From the outermost to the centre, each ring of two cells or, where there is room, three."""
    canvas = Canvas(specification["background"])
    count = len(specification["rings"])
    thick = int(random.integers(2, 4)) if count < 4 else 2
    core = int(random.integers(3, min(8, 20 - 2 * thick * (count - 1)) + 1))
    side = core + 2 * thick * (count - 1)  # at most 20, so that the background is seen all round
    near = [(24 - side) // 2 + int(random.integers(-1, 2)) for _ in range(2)]
    for index, ring in enumerate(reversed(specification["rings"])):
        inset = index * thick
        canvas.shape(ring, FORMS[specification["form"]], near[0] + inset, near[1] + inset, side - 2 * inset)
    return canvas


KIND = Kind(
    name="rings",
    category="abstract",
    distinct=len(FORMS) * sum(len(NAMES) * (len(NAMES) - 1) * (len(NAMES) - 2) ** (count - 1) for count in COUNTS),
    share=3,
    make=make,
    text=text,
    colours=colours,
    problem=problem,
    paint=paint,
)
