"""A picture of a reef, painted by code in smooth colours, so that there is something real to quantise.

Painted at four times its size and averaged down, like a photograph: soft edges, gradients, thousands of colours. It
is no pixel art and is not meant to be: turning it into pixel art is the palette's job. Deterministic by seed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from pixelreef.core.seeds import rng
from pixelreef.demo.corals import CORALS, Colour, Spot, disc

WIDTH, HEIGHT = 288, 144
_FINE = 4  # painted at this multiple, then averaged

_CORALS: tuple[tuple[Colour, Colour], ...] = (  # shadow, light
    ((120, 12, 40), (255, 122, 82)),
    ((98, 6, 92), (255, 128, 178)),
    ((74, 40, 150), (206, 150, 255)),
    ((112, 62, 6), (250, 206, 60)),
    ((6, 96, 100), (110, 232, 214)),
    ((110, 60, 40), (240, 186, 140)),
)
_FISH: tuple[tuple[Colour, Colour, Colour], ...] = (  # back, belly, bars
    ((232, 88, 30), (255, 200, 120), (255, 244, 230)),
    ((36, 110, 220), (140, 210, 255), (255, 214, 60)),
    ((206, 40, 130), (255, 190, 210), (90, 10, 90)),
    ((220, 180, 20), (255, 240, 160), (50, 46, 60)),
    ((0, 150, 150), (160, 250, 240), (10, 60, 110)),
)


def paint_reef(seed: int = 0, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    """(height, width, 3) sRGB bytes: water, light, rocks, corals and weed. The fish come apart, see `paint_fish`."""
    random = rng(seed, "demo", "scene")
    image = Image.fromarray(_water(width * _FINE, height * _FINE, random))
    _rocks(image, random)
    _floor(image, random)
    _weed(image, random)
    _corals(image, random)
    _bubbles(image, random)
    return np.asarray(image.resize((width, height), Image.Resampling.BOX))


def paint_fish(seed: int, number: int, length: int = 26) -> NDArray[np.uint8]:
    """(length·3⁄4, length, 4) sRGB bytes: one fish that looks to the right, on nothing."""
    random = rng(seed, "demo", "fish", number)
    back, belly, bars = _FISH[number % len(_FISH)]
    w, h = length * _FINE, length * 3 // 4 * _FINE
    shape = Image.new("L", (w, h))
    draw = ImageDraw.Draw(shape)
    body = (0.30 * w, (0.22 + 0.05 * random.random()) * h, 0.94 * w, (0.80 - 0.05 * random.random()) * h)
    draw.ellipse(body, 255)
    draw.polygon([(0.40 * w, 0.5 * h), (0.06 * w, 0.16 * h), (0.14 * w, 0.5 * h), (0.06 * w, 0.84 * h)], 255)
    draw.polygon([(0.46 * w, 0.30 * h), (0.56 * w, 0.06 * h), (0.76 * w, 0.28 * h)], 255)
    draw.polygon([(0.52 * w, 0.72 * h), (0.56 * w, 0.95 * h), (0.70 * w, 0.74 * h)], 255)
    down = np.linspace(0, 1, h)[:, None, None]
    colours = np.array(back) * (1 - down) + np.array(belly) * down
    painted = Image.fromarray(np.broadcast_to(colours, (h, w, 3)).round().astype(np.uint8))
    pen = ImageDraw.Draw(painted)
    for bar in range(int(random.integers(1, 4))):
        x = (0.44 + 0.15 * bar) * w
        pen.line([(x, 0), (x - 0.03 * w, h)], bars, width=max(1, int(0.055 * w)))
    eye = (0.80 * w, 0.42 * h)
    disc(pen, *eye, 0.075 * w, (255, 255, 255))
    disc(pen, eye[0] + 0.018 * w, eye[1], 0.045 * w, (16, 14, 28))
    size = (length, length * 3 // 4)
    rgba = np.dstack([np.asarray(painted), np.asarray(shape)])
    return np.asarray(Image.fromarray(rgba).resize(size, Image.Resampling.BOX))


def _water(width: int, height: int, random: np.random.Generator) -> NDArray[np.uint8]:
    """Turquoise above, deep blue below, with shafts of light that fan out from beyond the upper edge."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    depth = (y / height)[..., None]
    top, middle, bottom = (np.array(colour, np.float32) for colour in ((104, 222, 224), (22, 118, 196), (12, 40, 104)))
    colour = np.where(depth < 0.5, top + (middle - top) * 2 * depth, middle + (bottom - middle) * (2 * depth - 1))
    angle = np.arctan2(x - 0.34 * width, y + 0.7 * height)
    shafts = sum(
        np.maximum(0, np.cos(angle * frequency + phase)) ** 6
        for frequency, phase in zip((19, 31, 47), random.uniform(0, 6.28, 3), strict=True)
    )
    light = (np.asarray(shafts) * np.clip(1 - y / (0.85 * height), 0, 1) ** 1.4)[..., None]
    return np.asarray(np.clip(colour + light * np.array((46, 52, 40), np.float32), 0, 255), np.uint8)


def _ridge(width: int, base: float, swing: float, random: np.random.Generator) -> list[tuple[float, float]]:
    """A hilly line across the picture: three waves of random phase."""
    phases = random.uniform(0, 6.28, 3)
    return [
        (
            x,
            base
            - swing * sum(math.sin(x / width * 6.28 * f + p) / f for f, p in zip((1.3, 2.9, 5.7), phases, strict=True)),
        )
        for x in range(0, width + 8, 8)
    ]


def _rocks(image: Image.Image, random: np.random.Generator) -> None:
    """Two rows of far rocks, each nearer and darker, blurred by the water."""
    w, h = image.size
    for base, swing, colour, blur in ((0.66, 0.10, (20, 92, 160), 10), (0.80, 0.09, (14, 62, 118), 5)):
        mask = Image.new("L", image.size)
        ImageDraw.Draw(mask).polygon([(0, h), *_ridge(w, base * h, swing * h, random), (w, h)], 255)
        image.paste(Image.new("RGB", image.size, colour), mask=mask.filter(ImageFilter.GaussianBlur(blur)))


def _floor(image: Image.Image, random: np.random.Generator) -> None:
    """Sand, lit from above, with ripples that narrow towards the back."""
    w, h = image.size
    ridge = _ridge(w, 0.90 * h, 0.018 * h, random)
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).polygon([(0, h), *ridge, (w, h)], 255)
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    near = np.clip((y / h - 0.86) / 0.14, 0, 1)
    ripple = np.sin(y / (2.5 + 9 * near) + 1.6 * np.sin(x / 46 + y / 60)) * (0.35 + 0.5 * near)
    sand = np.array((214, 178, 132), np.float32) + ripple[..., None] * np.array((26, 26, 22), np.float32)
    sand *= (0.62 + 0.42 * near)[..., None]
    image.paste(Image.fromarray(np.clip(sand, 0, 255).astype(np.uint8)), mask=mask)


def _weed(image: Image.Image, random: np.random.Generator) -> None:
    """Clumps of kelp that sway one way, each blade lighter at its tip."""
    w, h = image.size
    draw = ImageDraw.Draw(image)
    for clump in (0.06, 0.22, 0.58, 0.86):
        for _ in range(int(random.integers(4, 8))):
            x = (clump + random.normal(0, 0.018)) * w
            length, phase = random.uniform(0.24, 0.52) * h, random.uniform(0, 6.28)
            steps = 40
            for step in range(steps):
                rise = step / steps
                sway = math.sin(rise * 5 + phase) * 0.012 * w * rise + 0.02 * w * rise * rise
                colour = (int(6 + 96 * rise), int(70 + 122 * rise), int(44 + 26 * rise))
                disc(draw, x + sway, 0.95 * h - rise * length, max(1.5, (1 - rise) * 0.008 * w), colour)


def _corals(image: Image.Image, random: np.random.Generator) -> None:
    """Corals of every kind along the floor, back to front."""
    w, h = image.size
    draw = ImageDraw.Draw(image)
    for number, y in enumerate(np.sort(random.uniform(0.80, 0.93, 13)) * h):
        x = (0.04 + 0.92 * ((number * 0.381966 + 0.1) % 1)) * w  # golden section: even, never regular
        shadow, light = _CORALS[int(random.integers(len(_CORALS)))]
        size = (0.7 + 0.7 * float(y) / h) * 0.10 * h
        CORALS[number % len(CORALS)](Spot(draw, x, float(y), size, shadow, light), random)


def _bubbles(image: Image.Image, random: np.random.Generator) -> None:
    w, h = image.size
    draw = ImageDraw.Draw(image)
    for column in random.uniform(0.1, 0.9, 4):
        for rise in range(7):
            x, y = (column + 0.006 * math.sin(rise * 1.7)) * w, (0.78 - 0.1 * rise) * h
            radius = (0.006 + 0.0015 * rise) * w * random.uniform(0.5, 1)
            draw.ellipse(
                (x - radius, y - radius, x + radius, y + radius), None, (190, 240, 250), max(1, int(radius / 3))
            )
            disc(draw, x - 0.3 * radius, y - 0.3 * radius, 0.3 * radius, (250, 255, 255))
