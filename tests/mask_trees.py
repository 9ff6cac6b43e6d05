"""Miniature trees of the mask datasets, in the layouts in which their makers distribute them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

GREY = 120


def put(path: Path, values: Any) -> Path:
    """A picture from rows of numbers (greyscale) or of colours."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.array(values, np.uint8)).save(path)
    return path


def photograph(path: Path, width: int, height: int) -> Path:
    """A JPEG of one grey, which comes back exactly."""
    return put(path, np.full((height, width, 3), GREY))


def celeb(root: Path) -> Path:
    """Two faces: of 4 × 3 pixels in masks, twice that in photographs; number 2001 is in the second folder."""
    for number, folder in ((7, 0), (2001, 1)):
        photograph(root / f"CelebA-HQ-img/{number}.jpg", 8, 6)
        place = root / f"CelebAMask-HQ-mask-anno/{folder}"
        put(place / f"{number:05d}_skin.png", [[0, 255, 255, 0], [255, 255, 255, 255], [0, 255, 255, 0]])
        put(place / f"{number:05d}_hair.png", [[255, 255, 255, 255], [0, 0, 0, 0], [0, 0, 0, 0]])
        put(place / f"{number:05d}_r_eye.png", [[0, 0, 0, 0], [0, 255, 0, 0], [0, 0, 0, 0]])
        put(place / f"{number:05d}_l_eye.png", [[0, 0, 0, 0], [0, 0, 255, 0], [0, 0, 0, 0]])
    return root


def coco(root: Path) -> Path:
    """Two scenes of 5 × 3 pixels: one whose segments have ids above 255, and one of a single segment."""
    masks = root / "annotations" / "panoptic_val2017"

    def colour(segment: int) -> list[int]:
        return [segment % 256, segment // 256 % 256, segment // 65536]

    ids = [[9, 70_000, 70_000, 0, 9], [9, 70_000, 515, 515, 9], [9, 0, 515, 515, 9]]
    put(masks / "000000000139.png", [[colour(one) for one in row] for row in ids])
    put(masks / "000000000285.png", [[colour(3)] * 5] * 3)
    for name in ("000000000139", "000000000285"):
        photograph(root / f"val2017/{name}.jpg", 5, 3)
    segments = {139: [(9, 1), (70_000, 187), (515, 1)], 285: [(3, 200)]}
    document = {
        "images": [{"id": number, "file_name": f"{number:012d}.jpg"} for number in segments],
        "annotations": [
            {
                "image_id": number,
                "file_name": f"{number:012d}.png",
                "segments_info": [{"id": one, "category_id": kind, "iscrowd": 0, "area": 1} for one, kind in rows],
            }
            for number, rows in segments.items()
        ],
        "categories": [{"id": 1, "name": "person"}],
    }
    (root / "annotations/panoptic_val2017.json").write_text(json.dumps(document))
    return root


def cityscapes(root: Path) -> Path:
    """One street in each of two cities."""
    grids = {
        "frankfurt/frankfurt_000000_000294": [[0, 7, 8], [33, 1, 26]],
        "munster/munster_000000_000019": [[23] * 3] * 2,
    }
    for name, grid in grids.items():
        put(root / f"leftImg8bit/val/{name}_leftImg8bit.png", np.full((2, 3, 3), GREY))
        put(root / f"gtFine/val/{name}_gtFine_labelIds.png", grid)
        put(root / f"gtFine/val/{name}_gtFine_instanceIds.png", grid)
    return root


def ade20k(root: Path) -> Path:
    """Two rooms, as the archive unpacks."""
    for number, grid in ((1, [[0, 1, 2], [150, 150, 1]]), (2, [[13, 13, 13], [13, 13, 0]])):
        name = f"ADE_val_{number:08d}"
        photograph(root / f"ADEChallengeData2016/images/validation/{name}.jpg", 3, 2)
        put(root / f"ADEChallengeData2016/annotations/validation/{name}.png", grid)
    return root


def suim(root: Path) -> Path:
    """One dive with all eight classes, slightly impure, and one of water; a folder of binary masks beside them."""
    low, high = 3, 250
    codes = [[0, 1, 2, 3], [4, 5, 6, 7]]
    put(
        root / "masks/d_r_47_.bmp",
        [[[high if code >> bit & 1 else low for bit in (2, 1, 0)] for code in row] for row in codes],
    )
    put(root / "masks/w_r_1_.bmp", np.zeros((2, 4, 3)))
    put(root / "masks/FV/d_r_47_.bmp", np.zeros((2, 4, 3)))
    for name in ("d_r_47_", "w_r_1_"):
        photograph(root / f"images/{name}.jpg", 4, 2)
    return root


TREES = {"celebamask-hq": celeb, "coco-panoptic": coco, "cityscapes": cityscapes, "ade20k": ade20k, "suim": suim}
