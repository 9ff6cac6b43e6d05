"""SUIM: photographs under water, eight classes (Islam et al., IROS 2020).

    TEST/images/*.jpg
    TEST/masks/*.bmp

The masks hold one bit a channel, 0 or 255, so that the three bits are the number of the class. Some have values near
those two, from editing; they are cut at 128, as the makers do. The folder `masks` also holds a folder of binary masks
for each class, which say the same and are passed over.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import FolderDataset, Item, Task
from pixelreef.masks.distributed import files_in, frozen, home, mask_from_file, paired, photograph_from_file
from pixelreef.metrics.overlap import Labels

NAMES = ("water", "diver", "plant", "wreck", "robot", "reef", "fish", "sea floor")
TASK = Task(
    1,
    """The photograph was taken under water. Paint every pixel in the colour of what it shows:
- water: open water and whatever is too far off to be told
- diver: human divers with all they wear
- plant: aquatic plants and sea grass
- wreck: wrecks and ruins
- robot: robots and instruments
- reef: corals, reefs and other invertebrates
- fish: fish and other vertebrates
- sea floor: sand, sea floor and rocks""",
)


class Suim(FolderDataset):
    """The reader."""

    name = "suim"
    version = 1
    title = "SUIM"
    classes = Classes(
        tuple(
            MaskClass(name, (255 * (code >> 2), 255 * (code >> 1 & 1), 255 * (code & 1)), code)
            for code, name in enumerate(NAMES)
        ),
        "suim",
        "colour",
    )
    task = TASK
    origin = "Get it from https://irvlab.cs.umn.edu/resources/suim-dataset and give the folder that holds images/."

    def listed(self, root: Path) -> tuple[list[Item], list[str]]:
        """The photographs of one part, such as TEST."""
        folder = home(root, "TEST", ("images", "masks"), self.title, self.origin)
        photographs = files_in(folder / "images", ".jpg")
        masks = files_in(folder / "masks", ".bmp", ".png")
        names, left_out = paired(photographs, masks)
        return [
            Item(name, partial(photograph_from_file, photographs[name]), partial(labels_from_file, masks[name]))
            for name in names
        ], left_out


def labels_from_file(path: Path) -> Labels:
    """(height, width): the three bits of each pixel, red highest."""
    red, green, blue = np.moveaxis((mask_from_file(path) >= 128).astype(np.uint8), 2, 0)
    return frozen(red << 2 | green << 1 | blue)


DATASET = Suim()
