"""CelebAMask-HQ: the parts of a face, 19 classes (Lee et al., CVPR 2020).

    CelebA-HQ-img/<number>.jpg                                  1024², 0 to 29999
    CelebAMask-HQ-mask-anno/<number // 2000>/<5 digits>_<part>.png    512², one binary mask a part; none: not in sight

Parts are laid one over the other in the order of the classes, as the makers do, so that an eye lies on the skin and
hair on an ear. Photographs are reduced to the size of the masks by the mean of 2 × 2 pixels; that is also the size at
which PixelArena shows them. It scores against truth enlarged to 1024², here the truth keeps its pixels. Left and right
are the person's: in the makers' samples the left eye is on the right of the picture.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from pixelreef.core.palette import rgb_from_hex
from pixelreef.errors import ImageError
from pixelreef.masks.classes import Classes, MaskClass
from pixelreef.masks.dataset import FolderDataset, Item, Rgb, Task
from pixelreef.masks.distributed import files_in, folders_in, frozen, home, mask_from_file, photograph_from_file
from pixelreef.metrics.overlap import Labels

PHOTOGRAPHS, MASKS = "CelebA-HQ-img", "CelebAMask-HQ-mask-anno"
PER_FOLDER = 2000
TASK = Task(
    1,
    """The photograph shows the face of a person. Paint every pixel in the colour of the part that it shows. `mouth` is
the inside of the open mouth, `skin` the face without the parts that have a class of their own, `cloth` all clothes,
`background` all else. Left and right are the person's own: the left eye of a person who looks at you is on the right
of the picture.""",
)

# Part in the file names, class, colour: labels 1 to 18, in the order in which they are laid over one another.
PARTS = """
skin skin cc0000 / nose nose 4c9900 / eye_g eye_glass cccc00 / l_eye left_eye 3333ff / r_eye right_eye cc00cc /
l_brow left_eyebrow 00ffff / r_brow right_eyebrow ffcccc / l_ear left_ear 663300 / r_ear right_ear ff0000 /
mouth mouth 66cc00 / u_lip upper_lip ffff00 / l_lip lower_lip 000099 / hair hair 0000cc / hat hat ff3399 /
ear_r ear_ring 00cccc / neck_l necklace 003300 / neck neck ff9933 / cloth cloth 00cc00
"""
_ROWS = [tuple(row.split()) for row in PARTS.split("/")]
LABELS = {part: label for label, (part, _, _) in enumerate(_ROWS, start=1)}


def _classes() -> Classes:
    made = [MaskClass("background", (0, 0, 0), 0)]
    for label, (_, name, colour) in enumerate(_ROWS, start=1):
        side, _, rest = name.partition("_")
        partner = {"left": f"right_{rest}", "right": f"left_{rest}"}.get(side)
        made.append(MaskClass(name, rgb_from_hex(colour), label, partner=partner))
    return Classes(tuple(made), "celebamask-hq")


class CelebAMaskHq(FolderDataset):
    """The reader."""

    name = "celebamask-hq"
    version = 1
    title = "CelebAMask-HQ"
    classes = _classes()
    task = TASK
    origin = "Get it from https://github.com/switchablenorms/CelebAMask-HQ (for research that is not commercial)."

    def listed(self, root: Path) -> tuple[list[Item], list[str]]:
        """All photographs that have a mask of any part."""
        folder = home(root, self.title, (PHOTOGRAPHS, MASKS), self.title, self.origin)
        photographs = {f"{name:0>5}": path for name, path in files_in(folder / PHOTOGRAPHS, ".jpg").items()}
        parts = _parts(folder / MASKS)
        left_out = [f"{name}: no photograph" for name in sorted(parts.keys() - photographs.keys())]
        left_out += [f"{name}: no truth" for name in sorted(photographs.keys() - parts.keys())]
        return [
            Item(
                name,
                partial(photograph_at, photographs[name], parts[name][0][1]),
                partial(labels_from_files, tuple(parts[name])),
            )
            for name in sorted(photographs.keys() & parts.keys())
        ], left_out


def _parts(folder: Path) -> dict[str, list[tuple[int, Path]]]:
    """Five digits → (label, file) of its parts, in the order of the labels."""
    found: dict[str, list[tuple[int, Path]]] = {}
    for below in folders_in(folder):
        for name, path in files_in(below, ".png").items():
            digits, _, part = name.partition("_")
            if part in LABELS:
                found.setdefault(digits, []).append((LABELS[part], path))
    return {digits: sorted(parts) for digits, parts in found.items()}


def photograph_at(path: Path, mask: Path) -> Rgb:
    """The photograph at the size of a mask, each pixel the mean of a square."""
    pixels, (height, width) = photograph_from_file(path), mask_from_file(mask).shape[:2]
    factor = max(1, pixels.shape[0] // height)
    if pixels.shape[:2] != (height * factor, width * factor):
        rule = f"be a whole number of times as large as its mask of {width} × {height}"
        got = f"{pixels.shape[1]} × {pixels.shape[0]}"
        raise ImageError(f"photograph {str(path)!r}", rule, got, verbatim=True)
    squares = pixels.reshape(height, factor, width, factor, 3).astype(np.uint32)
    area = factor * factor
    reduced: Rgb = ((squares.sum(axis=(1, 3)) + area // 2) // area).astype(np.uint8)
    reduced.flags.writeable = False
    return reduced


def labels_from_files(parts: tuple[tuple[int, Path], ...]) -> Labels:
    """(height, width): 0 for background, later parts over earlier ones."""
    labels = np.zeros(mask_from_file(parts[0][1]).shape[:2], DATASET.classes.dtype)
    for label, path in parts:
        mask = mask_from_file(path)[..., 0] != 0
        if mask.shape != labels.shape:
            rule = f"be as large as the first part, {labels.shape[1]} × {labels.shape[0]}"
            raise ImageError(f"truth {str(path)!r}", rule, f"{mask.shape[1]} × {mask.shape[0]}", verbatim=True)
        labels[mask] = label
    return frozen(labels)


DATASET = CelebAMaskHq()
