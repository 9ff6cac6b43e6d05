"""Folders of predictions with everything that can come back, for tests of boards and pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
from mask_pictures import FACES, encoded, face, photograph, softened

from pixelreef.core.files import write_bytes
from pixelreef.masks.classes import json_from_classes
from pixelreef.masks.item import ItemScores
from pixelreef.masks.score import Scores
from pixelreef.metrics.overlap import Confusion

_File = TypeVar("_File")

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


def many(scores: Scores, times: int) -> Scores:
    """The same scores as if every image were there so many times under other names, its files those of the first."""
    names = {item: [f"{item}-{number:04d}" for number in range(times)] for item in scores.items}

    def again(one: ItemScores) -> list[ItemScores]:
        return [
            ItemScores(name, tuple(replace(attempt, item=name) for attempt in one.attempts), one.vote)
            for name in names[one.item]
        ]

    def spread(files: Mapping[str, _File]) -> dict[str, _File]:
        return {name: files[item] for item in names if item in files for name in names[item]}

    pairing = replace(
        scores.pairing,
        truth=spread(scores.pairing.truth),
        entrants={entrant: spread(files) for entrant, files in scores.pairing.entrants.items()},
    )
    return replace(
        scores,
        items=tuple(name for item in scores.items for name in names[item]),
        entrants={entrant: [new for one in each for new in again(one)] for entrant, each in scores.entrants.items()},
        confusions={entrant: Confusion(times * table.matrix) for entrant, table in scores.confusions.items()},
        notes={name: scores.notes[item] for item in scores.notes for name in names[item]},
        pairing=pairing,
        photographs=spread(scores.photographs),
    )
