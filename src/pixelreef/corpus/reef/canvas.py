"""The canvas of a creature: for every pixel its part, its ramp and its tone, drawn in units, so that any size works.

A canvas is `size` pixels and a border for what sticks out; `finish` cuts the sprite from it. Units: the middle is
(0, 0), the sprite reaches from −1 to 1, x to the right, y down. A species draws in its own frame, which `pose` sets: a
side view has its head at +x and `facing` −1 turns it to the left; a view from above has its head at −y.

Tone is a step of the ramp, 0 dark to 6 light, kept as a float until the end, so that a smooth field becomes clean
bands. There is one light, from the upper left of the picture, whatever the pose.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pixelreef.corpus.parts import PAIRS, PART_INDEX
from pixelreef.corpus.reef.shape import Bits, Floats, Shape

Labels = NDArray[np.uint8]
Point = tuple[float, float]

LIGHT = (-0.50, -0.66, 0.56)
"""Towards the light in the picture's frame: x to the right, y down, z to the viewer; of length 1."""

_MIRRORED = {**PART_INDEX}
for _left, _right in PAIRS:
    _MIRRORED[_left], _MIRRORED[_right] = PART_INDEX[_right], PART_INDEX[_left]


class Canvas:
    """What has been drawn so far, (side, side) each, and the frame to draw in."""

    def __init__(self, size: int, zoom: float = 1.0) -> None:
        self.size = size
        self.side = size + 2 * max(4, size // 8)
        self.pixel = 2 / (size * zoom)
        """One pixel, in units."""
        self.across, self.down = _axes(self.side, self.pixel)
        self.part: Labels = np.zeros((self.side, self.side), np.uint8)
        self.ramp: Labels = np.zeros((self.side, self.side), np.uint8)
        self.tone: Floats = np.zeros((self.side, self.side), np.float32)
        self.bare: Bits = np.zeros((self.side, self.side), np.bool_)
        """Pixels that get no outline: threads, whiskers, glows."""

    def pose(self, facing: int = 1, tilt: float = 0.0, at: Point = (0.0, 0.0)) -> None:
        """Set the frame, before anything is drawn: turn by `tilt`, mirror when `facing` is −1, move to `at`.

        Tilt is in radians, +x towards +y: nose down. A mirrored creature keeps its own left: labels of pairs change
        sides with it.
        """
        self.facing, self.tilt, self.at = facing, tilt, at
        self._cos, self._sin = math.cos(tilt), math.sin(tilt)
        across, down = (self.across - at[0]) * facing, self.down - at[1]
        self.x: Floats = across * self._cos + down * self._sin
        self.y: Floats = down * self._cos - across * self._sin
        lx, ly = LIGHT[0] * facing, LIGHT[1]
        self.light = (lx * self._cos + ly * self._sin, ly * self._cos - lx * self._sin, LIGHT[2])
        self._labels = _MIRRORED if facing < 0 else PART_INDEX

    def place(self, x: float, y: float) -> Point:
        """A point of the frame as a place in pixels: pixel i spans i to i + 1."""
        across = (x * self._cos - y * self._sin) * self.facing + self.at[0]
        down = x * self._sin + y * self._cos + self.at[1]
        return across / self.pixel + self.side / 2, down / self.pixel + self.side / 2

    def label(self, part: str) -> int:
        """The index of a part, for a creature that may be mirrored."""
        return self._labels[part]

    @property
    def opaque(self) -> Bits:
        """(side, side): where something has been painted."""
        return np.asarray(self.part != 0)

    def paint(
        self,
        shape: Shape,
        part: str,
        ramp: int,
        low: float,
        high: float | None = None,
        *,
        edge: float = 0.0,
        bare: bool = False,
        behind: bool = False,
    ) -> None:
        """Paint a shape with tones from `low` in shadow to `high` in the light (`low` all over when not given).

        `edge` darkens what lies just below and to the right of it by so many steps, as a thing in front would; `bare`
        pixels get no outline; `behind` leaves what is there in front.
        """
        mask = shape.mask & (self.part == 0) if behind else shape.mask
        if edge:
            self._shadow(mask, edge)
        tone = low if high is None else shape.lit * (high - low) + low
        np.copyto(self.part, self._labels[part], where=mask)
        np.copyto(self.ramp, ramp, where=mask)
        np.copyto(self.tone, tone, where=mask)
        np.copyto(self.bare, bare, where=mask)

    def mark(
        self,
        mask: Bits,
        part: str | None = None,
        ramp: int | None = None,
        tone: float | None = None,
        shift: float = 0.0,
    ) -> None:
        """Change what is already painted under a mask: its label, its ramp, its tone, or its tone by so many steps."""
        mask = mask & (self.part != 0)
        if part is not None:
            np.copyto(self.part, self._labels[part], where=mask)
        if ramp is not None:
            np.copyto(self.ramp, ramp, where=mask)
        if tone is not None:
            np.copyto(self.tone, tone, where=mask)
        elif shift:
            np.add(self.tone, shift, out=self.tone, where=mask)

    def erase(self, mask: Bits) -> None:
        """Cut a hole."""
        np.copyto(self.part, 0, where=mask)

    def _shadow(self, mask: Bits, steps: float) -> None:
        """Darken the ring of painted pixels below and to the right of the mask, once each."""
        ring = np.zeros_like(mask)
        ring[1:] = mask[:-1]
        ring[:, 1:] |= mask[:, :-1]
        ring &= ~mask
        np.subtract(self.tone, steps, out=self.tone, where=ring)


@lru_cache(maxsize=64)
def _axes(side: int, pixel: float) -> tuple[Floats, Floats]:
    middles = ((np.arange(side) + 0.5 - side / 2) * pixel).astype(np.float32)
    return middles[None, :], middles[:, None]
