"""The form of a sprite as light needs it: normals, what is occluded, what is an edge; each in a byte.

These are what the maps for engines hold, and shading works from the same bytes, so both come to the same pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.grid import Cells
from pixelreef.sprites.shade.clusters import FINE, Clusters
from pixelreef.sprites.shade.height import Bits, Reals, inflated, open_sides
from pixelreef.sprites.shade.relief import FULLNESS, fullness_from_parts, leak_from
from pixelreef.sprites.shade.stairs import Stairs

FULL = 127
"""What stands for 1, in normals and in occlusion."""
_FAR = (1, 2, 3)  # pixels at which something may stand in the light's way
_FARTHEST = max(_FAR)
_STEEP = 0.6  # the sum of four slopes with which a valley is wholly dark


@dataclass(frozen=True, eq=False)
class Form:
    """Fields of (n, h, w)."""

    solid: Bits
    """The silhouette."""
    x: NDArray[np.int8]
    """Normals to the right, −127 to 127; 0 outside."""
    y: NDArray[np.int8]
    """Upwards."""
    z: NDArray[np.int8]
    """To the viewer, never below 0."""
    occlusion: Cells
    """0 to 127."""
    edge: Bits
    """The outermost pixels of what is at least three pixels thick."""


def form_from_cells(
    cells: Cells, stairs: Stairs, parts: Cells | None = None, fullness: Mapping[str, float] = FULLNESS
) -> Form:
    """The form of sprites (n, h, w): of their silhouettes, their ink, and their part labels where known."""
    solid = stairs.solid[cells]
    leak = leak_from(stairs.ink[cells], parts)
    u = inflated(solid, None if parts is None else fullness_from_parts(parts, fullness), leak)
    clusters = Clusters(cells, solid)
    x, y, z = _of_length_1([clusters.meant(part) for part in _normals(u, solid)])
    hidden = clusters.meant(_occlusion(u[:, 1:-1, 1:-1], solid))
    return Form(solid, x, y, z, np.rint(hidden / FINE).astype(np.uint8), clusters.agreed(_edge(solid)))


def _normals(u: Reals, solid: Bits) -> list[NDArray[np.int16]]:
    """The height is 2√u, so its normal is along (−∂u/∂x, −∂u/∂y, √u). Slopes by Sobel, which smooths staircases."""
    down = u[:, 2:] + u[:, :-2]
    down += 2 * u[:, 1:-1]
    x = (down[:, :, :-2] - down[:, :, 2:]) / 8
    across = u[:, :, 2:] + u[:, :, :-2]
    across += 2 * u[:, :, 1:-1]
    y = (across[:, 2:] - across[:, :-2]) / 8  # rows run downwards, y up
    inner = u[:, 1:-1, 1:-1]
    length = np.sqrt(x * x + y * y + inner)
    scale = np.where(solid, FULL / np.maximum(length, np.float32(1e-6)), np.float32(0))
    return [np.rint(part * scale).astype(np.int16) for part in (x, y, np.sqrt(inner))]


def _of_length_1(parts: list[NDArray[np.int16]]) -> list[NDArray[np.int8]]:
    """Vectors of any length, 0 excepted, as normals in bytes."""
    x, y, z = (part.astype(np.float32) for part in parts)
    scale = FULL / np.maximum(np.sqrt(x * x + y * y + z * z), 1)
    return [np.rint(part * scale).astype(np.int8) for part in (x, y, z)]


def _occlusion(u: Reals, solid: Bits) -> NDArray[np.int16]:
    """How deep a pixel lies in a valley: how steeply the form rises on both of two opposite sides, on four axes.

    What is low on one side alone is a slope, and the light's business.
    """
    height = 2 * np.sqrt(u)
    framed = _framed(height, _FARTHEST)
    level, upright, falling, rising = (_valley(framed, height, axis) for axis in ((0, 1), (1, 0), (1, 1), (1, -1)))
    steep = (level + upright + (falling + rising)) * solid  # a mirror exchanges the last two
    dark = _blurred(_framed(steep, 1)) * np.float32(FULL / _STEEP)
    return np.where(solid, np.rint(np.minimum(dark, FULL)), 0).astype(np.int16)


def _valley(framed: Reals, height: Reals, axis: tuple[int, int]) -> Reals:
    """The smaller of the two slopes up, this way and that way along an axis, none below 0."""
    rises = np.zeros((2, *height.shape), np.float32)
    for (rise, sign), far in product(zip(rises, (1, -1), strict=True), _FAR):
        y, x = (_FARTHEST + sign * far * part for part in axis)
        there = framed[:, y : y + height.shape[1], x : x + height.shape[2]]
        np.maximum(rise, (there - height) / np.float32(far * np.hypot(*axis)), out=rise)
    return np.asarray(np.minimum(rises[0], rises[1]))


def _framed(field: Reals, by: int) -> Reals:
    return np.pad(field, ((0, 0), (by, by), (by, by)))


def _blurred(framed: Reals) -> Reals:
    """(n, h + 2, w + 2) → (n, h, w): by (1, 2, 1)/4 both ways, so that no pixel is dark alone."""
    rows = (framed[:, 2:] + framed[:, :-2]) + 2 * framed[:, 1:-1]
    return np.asarray(((rows[:, :, 2:] + rows[:, :, :-2]) + 2 * rows[:, :, 1:-1]) / 16)


def _edge(solid: Bits) -> Bits:
    """Pixels beside the ground that have an inner pixel, one with none of it beside, among their eight neighbours."""
    n, height, width = solid.shape
    framed = np.zeros((n, height + 2, width + 2), np.bool_)
    framed[:, 1:-1, 1:-1] = solid
    top, bottom, left, right = open_sides(solid)
    framed[:, 0], framed[:, -1] = framed[:, 1] & top[:, None], framed[:, -2] & bottom[:, None]
    framed[:, :, 0], framed[:, :, -1] = framed[:, :, 1] & left[:, None], framed[:, :, -2] & right[:, None]
    inner = np.zeros_like(framed)
    beside = framed[:, 2:, 1:-1] & framed[:, :-2, 1:-1] & framed[:, 1:-1, 2:] & framed[:, 1:-1, :-2]
    inner[:, 1:-1, 1:-1] = solid & beside
    rows = inner[:, 2:] | inner[:, 1:-1] | inner[:, :-2]
    near = rows[:, :, 2:] | rows[:, :, 1:-1] | rows[:, :, :-2]
    return np.asarray(solid & ~beside & near)
