"""Folders of predictions with everything that can come back, for tests of boards and pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from mask_pictures import FACES, encoded, face, photograph, softened

from pixelreef.core.files import write_bytes
from pixelreef.masks.classes import json_from_classes

SIDE = 96
ITEMS = ("p", "q", "r")
HOSTILE = "<script>alert(1)</script> I can't <b>help</b>."


def folders(root: Path) -> Path:
    """root/truth, root/images, root/classes.json and in root/predictions three entrants.

    `exact` has the truth; `shifted` has two attempts: the truth moved by (4, 2) and saved as JPEG, and the truth;
    `mixed` a photograph, one colour and a refusal, with one file that belongs to nothing.
    """
    for seed, item in enumerate(ITEMS):
        labels = face(SIDE, seed)
        write_bytes(root / "truth" / f"{item}.png", encoded(labels))
        write_bytes(root / "images" / f"{item}.jpg", encoded(photograph(SIDE, seed), "JPEG"))
        write_bytes(root / "predictions" / "exact" / f"{item}.png", encoded(FACES.rgb[labels]))
        moved = softened(np.roll(labels, (2, 4), (0, 1)), radius=0.5)
        write_bytes(root / "predictions" / "shifted" / f"{item}.1.jpg", encoded(moved, "JPEG", quality=92))
        write_bytes(root / "predictions" / "shifted" / f"{item}.2.png", encoded(FACES.rgb[labels]))
    mixed = root / "predictions" / "mixed"
    write_bytes(mixed / "p.png", encoded(photograph(SIDE, 7)))
    write_bytes(mixed / "q.png", encoded(np.zeros((8, 8, 3), np.uint8)))
    write_bytes(mixed / "r.refused", HOSTILE.encode())
    write_bytes(mixed / "notes.txt", b"nothing")
    write_bytes(root / "classes.json", json_from_classes(FACES).encode())
    return root
