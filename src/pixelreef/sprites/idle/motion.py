"""Where the pixels of idle frames come from: each is one of the first frame that has moved, or was drawn anew.

    came = sources(frames, ground, labels)
    normals[came[1]] ...                                 # what is known of the first frame goes along

Frames do not say how they were made. So the ways of `frames` are tried on the first one, and a way is believed where
it leads to all the others, pixel by pixel, but for the gaps that a model may have filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pixelreef.sprites.idle.frames import Bits, Cells, breathing, moved_by_parts
from pixelreef.sprites.idle.sway import FRAMES

Sources = NDArray[np.int64]
"""(height, width): the place in the first frame, counted row by row, that a pixel comes from; ANEW if from none."""
ANEW = -1
Value = TypeVar("Value", bound=np.generic)


def sources(frames: Sequence[Cells], ground: int, labels: Cells | None = None) -> list[Sources] | None:
    """For every frame; None where they are no frames of an idle animation, or not of one by these part labels."""
    first = frames[0]
    filled = first != ground
    if len(frames) != FRAMES or not filled.any():
        return None
    places = np.where(filled, np.arange(first.size).reshape(first.shape), ANEW)
    ways = [[(one, np.zeros_like(filled)) for one in breathing(places, ANEW)]]
    if labels is not None and (by_parts := moved_by_parts(places, ANEW, labels)):
        ways.append(by_parts)
    for way in ways:
        if all(_leads(first, frame, ground, *one) for frame, one in zip(frames, way, strict=True)):
            return [came for came, _ in way]
    return None


def carried(of_first: NDArray[Value], came: Sources, own: NDArray[Value]) -> NDArray[Value]:
    """What is known of the first frame (height, width, …), gone along; of what comes from nowhere, its own."""
    flat = of_first.reshape(came.size, *of_first.shape[2:])
    known = came != ANEW
    made = own.copy()
    made[known] = flat[came[known]]
    return made


def _leads(first: Cells, frame: Cells, ground: int, came: Sources, gaps: Bits) -> bool:
    known = came != ANEW
    right = frame[known] == first.ravel()[came[known]]
    return bool(right.all() and (frame[~known & ~gaps] == ground).all())
