"""Relief: what is known of a sprite besides its silhouette: how full its parts are, and where its form is creased.

Two things crease a form: the border of two parts, where the parts are known, and ink, the black of outlines and of
shadows on the ground, which is drawn to part one thing from another.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pixelreef.core.grid import Cells
from pixelreef.corpus.parts import PART_INDEX, PARTS
from pixelreef.errors import InputError
from pixelreef.sprites.shade.height import Bits, Reals

FULLNESS: Mapping[str, float] = {
    "shell": 1.3,
    "fin": 0.5,
    "left fin": 0.5,
    "right fin": 0.5,
    "tail": 0.5,
    "eye": 1.4,
    "left eye": 1.4,
    "right eye": 1.4,
}
"""How much each part is blown up, against 1 for those not named: an eye stands out, a fin is flat."""

_INK_LEAK, _BORDER_LEAK = 4.0, 1.0  # against the pull of the four neighbours, which is 4

# The parts that stand beside one another, with a crease between; all others lie on these, and crease nothing.
_BESIDE = ("shell", "tail", "limb", "left limb", "right limb", "tentacle", "branch", "base")
_ONE_OF = {"body": "body", "belly": "body", "head": "body"} | {name: name for name in _BESIDE}
_STANDS = np.zeros(256, np.uint8)
_STANDS[[PART_INDEX[name] for name in _ONE_OF]] = [PART_INDEX[name] for name in _ONE_OF.values()]


def fullness_from_parts(parts: Cells, table: Mapping[str, float] = FULLNESS) -> Reals:
    """(n, h, w) labels of `corpus.parts` → how much each pixel is blown up.

    >>> fullness_from_parts(np.array([[[1, 6]]], np.uint8), {"fin": 0.5}).tolist()
    [[[1.0, 0.5]]]
    """
    unknown = sorted(set(table) - set(PARTS))
    if unknown:
        raise InputError("part", "be one of those of a corpus", unknown[0])
    wrong = [full for full in table.values() if not 0 <= full <= 4]
    if wrong:
        raise InputError("fullness of a part", "be from 0 to 4", wrong[0])
    by_label = np.ones(256, np.float32)
    by_label[[PART_INDEX[name] for name in table]] = list(table.values())
    return by_label[parts]


def leak_from(ink: Bits, parts: Cells | None) -> Reals | None:
    """How much each pixel of (n, h, w) is held down; None where nothing is."""
    if parts is None:
        return ink * np.float32(_INK_LEAK) if ink.any() else None
    return np.where(ink, np.float32(_INK_LEAK), _borders(parts) * np.float32(_BORDER_LEAK))


def _borders(parts: Cells) -> Bits:
    """Pixels beside one of another part, on both sides of the border."""
    of = _STANDS[parts]
    made = np.zeros(parts.shape, np.bool_)
    for axis in (1, 2):
        here, there = np.moveaxis(made, axis, 0)[1:], np.moveaxis(made, axis, 0)[:-1]
        first, second = np.moveaxis(of, axis, 0)[1:], np.moveaxis(of, axis, 0)[:-1]
        differ = (first != second) & (first > 0) & (second > 0)
        here |= differ
        there |= differ
    return made
