"""Photographs made by code: a fish before a backdrop with falloff of light, noise and JPEG; a scene without one."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pixelreef.core.seeds import rng

Bytes = NDArray[np.uint8]
Bits = NDArray[np.bool_]


def fish_mask(height: int = 240, width: int = 320) -> Bits:
    """An ellipse with a triangular tail, about a sixth of the picture."""
    y, x = np.mgrid[:height, :width].astype(float)
    y, x = (y - height / 2) / height, (x - width / 2) / width
    body = (x / 0.22) ** 2 + (y / 0.2) ** 2 < 1
    tail = (x > -0.38) & (x < -0.15) & (np.abs(y) < (-0.15 - x) * 0.8)
    return np.asarray(body | tail)


def backdrop(height: int = 240, width: int = 320, colour: tuple[int, int, int] = (150, 190, 215)) -> Bytes:
    """A plain colour that grows darker to one corner."""
    y, x = np.mgrid[:height, :width].astype(float)
    light = 1.05 - 0.3 * (x / width) ** 2 - 0.15 * (y / height)
    return np.asarray(np.clip(np.array(colour) * light[..., None], 0, 255), np.uint8)


def fish_photo(height: int = 240, width: int = 320, noise: float = 3.0, seed: int = 0) -> Bytes:
    """(H, W, 3): an orange fish with a dark stripe and a dark eye before a backdrop, with noise."""
    picture = backdrop(height, width).astype(float)
    picture[fish_mask(height, width)] = (235, 120, 30)
    x = np.arange(width)
    stripe = fish_mask(height, width) & (np.abs(x - 0.45 * width) < 0.015 * width)
    picture[stripe] = (40, 20, 30)
    picture += rng(seed, "noise").normal(0, noise, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def reef_scene(height: int = 240, width: int = 320, seed: int = 0) -> Bytes:
    """(H, W, 3): the fish in water above a rough sea floor that runs out of the picture: no plain background."""
    picture = fish_photo(height, width, 2.0, seed)
    random = rng(seed, "floor")
    floor = int(0.78 * height)
    stones = random.integers(30, 200, (-(-(height - floor) // 8), -(-width // 8), 3)).astype(np.uint8)
    picture[floor:] = stones.repeat(8, axis=0).repeat(8, axis=1)[: height - floor, :width]
    return picture


def encoded(pixels: Bytes, kind: str = "JPEG", **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind, **options)
    return buffer.getvalue()


def overlap(first: Bits, second: Bits) -> float:
    return float((first & second).sum() / (first | second).sum())
