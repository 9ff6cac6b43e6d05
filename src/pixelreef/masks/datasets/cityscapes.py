"""Cityscapes: streets seen from a car, 19 classes (Cordts et al., CVPR 2016).

    leftImg8bit/val/<city>/<city>_<sequence>_<frame>_leftImg8bit.png
    gtFine/val/<city>/<city>_<sequence>_<frame>_gtFine_labelIds.png

The masks hold the numbers of all labels; those that the benchmark leaves out (unlabelled, ego vehicle, parking, …) are
ignored. Names, numbers and colours are those of the makers' scripts.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pixelreef.core.palette import rgb_from_hex
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import FolderDataset, Item, Task
from pixelreef.masks.distributed import files_in, folders_in, home, paired, photograph_from_file
from pixelreef.masks.truth import read_truth
from pixelreef.metrics.overlap import Labels

PHOTOGRAPHS, MASKS = "leftImg8bit/val", "gtFine/val"
TASK = Task(
    1,
    """The photograph shows a street from a car. Paint every pixel in the colour of what it shows. A `rider` is a person
on a bicycle, motorcycle or the like, which has its own class; a `person` stands, walks or sits elsewhere. `terrain` is
grass, soil or sand on the ground, `vegetation` is trees, hedges and bushes, `wall` stands alone and is no part of a
building. What is seen through the windows of a car or the holes of a fence is of the car or the fence. Whatever is in
no class, among it the hood of the car that you look from, is not scored.""",
)

SCORED = """
7 804080 road / 8 f423e8 sidewalk / 11 464646 building / 12 66669c wall / 13 be9999 fence / 17 999999 pole /
19 faaa1e traffic light / 20 dcdc00 traffic sign / 21 6b8e23 vegetation / 22 98fb98 terrain / 23 4682b4 sky /
24 dc143c person / 25 ff0000 rider / 26 00008e car / 27 000046 truck / 28 003c64 bus / 31 005064 train /
32 0000e6 motorcycle / 33 770b20 bicycle
"""
IGNORED = """
0 unlabelled / 1 ego vehicle / 2 rectification border / 3 out of roi / 4 static / 5 dynamic / 6 ground / 9 parking /
10 rail track / 14 guard rail / 15 bridge / 16 tunnel / 18 polegroup / 29 caravan / 30 trailer
"""


def _classes() -> Classes:
    made = []
    for row in SCORED.split("/"):
        number, colour, name = row.strip().split(" ", 2)
        made.append(MaskClass(name, rgb_from_hex(colour), int(number)))
    for row in IGNORED.split("/"):
        number, name = row.strip().split(" ", 1)
        made.append(MaskClass(name, None, int(number), ignore=True))
    return Classes(tuple(made), "cityscapes", "index")


class Cityscapes(FolderDataset):
    """The reader."""

    name = "cityscapes"
    version = 1
    title = "Cityscapes"
    classes = _classes()
    task = TASK
    origin = "Get leftImg8bit_trainvaltest.zip and gtFine_trainvaltest.zip from https://www.cityscapes-dataset.com."

    def listed(self, root: Path) -> tuple[list[Item], list[str]]:
        """The photographs of all cities of the validation part."""
        folder = home(root, "cityscapes", (PHOTOGRAPHS, MASKS), self.title, self.origin)
        photographs = _in_cities(folder / PHOTOGRAPHS, "_leftimg8bit.png")
        masks = _in_cities(folder / MASKS, "_gtfine_labelids.png")
        names, left_out = paired(photographs, masks)
        return [
            Item(name, partial(photograph_from_file, photographs[name]), partial(labels_from_file, masks[name]))
            for name in names
        ], left_out


def _in_cities(folder: Path, ending: str) -> dict[str, Path]:
    return {name: path for city in folders_in(folder) for name, path in files_in(city, ending).items()}


def labels_from_file(path: Path) -> Labels:
    """(height, width): 0 to 18, void for the rest."""
    return read_truth(path, DATASET.classes).labels


DATASET = Cityscapes()
