"""Scenes: several creatures of one zone over a sea floor, with the class and the instance of every pixel.

    scene = make_scene(seed=0, number=3, width=128, height=128)
    scene.cells        palette indices of the reef
    scene.classes      indices of CLASSES: water, sea floor, then the six categories
    scene.instances    0 for none, n for the creature `scene.creatures[n - 1]`

Creatures are painted from far to near and may hide one another, but at least half of each stays in sight. The picture
is hard-edged, so its truth is exact, and stays exact when both are enlarged by a whole factor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.reef import STEPS
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CATEGORIES, ZONES
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.fit import subject_box
from pixelreef.corpus.parts import PART_INDEX
from pixelreef.corpus.reef.make import MIN_SIZE, make_sprite
from pixelreef.corpus.reef.shape import Floats
from pixelreef.corpus.reef.zones import AZURE, SAND, SLATE, TEAL, VIOLET, pick
from pixelreef.errors import InputError

CLASSES = ("water", "sea floor", *CATEGORIES)
MIN_SIDE, MAX_SIDE = 64, 512
_IN_SIGHT = 0.5  # of a creature that must not be hidden
_TRIES = 12
_DETAIL = 128  # pixels of a side at which detail is one pixel; larger scenes have larger grains

# Zone → ramp and steps of the water from the surface down, ramp and steps of the floor (light, shadow).
_WATER = {
    "shallows": (TEAL, (6, 5, 5, 4, 4)),
    "twilight": (AZURE, (4, 3, 3, 2, 2)),
    "midnight": (AZURE, (2, 1, 1, 1, 0)),
    "abyss": (VIOLET, (1, 0, 0, 0, 0)),
    "hadal": (SLATE, (1, 1, 0, 0, 0)),
}
_FLOOR = {
    "shallows": (SAND, 6, 4),
    "twilight": (SAND, 4, 2),
    "midnight": (SLATE, 3, 1),
    "abyss": (SLATE, 3, 1),
    "hadal": (SLATE, 4, 2),
}


@dataclass(frozen=True)
class Creature:
    """One creature of a scene."""

    category: str
    species: str
    number: int
    """Of the sprite in its cell, at `size`, with the scene's seed."""
    size: int
    left: int
    top: int


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture in the reef palette and its truth, (height, width) each."""

    cells: Cells
    classes: Cells
    instances: NDArray[np.uint16]
    zone: str
    creatures: tuple[Creature, ...]


def make_scene(
    seed: int, number: int, width: int = _DETAIL, height: int = _DETAIL, zone: str | None = None, most: int = 9
) -> Scene:
    """Scene `number` of a seed, of the zone named or of one drawn by chance, with up to `most` creatures."""
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise InputError("width and height", f"be from {MIN_SIDE} to {MAX_SIDE}", (width, height))
    if zone is not None and zone not in ZONES:
        raise InputError("zone", f"be one of {', '.join(ZONES)}", zone)
    random = rng(seed, "reef", "scene", number)
    zone = zone or pick(random, ZONES)
    ground = _ground(random, width, height)
    floor = np.arange(height)[:, None] >= ground
    grain = max(1, round(min(width, height) / _DETAIL))
    cells = np.where(floor, _floor(random, zone, ground, height, grain), _water(random, zone, width, height, grain))
    stage = _Stage(cells, floor.astype(np.uint8), ground)
    for entry, size in _cast(random, seed, number, zone, min(width, height), most):
        stage.place(random, entry, size)
    return Scene(stage.cells, stage.classes, stage.instances, zone, tuple(stage.creatures))


def stands(entry: Entry) -> bool:
    """Whether a creature stands on the floor: grazers do, and all that grows from a base. The others swim."""
    rooted = entry.parts is not None and bool((entry.parts == PART_INDEX["base"]).any())
    return rooted or entry.factors["category"] == "grazer"


class _Stage:
    """What has been painted so far."""

    def __init__(self, cells: Cells, classes: Cells, ground: NDArray[np.intp]) -> None:
        self.cells, self.classes, self.ground = cells, classes, ground
        self.instances = np.zeros(cells.shape, np.uint16)
        self.creatures: list[Creature] = []
        self._areas: list[int] = []

    def place(self, random: np.random.Generator, entry: Entry, size: int) -> None:
        """Paint a creature where it hides no other too much; leave it out where there is no such place."""
        rows, columns = subject_box(entry.cells, 0)
        sprite = entry.cells[rows, columns]
        seen = sprite != 0
        for _ in range(_TRIES):
            top, left = self._spot(random, stands(entry), *sprite.shape)
            box = (slice(top, top + sprite.shape[0]), slice(left, left + sprite.shape[1]))
            if self._in_sight(box, seen):
                self._paint(entry, sprite, seen, box, size)
                return

    def _spot(self, random: np.random.Generator, standing: bool, tall: int, wide: int) -> tuple[int, int]:
        """(top, left) of a sprite that lies within the picture."""
        height, width = self.cells.shape
        left = int(random.integers(0, max(width - wide, 0) + 1))
        if standing:
            ground = int(self.ground[left : left + wide].max())
            foot = min(ground + int(random.integers(1, max(height - ground, 2))), height)
        else:
            foot = int(random.integers(tall, max(int(self.ground.min()) + tall // 4, tall + 1)))
        return max(min(foot, height) - tall, 0), left

    def _in_sight(self, box: tuple[slice, slice], seen: NDArray[np.bool_]) -> bool:
        hidden = np.bincount(self.instances[box][seen], minlength=len(self._areas) + 1)[1:]
        now = np.bincount(self.instances.ravel(), minlength=len(self._areas) + 1)[1:]
        return bool(np.all(now - hidden >= _IN_SIGHT * np.array(self._areas)))

    def _paint(self, entry: Entry, sprite: Cells, seen: NDArray[np.bool_], box: tuple[slice, slice], size: int) -> None:
        category, number = entry.factors["category"], int(entry.parameters["number"])
        self.creatures.append(Creature(category, entry.species, number, size, box[1].start, box[0].start))
        self._areas.append(int(seen.sum()))
        self.cells[box][seen] = sprite[seen]
        self.classes[box][seen] = CLASSES.index(category)
        self.instances[box][seen] = len(self.creatures)


def _cast(
    random: np.random.Generator, seed: int, number: int, zone: str, side: int, most: int
) -> list[tuple[Entry, int]]:
    """The creatures of a scene, the small ones first: they are the far ones."""
    count = int(random.integers(min(3, most), most + 1))
    sizes = sorted(max(MIN_SIZE, round(side * random.uniform(0.16, 0.36))) for _ in range(count))
    return [
        (make_sprite(pick(random, CATEGORIES), zone, seed, most * number + place, size), size)
        for place, size in enumerate(sizes)
    ]


def _ground(random: np.random.Generator, width: int, height: int) -> NDArray[np.intp]:
    """(width,): the first row of the floor, a line of gentle hills in the lowest third."""
    along = np.arange(width) / width
    hills = np.zeros(width)
    for waves in (1, 2, 5):
        hills += random.uniform(0.3, 1.0) / waves * np.sin(6.28 * (waves * along + random.random()))
    return np.asarray((height * (random.uniform(0.76, 0.84) + 0.035 * hills)).astype(np.intp))


def _water(random: np.random.Generator, zone: str, width: int, height: int, grain: int) -> Cells:
    """Bands from the light down, their borders in long waves, and drifting specks in the deep."""
    ramp, steps = _WATER[zone]
    down = np.arange(height)[:, None] / height
    waves = 0.012 * np.sin(np.arange(width)[None, :] / width * 6.28 * random.uniform(1.5, 3) + 6.28 * random.random())
    band = np.clip(((down + waves) * 1.15 * len(steps)).astype(np.intp), 0, len(steps) - 1)
    water = np.asarray(_index(ramp, np.array(steps)[band]))
    if zone != "shallows":
        for _ in range(width * height // (900 * grain * grain)):
            y, x = int(random.integers(height)), int(random.integers(width - 2 * grain))
            water[y : y + grain, x : x + 2 * grain] = _index(SLATE, np.array(2))
    return water


def _floor(random: np.random.Generator, zone: str, ground: NDArray[np.intp], height: int, grain: int) -> Cells:
    """Lit along its crest, darker below, with ripples."""
    ramp, light, shadow = _FLOOR[zone]
    deep = (np.arange(height)[:, None] - ground) / grain
    slope = np.gradient(ground.astype(np.float64))[None, :]
    ripple: Floats = np.sin(deep * 0.9 + 6.28 * random.random() + np.arange(len(ground))[None, :] / grain * 0.11)
    step = np.where(deep < 2, light, light - 1 - (deep > 9) - (ripple > 0.72) - (slope < -0.25))
    return np.asarray(_index(ramp, np.clip(step, shadow, light).astype(np.intp)))


def _index(ramp: int, step: NDArray[np.intp]) -> Cells:
    return np.asarray(1 + STEPS * ramp + step, np.uint8)
