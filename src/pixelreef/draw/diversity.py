"""Are repeats at one subject different pictures, or one picture again and again?

Two drawings count as one where `metrics.likeness` calls them near-copies: recoloured, mirrored, or with a few cells
changed. The background, the most common colour of the rim, is declared transparent. Whether a picture is any good is
no part of it: noise is as diverse as can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pixelreef.draw.drawing import Drawing
from pixelreef.draw.score import Attempt
from pixelreef.draw.vision.sight import background
from pixelreef.metrics.likeness import groups, signatures
from pixelreef.metrics.summary import Summary, mean


@dataclass(frozen=True)
class Diversity:
    """Of one entrant, over the subjects that it drew at least twice."""

    entrant: str
    distinct: Summary
    """Share of a subject's drawings that remain when near-copies count once: 1 is all different, 1/n all alike."""
    near_copies: int
    """Drawings that have a near-copy among the same entrant's drawings of the same subject."""
    drawings: int
    subjects: int


def diversity(entrant: str, attempts: Sequence[Attempt], seed: int = 0) -> Diversity:
    """How many of an entrant's repeats are pictures of their own; repaired drawings count too."""
    drawings: dict[str, list[Drawing]] = {}
    for attempt in attempts:
        if attempt.reading.repaired is not None:
            drawings.setdefault(attempt.reply.item, []).append(attempt.reading.repaired)
    found = [near_copy_groups(one) for one in drawings.values() if len(one) > 1]
    shares = [len(set(labels.tolist())) / len(labels) for labels in found]
    copies = sum(int((np.bincount(labels)[labels] > 1).sum()) for labels in found)
    return Diversity(
        entrant, mean(shares, bounds=(0, 1), seed=seed), copies, sum(len(labels) for labels in found), len(found)
    )


def near_copy_groups(drawings: Sequence[Drawing]) -> NDArray[np.intp]:
    """(N,): a group number for each drawing; near-copies share it."""
    return groups(signatures(np.stack([background_first(drawing) for drawing in drawings]), transparent=0))


def background_first(drawing: Drawing) -> NDArray[np.uint8]:
    """(24, 24): the cells with the background's index and 0 exchanged."""
    behind = background(drawing)
    exchange = np.arange(len(drawing.palette), dtype=np.uint8)
    exchange[[0, behind]] = exchange[[behind, 0]]
    return np.asarray(exchange[drawing.cells])
