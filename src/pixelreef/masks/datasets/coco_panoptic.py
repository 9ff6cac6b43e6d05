"""COCO panoptic, as semantic masks: everyday scenes in 133 categories and `other` (Kirillov et al., CVPR 2019).

    val2017/*.jpg
    annotations/panoptic_val2017.json
    panoptic_val2017/*.png              or annotations/panoptic_val2017/*.png

A pixel of a mask holds the id of its segment, R + 256·G + 256²·B; the JSON file says of which category each segment
is. Pixels of no segment become `other` and are scored, crowds are of their category, and photograph and mask are cut to
the square in the middle, all as PixelArena does. It then enlarges both to 1024² by the nearest pixel; here they keep
their pixels. The ending `-merged` of some names is left off.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixelreef.core.document import described
from pixelreef.core.files import read_bytes
from pixelreef.core.palette import rgb_from_hex
from pixelreef.core.strict_json import json_from_text
from pixelreef.errors import DocumentError, ImageError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import FolderDataset, Item, Rgb, Task
from pixelreef.masks.distributed import files_in, frozen, home, mask_from_file, paired, photograph_from_file
from pixelreef.metrics.overlap import Labels

JSON, MASKS = "annotations/panoptic_val2017.json", "panoptic_val2017"
TASK = Task(
    1,
    """The photograph shows an everyday scene. Paint every pixel in the colour of what it shows: of a thing, such as a
person or a car, where there is one, and otherwise of the surface or stuff, such as sky, road or wall. All things of one
kind have the same colour. Whatever is in none of the classes is `other`.""",
)

# Category id, colour, name: `panoptic_coco_categories.json` of cocodataset/panopticapi.
CATEGORIES = """
1 dc143c person, 2 770b20 bicycle, 3 00008e car, 4 0000e6 motorcycle, 5 6a00e4 airplane, 6 003c64 bus,
7 005064 train, 8 000046 truck, 9 0000c0 boat, 10 faaa1e traffic light, 11 64aa1e fire hydrant, 13 dcdc00 stop sign,
14 af74af parking meter, 15 fa001e bench, 16 a52a2a bird, 17 ff4dff cat, 18 00e2fc dog, 19 b6b6ff horse,
20 005200 sheep, 21 78a69d cow, 22 6e4c00 elephant, 23 ae39ff bear, 24 c76400 zebra, 25 480076 giraffe,
27 ffb3f0 backpack, 28 007d5c umbrella, 31 d10097 handbag, 32 bcd0b6 tie, 33 00dcb0 suitcase, 34 ff63a4 frisbee,
35 5c0049 skis, 36 8581ff snowboard, 37 4eb4ff sports ball, 38 00e400 kite, 39 aefff3 baseball bat,
40 2d59ff baseball glove, 41 868667 skateboard, 42 9194ae surfboard, 43 ffd0ba tennis racket, 44 c5e2ff bottle,
46 ab8601 wine glass, 47 6d3f36 cup, 48 cf8aff fork, 49 97005f knife, 50 09503d spoon, 51 546933 bowl,
52 4a4169 banana, 53 a6c466 apple, 54 d0c3d2 sandwich, 55 ff6d41 orange, 56 008f95 broccoli, 57 b300c2 carrot,
58 d1636a hot dog, 59 057900 pizza, 60 e3ffcd donut, 61 93bad0 cake, 62 994501 chair, 63 035fa1 couch,
64 a3ff00 potted plant, 65 7700aa bed, 67 00b6c7 dining table, 70 00a578 toilet, 72 b78258 tv, 73 5f2000 laptop,
74 827287 mouse, 75 6e8185 remote, 76 a64a76 keyboard, 77 db8eb9 cell phone, 78 4fd272 microwave, 79 b25a3e oven,
80 41460f toaster, 81 7fa773 sink, 82 3b696a refrigerator, 84 8e6c2d book, 85 c4ac00 clock, 86 5f3650 vase,
87 804cff scissors, 88 c93901 teddy bear, 89 f6007a hair drier, 90 bfa2d0 toothbrush, 92 ffff80 banner,
93 93d3cb blanket, 95 966464 bridge, 100 a8abac cardboard, 107 9270c6 counter, 109 d2aa64 curtain,
112 5c8859 door-stuff, 118 da58b8 floor-wood, 119 f18100 flower, 122 d911ff fruit, 125 7c4ab5 gravel,
128 464646 house, 130 ffe4ff light, 133 9ad000 mirror-stuff, 138 c1005c net, 141 4c5b71 pillow, 144 ffb4c3 platform,
145 6a9ab0 playingfield, 147 e6968c railroad, 148 3c8fff river, 149 804080 road, 151 5c5237 roof, 154 fed47c sand,
155 494dae sea, 156 ffa062 shelf, 159 ffffff snow, 161 68546d stairs, 166 a9a483 tent, 168 e1c7ff towel,
171 89364a wall-brick, 175 879edf wall-stone, 176 07f6e7 wall-tile, 177 6bffc8 wall-wood, 178 3a2995 water-other,
180 b7798e window-blind, 181 ff4961 window-other, 184 6b8e23 tree, 185 be9999 fence, 186 928b8d ceiling,
187 4682b4 sky-other, 188 86c79c cabinet, 189 d1e28c table, 190 60246c floor-other, 191 606060 pavement,
192 40aa40 mountain, 193 98fb98 grass, 194 d0e5e4 dirt, 195 cebaab paper, 196 98a140 food-other,
197 747000 building-other, 198 00728f rock, 199 66669c wall-other, 200 fa8dff rug
"""


class _Segment(BaseModel):
    model_config = ConfigDict(strict=True)
    id: Annotated[int, Field(ge=1, lt=2**24)]
    category_id: Annotated[int, Field(ge=0, lt=2**16)]


class _Annotation(BaseModel):
    model_config = ConfigDict(strict=True)
    file_name: Annotated[str, Field(max_length=200)]
    segments_info: Annotated[list[_Segment], Field(max_length=10_000)]


class _Document(BaseModel):
    model_config = ConfigDict(strict=True)
    annotations: Annotated[list[_Annotation], Field(max_length=1_000_000)]


Segments = tuple[tuple[int, int], ...]


def _classes() -> Classes:
    made = [MaskClass("other", (0, 0, 0), 0)]
    for row in CATEGORIES.replace("\n", " ").split(","):
        number, colour, name = row.strip().split(" ", 2)
        made.append(MaskClass(name, rgb_from_hex(colour), int(number)))
    return Classes(tuple(made), "coco-panoptic")


class CocoPanoptic(FolderDataset):
    """The reader."""

    name = "coco-panoptic"
    version = 1
    title = "COCO panoptic"
    classes = _classes()
    task = TASK
    origin = (
        "Get the 2017 Val images and the 2017 Panoptic Train/Val annotations from https://cocodataset.org/#download "
        "and unpack both, and the panoptic_val2017.zip inside the latter, into one folder."
    )

    def listed(self, root: Path) -> tuple[list[Item], list[str]]:
        """The photographs of val2017."""
        inside = (root / "annotations" / MASKS).is_dir() and not (root / MASKS).is_dir()
        masks_folder = f"annotations/{MASKS}" if inside else MASKS
        folder = home(root, "coco", ("val2017", JSON, masks_folder), self.title, self.origin)
        photographs, masks = files_in(folder / "val2017", ".jpg"), files_in(folder / masks_folder, ".png")
        segments = read_segments(folder / JSON)
        names, left_out = paired(photographs, masks)
        left_out += [f"{name}: not in {JSON}" for name in names if name not in segments]
        return [
            Item(
                name,
                partial(photograph_at, photographs[name]),
                partial(labels_from_file, masks[name], segments[name]),
            )
            for name in names
            if name in segments
        ], left_out


def read_segments(path: Path) -> dict[str, Segments]:
    """Name of a mask without its ending → (id, category) of its segments."""
    what = f"annotations {str(path)!r}"
    try:
        text = read_bytes(path).decode("utf-8")
        document = _Document.model_validate(json_from_text(text, what))
    except UnicodeDecodeError as error:
        raise DocumentError(what, "be UTF-8 text", f"a stray byte at {error.start}", verbatim=True) from None
    except ValidationError as error:
        raise described(error, what) from None
    return {
        one.file_name.removesuffix(".png"): tuple((segment.id, segment.category_id) for segment in one.segments_info)
        for one in document.annotations
    }


def photograph_at(path: Path) -> Rgb:
    """The square in the middle of a photograph."""
    return middle(photograph_from_file(path))


def labels_from_file(path: Path, segments: Segments) -> Labels:
    """(side, side): the label of the category of each pixel's segment."""
    what = f"truth {str(path)!r}"
    channels = middle(mask_from_file(path)).astype(np.uint32)
    ids, places = np.unique(channels @ np.array([1, 256, 65536], np.uint32), return_inverse=True)
    label_of = {one.index: label for label, one in enumerate(DATASET.classes.classes)}
    category_of = {0: 0, **dict(segments)}
    labels = np.zeros(len(ids), DATASET.classes.dtype)
    for place, segment in enumerate(ids.tolist()):
        if segment not in category_of:
            raise ImageError(what, "hold the segments that the annotations list", segment)
        if category_of[segment] not in label_of:
            raise ImageError(what, "have segments of the 133 categories", category_of[segment])
        labels[place] = label_of[category_of[segment]]
    return frozen(labels[places.reshape(channels.shape[:2])])


def middle(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(h, w, …) → the square of its shorter side in the middle; of two middles the upper left one.

    >>> middle(np.arange(5, dtype=np.uint8)[None, :, None]).ravel().tolist()
    [2]
    """
    height, width = pixels.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    return pixels[top : top + side, left : left + side]


DATASET = CocoPanoptic()
