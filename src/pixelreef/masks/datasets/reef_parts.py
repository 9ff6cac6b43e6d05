"""`reef-parts`: one creature of the procedural reef and its parts; what face parsing is to faces.

A creature is drawn 46 to 62 pixels large into a picture of 64, over water and sea floor of its zone, and enlarged by a
whole factor, so every pixel of the truth is exact. The categories take turns.

Of the part labels of the reef, those of a surface are not asked for: markings, gills and inner organs become the part
that they lie on, and the belly is body. A part of which fewer than four pixels are in sight joins what is around it. So
the smallest thing asked for is an eye of four pixels, 16 × 16 at 512.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.palette import rgb_from_hex
from pixelreef.core.reef import reef_palette
from pixelreef.core.seeds import rng
from pixelreef.corpus.cells import CATEGORIES, ZONES
from pixelreef.corpus.fit import subject_box
from pixelreef.corpus.parts import PAIRS, PARTS
from pixelreef.corpus.reef.make import make_sprite
from pixelreef.corpus.reef.scene import make_scene, stands
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import MadeDataset, Rgb, Task
from pixelreef.metrics.overlap import Labels

SURFACE = ("pattern", "gill", "organ")  # become what they lie on
MERGED = {"none": "background", "belly": "body"}
FEWEST = 4  # pixels: a part with fewer of them in a picture joins what is around it
SMALLEST, LARGEST = 46, 62  # pixels of a creature
# palette_make.make(21)
COLOURS = """
000000 ffffff 965aff 1e8700 ff2d00 00ff00 00a5ff 0000ff 78000f ff00ff ffa500
0f6996 004b0f b48796 c30087 00f0ff ffff3c 000078 69c369 ffa5ff 690fa5
"""
TASK = Task(
    1,
    """The picture is pixel art: one sea creature before water and sea floor. Paint every pixel in the colour of the
part that it shows; the outline belongs to the part that it lies around, and markings to the part that they lie on.
- background: water and sea floor
- body: the trunk, or the bell of a jellyfish, with its belly
- head, shell, tail, mouth: where they can be told from the body; the mouth with its lips, jaws and teeth
- fin: fins and sails; limb: legs, arms and claws; tentacle: feelers, threads and thin arms
- eye: the whole eye, with the white around it
- light organ: what glows, with the thread that it hangs on
- spine: spikes, and a backbone that shows through
- branch, polyp, base: of corals and the like: branches, the buds on them, and the stone they stand on
Left and right are the creature's own, and are used where it is seen from the front or from above: if it looks at you,
its left eye is on the right of the picture; if you look down on it and its head is up, on the left. A creature seen
from the side has a plain eye, fin or limb.""",
)


def _classes() -> Classes:
    names = ["background", *(name for name in PARTS if name not in ("none", "belly", *SURFACE))]
    partner = {**dict(PAIRS), **{right: left for left, right in PAIRS}}
    made = [
        MaskClass(name, rgb_from_hex(colour), index, partner=partner.get(name))
        for index, (name, colour) in enumerate(zip(names, COLOURS.split(), strict=True))
    ]
    return Classes(tuple(made), "reef-parts", "index")


class ReefParts(MadeDataset):
    """One creature, one class for each part."""

    name = "reef-parts"
    version = 1
    title = "reef parts"
    classes = _classes()
    task = TASK
    side = 64

    def drawn(self, seed: int, number: int) -> tuple[Rgb, Labels]:
        """Creature `number` of the seed."""
        random = rng(seed, "masks", self.name, number)
        category, zone = CATEGORIES[number % len(CATEGORIES)], ZONES[int(random.integers(len(ZONES)))]
        size = int(random.integers(SMALLEST, LARGEST + 1))
        creature = make_sprite(category, zone, seed, number, size)
        scene = make_scene(seed, number, self.side, self.side, zone, most=0)
        rows, columns = subject_box(creature.cells, 0)
        cells, parts = creature.cells[rows, columns], np.asarray(creature.parts)[rows, columns]
        left = int(random.integers(0, self.side - cells.shape[1] + 1))
        lowest, top = self.side - cells.shape[0], 0
        if stands(creature):
            ground = self.side - int(scene.classes.sum(axis=0).min())
            top = min(max(ground + 1 - cells.shape[0], 0), lowest)
        top = int(random.integers(top, lowest + 1))
        box = (slice(top, top + cells.shape[0]), slice(left, left + cells.shape[1]))
        labels = np.zeros((self.side, self.side), self.classes.dtype)
        scene.cells[box][cells != 0] = cells[cells != 0]
        labels[box] = labels_from_parts(parts)
        return reef_palette().rgb[scene.cells], labels


def labels_from_parts(parts: NDArray[np.uint8]) -> Labels:
    """Labels from the indices of parts; what is only surface, or too small, gets the label of the nearest part."""
    names = ReefParts.classes.names
    unknown = len(names)
    table = [names.index(MERGED.get(name, name)) if name not in SURFACE else unknown for name in PARTS]
    labels = np.array(table, np.uint8)[parts]
    few = np.flatnonzero(np.bincount(labels.ravel(), minlength=unknown + 1) < FEWEST)
    labels[np.isin(labels, few)] = unknown
    while (labels == unknown).any():
        grown = _grown(labels, unknown)
        if np.array_equal(grown, labels):  # nothing but surface
            grown[labels == unknown] = names.index("body")
        labels = grown
    return labels


def _grown(labels: NDArray[np.uint8], unknown: int) -> NDArray[np.uint8]:
    """Unknown pixels with a part beside them take its label: from above, below, left, right, then from the corners."""
    padded = np.pad(labels, 1)
    grown = labels.copy()
    for rows, columns in ((0, 1), (2, 1), (1, 0), (1, 2), (0, 0), (0, 2), (2, 0), (2, 2)):
        beside = padded[rows : rows + labels.shape[0], columns : columns + labels.shape[1]]
        take = (grown == unknown) & (beside != unknown) & (beside != 0)
        grown[take] = beside[take]
    return grown


DATASET = ReefParts()
