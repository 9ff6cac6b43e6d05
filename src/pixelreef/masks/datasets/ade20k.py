"""ADE20K, the scene parsing part: indoors and outdoors in 150 classes (Zhou et al., CVPR 2017).

    images/validation/*.jpg
    annotations/validation/*.png        0 for what is in no class, 1 to 150 for the classes

Pixels of no class are ignored. Class names are short forms of those in the makers' `objectInfo150.txt`. The colours in
which ADE20K is usually shown have one for two classes (road and skyscraper) and many that are 10 bytes apart, so these
are made by `palette_make`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from pixelreef.core.palette import rgb_from_hex
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import FolderDataset, Item, Task
from pixelreef.masks.distributed import files_in, home, paired, photograph_from_file
from pixelreef.masks.truth import read_truth
from pixelreef.metrics.overlap import Labels

PHOTOGRAPHS, MASKS = "images/validation", "annotations/validation"
TASK = Task(
    1,
    """The photograph shows a place, indoors or outdoors. Paint every pixel in the colour of what it shows: whole
things, not their parts, and all things of one kind in the same colour. `windowpane` is a window, `glass` a drinking
glass, `base` a pedestal, `light` a lamp that is fixed, `earth` bare ground, `trade name` the name of a shop. Whatever
is in no class is not scored.""",
)

# Colour and name of the classes 1 to 150.
CLASSES = """
000000 wall, ffffff building, b400ff sky, 008700 floor, ff0000 tree, 1eff00 ceiling, 4bb4ff road, 0000a5 bed,
78003c windowpane, ff87f0 grass, ffb400 cabinet, 691e0f sidewalk, 004b00 person, 0f1e00 earth, e10096 door,
00f0c3 table, ffff00 mountain, 4b003c plant, 96b400 curtain, e1c3d2 chair, 6900a5 car, 5a00ff water, e100ff painting,
b478d2 sofa, 5a695a shelf, ff8778 house, 00a596 sea, 0f4b69 mirror, b43c00 rug, 4b0000 field, 964b87 armchair,
d26996 seat, 00a500 fence, 3c96ff desk, 003c3c rock, 87c3a5 wardrobe, b4004b lamp, c3b4ff bathtub, ff3ca5 railing,
d2a500 cushion, 694bff base, 789600 box, 9696c3 column, 4b3cb4 signboard, d2d200 chest of drawers, 000069 counter,
ff5a00 sand, d296c3 sink, c3f0ff skyscraper, d25a00 fireplace, 5aff87 refrigerator, 690069 grandstand, 5a3c00 path,
965ad2 stairs, d25aff runway, 006900 case, 5a7896 pool table, 00003c pillow, ffb4ff screen door, ff0069 stairway,
3c0069 river, 008787 bridge, 3ce178 bookcase, 8700ff blind, 006978 coffee table, 960069 toilet, 87e1e1 flower,
1e784b book, 4b2d3c hill, c30fd2 bench, 00e100 countertop, 0000ff stove, 5a5a87 palm, 3cb469 kitchen island,
00c3d2 computer, 3c0096 swivel chair, 787800 boat, c3a596 bar, ffc396 arcade machine, d20f2d hovel, 874b00 bus,
a5b4d2 towel, 9696ff light, 1e4bff truck, 784bb4 tower, 0f2d69 chandelier, c3c369 awning, 690fd2 streetlight,
ffa5b4 booth, 96a569 television receiver, ffe1d2 airplane, e169d2 dirt track, ff78b4 apparel, 0078c3 pole,
a5691e land, b45a5a bannister, 960000 escalator, a56996 ottoman, e1872d bottle, d287ff buffet, 005a4b poster,
0f5aa5 stage, ff5a78 van, b48700 ship, b4ff00 fountain, 7878c3 conveyer belt, 00d2a5 canopy, 964bff washer,
00c30f plaything, 96e196 swimming pool, 788769 stool, ffe12d barrel, 3c2d00 basket, 3c00c3 waterfall, ffd2ff tent,
2d96c3 bag, c34bb4 minibike, f0a569 cradle, 2d001e oven, d27869 ball, c3d2b4 food, 5a4b4b step, ff5aff tank,
876969 trade name, b4d2ff microwave, e14b5a pot, ffffb4 animal, c33c78 bicycle, 1effff lake, ff00d2 dishwasher,
0078ff screen, c3ff87 blanket, 4bd2ff sculpture, b40096 hood, 4b5ad2 sconce, 1e1e3c vase, 78a5a5 traffic light,
5a5a00 tray, a58787 ashcan, 873c4b fan, f0e196 pier, 7878ff crt screen, 9600c3 plate, 2d965a monitor,
4b3c78 bulletin board, 96e100 shower, a5ffd2 radiator, 003cd2 glass, 782d87 clock, 003c96 flag
"""


def _classes() -> Classes:
    made = [MaskClass("no class", None, 0, ignore=True)]
    for number, row in enumerate(CLASSES.replace("\n", " ").split(","), start=1):
        colour, name = row.strip().split(" ", 1)
        made.append(MaskClass(name, rgb_from_hex(colour), number))
    return Classes(tuple(made), "ade20k", "index")


class Ade20k(FolderDataset):
    """The reader."""

    name = "ade20k"
    version = 1
    title = "ADE20K"
    classes = _classes()
    task = TASK
    origin = "Get ADEChallengeData2016.zip from http://sceneparsing.csail.mit.edu."

    def listed(self, root: Path) -> tuple[list[Item], list[str]]:
        """The photographs of the validation part."""
        folder = home(root, "ADEChallengeData2016", (PHOTOGRAPHS, MASKS), self.title, self.origin)
        photographs, masks = files_in(folder / PHOTOGRAPHS, ".jpg"), files_in(folder / MASKS, ".png")
        names, left_out = paired(photographs, masks)
        return [
            Item(name, partial(photograph_from_file, photographs[name]), partial(labels_from_file, masks[name]))
            for name in names
        ], left_out


def labels_from_file(path: Path) -> Labels:
    """(height, width): 0 to 149, void for what is in no class."""
    return read_truth(path, DATASET.classes).labels


DATASET = Ade20k()
