"""Four kinds of coral for the painted reef, each painted at a spot of its own, in units of its own size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PIL import ImageDraw

Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Spot:
    """Where a coral stands, how large it is, and its two colours. Places are given in sizes, y upwards."""

    draw: ImageDraw.ImageDraw
    x: float
    y: float
    size: float
    shadow: Colour
    light: Colour

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A place of the spot as a place of the picture."""
        return self.x + x * self.size, self.y - y * self.size

    def tone(self, share: float) -> Colour:
        """A colour between shadow (0) and light (1)."""
        share = min(1.0, max(0.0, share))
        red, green, blue = (round(a + (b - a) * share) for a, b in zip(self.shadow, self.light, strict=True))
        return red, green, blue

    def disc(self, x: float, y: float, radius: float, tone: float, flat: float = 1.0) -> None:
        disc(self.draw, *self.at(x, y), radius * self.size, self.tone(tone), flat)

    def arc(self, x: float, y: float, reach: tuple[float, float], degrees: tuple[float, float], tone: float) -> None:
        (left, top), (right, bottom) = self.at(x - reach[0], y + reach[1]), self.at(x + reach[0], y - reach[1])
        self.draw.arc((left, top, right, bottom), *degrees, self.tone(tone), int(0.05 * self.size) + 1)


def branching(spot: Spot, random: np.random.Generator) -> None:
    """A tree that forks four times."""

    def grow(x: float, y: float, angle: float, length: float, width: float, level: int) -> None:
        reach_x, reach_y = math.cos(angle) * length, math.sin(angle) * length
        for step in range(9):
            t = step / 8
            spot.disc(x + reach_x * t, y + reach_y * t, width * (1 - 0.3 * t), (level + t) / 5)
        for turn in (-1, 1) if level < 4 else ():
            angle_to, length_to = angle + turn * random.uniform(0.25, 0.6), length * random.uniform(0.68, 0.86)
            grow(x + reach_x, y + reach_y, angle_to, length_to, width * 0.7, level + 1)

    grow(0, -0.2, math.pi / 2, 0.62, 0.13, 0)


def brain(spot: Spot, random: np.random.Generator) -> None:
    """A dome, lit from the upper left, with furrows."""
    for step in range(14):
        t = step / 13
        spot.disc(-0.22 * t, 0.34 * t, 1 - 0.86 * t, t**0.8, flat=0.8)
    for _ in range(16):
        angle, reach = random.uniform(0, 6.28), random.uniform(0.1, 0.8)
        spot.arc(math.cos(angle) * reach, -math.sin(angle) * reach * 0.75, (0.2, 0.16), (20, 200), 0.25)


def fan(spot: Spot, random: np.random.Generator) -> None:
    """Ribs that spread from one foot, tied by rings."""
    for rib in range(15):
        angle, reach = math.pi * (0.14 + 0.72 * rib / 14), 1.5 * random.uniform(0.86, 1.0)
        for step in range(26):
            t = step / 25
            spot.disc(math.cos(angle) * reach * t, math.sin(angle) * reach * t - 0.3, 0.045, t)
    for ring in (0.5, 0.75, 0.97):
        spot.arc(0, -0.3, (1.5 * ring, 1.5 * ring), (206, 334), ring)


def tubes(spot: Spot, random: np.random.Generator) -> None:
    """Five open pipes side by side."""
    radius = 0.17
    for tube in range(5):
        x, top = (tube - 2) * 0.30, random.uniform(0.7, 1.5) - 0.3
        for step in range(-6, 7):
            side = x + step / 6 * radius
            tone = spot.tone(0.15 + 0.75 * math.cos((step + 2.5) / 7))
            spot.draw.line([spot.at(side, -0.3), spot.at(side, top)], tone, int(radius * spot.size / 4) + 1)
        spot.disc(x, top, radius * 1.1, 1, flat=0.5)
        spot.disc(x, top, radius * 0.7, 0, flat=0.5)


CORALS: tuple[Callable[[Spot, np.random.Generator], None], ...] = (branching, brain, fan, tubes)


def disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: Colour, flat: float = 1.0) -> None:
    """A filled circle, or an ellipse that is `flat` times as high as wide."""
    draw.ellipse((x - radius, y - radius * flat, x + radius, y + radius * flat), colour)
