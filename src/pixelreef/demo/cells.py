"""The corpus' part of the demo: the thirty cells of the procedural reef, and scenes with their truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.core.palette import Palette
from pixelreef.core.reef import reef_palette
from pixelreef.core.render import png_from_rgba
from pixelreef.corpus.cells import CATEGORIES, ZONES
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.scene import CLASSES, Scene, make_scene
from pixelreef.corpus.reef.species import species
from pixelreef.report import Gallery, Picture, Section

SHOWN = 4  # sprites of a cell, two by two
_SCENE = (160, 96)
# Of a class of `CLASSES`, in the reef palette: unlike one another, and unlike what the scene shows there.
_TRUTH = (45, 21, 26, 61, 33, 40, 54, 7)


def cells_section(seed: int) -> Section:
    """Every cell with four sprites, to be filtered by category and zone."""
    pictures = [_cell(category, zone, seed) for category in CATEGORIES for zone in ZONES]
    words = (
        f"{len(species())} species drawn by code in six categories and five zones, the part of every pixel known. A "
        "zone changes more than colours: eyes, light organs, how clear a body is, how it is built."
    )
    gallery = Gallery(pictures, tile=204, label="The thirty cells of the reef")
    return Section("cells", "Thirty cells", words, [gallery])


def scenes_section(seed: int) -> Section:
    """One scene of every zone, each with the class of every pixel."""
    scenes = [make_scene(seed, number, *_SCENE, zone) for number, zone in enumerate(ZONES)]
    pictures = [picture for scene in scenes for picture in (_painted(scene), _truth(scene))]
    words = "Creatures of one zone over a sea floor, and the truth that comes with them: class and instance, exact."
    return Section("scenes", "Scenes with truth", words, [Gallery(pictures, tile=480, label="Scenes and their truth")])


def _cell(category: str, zone: str, seed: int) -> Picture:
    entries = [make_sprite(category, zone, seed, number) for number in range(SHOWN)]
    sheet = two_by_two([entry.cells for entry in entries], reef_palette())
    names = ", ".join(dict.fromkeys(entry.species for entry in entries))
    tags = (f"category:{category}", f"zone:{zone}")
    return Picture(png_from_rgba(sheet), sheet.shape[1], sheet.shape[0], f"{category}/{zone}", names, tags)


def two_by_two(sprites: Sequence[Cells], palette: Palette) -> NDArray[np.uint8]:
    """Four sprites as one picture."""
    shown = [palette.rgba[np.pad(cells, 1)] for cells in sprites]
    return np.concatenate([np.concatenate(shown[:2], axis=1), np.concatenate(shown[2:], axis=1)])


def _painted(scene: Scene) -> Picture:
    count = f"{len(scene.creatures)} creatures"
    return Picture(png_from_rgba(reef_palette().rgba[scene.cells]), *_SCENE, scene.zone, count)


def _truth(scene: Scene) -> Picture:
    colours = reef_palette().rgba[list(_TRUTH)]
    seen = ", ".join(CLASSES[label] for label in np.unique(scene.classes))
    return Picture(png_from_rgba(colours[scene.classes]), *_SCENE, f"{scene.zone}, truth", seen)
